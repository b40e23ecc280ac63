// SPDX-License-Identifier: Apache-2.0
#include "stream/policy/sensitivity.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

#include "stream/policy/group_shapes.hpp"

namespace fogline::stream {
namespace {

using geometry::LatticeBody;
using geometry::LatticePoints;
using geometry::LatticeXY;

constexpr std::size_t most_witnesses = 1000;  // of a corner

LatticeXY in_plane(const LatticePoints& points, std::uint32_t i) {
  return {points[i][0], points[i][1]};
}

/// Half of the corners of a group's difference polygon; the others are their mirror images.
std::span<const LatticeXY> half_of(const std::vector<LatticeXY>& polygon) {
  return std::span(polygon).first((polygon.size() + 1) / 2);
}

LatticePoints plane_differences(const LocalPolicy& policy, const LatticePoints& points,
                                const LatticeBody* within, const Progress& progress) {
  std::vector<LatticeXY> found, members;
  for (const std::size_t shape : distinct_shapes(policy.groups, points)) {
    members.clear();
    for (const std::uint32_t member : policy.groups[shape]) members.push_back(in_plane(points, member));
    const std::vector<LatticeXY> body = geometry::difference_polygon(geometry::convex_polygon(members));
    const auto half = half_of(body);
    found.insert(found.end(), half.begin(), half.end());
  }
  each_pair(policy, progress, [&](std::uint32_t a, std::uint32_t b) {
    const LatticeXY difference = in_plane(points, a) - in_plane(points, b);
    if (within == nullptr || !within->contains(std::array{difference.x, difference.y}))
      found.push_back(std::min(difference, -difference));
  });
  std::ranges::sort(found);
  const auto repeated = std::ranges::unique(found);
  found.erase(repeated.begin(), repeated.end());
  LatticePoints result{.dimension = 2};
  result.coordinates.reserve(2 * found.size());
  for (const LatticeXY difference : found) result.add(std::array{difference.x, difference.y});
  return result;
}

/// One of a difference and its opposite: the lesser.
std::vector<std::int64_t> either_way(const LatticePoints& points, std::uint32_t a, std::uint32_t b) {
  std::vector<std::int64_t> difference, opposite;
  for (std::size_t j = 0; j < points.dimension; ++j) {
    difference.push_back(points[a][j] - points[b][j]);
    opposite.push_back(points[b][j] - points[a][j]);
  }
  return std::min(difference, opposite);
}

/// Corners of a group's hull, as states.
std::vector<std::uint32_t> corner_states(std::span<const std::uint32_t> group, const LatticePoints& points) {
  LatticePoints members{.dimension = points.dimension};
  for (const std::uint32_t member : group) members.add(points[member]);
  std::vector<std::uint32_t> corners = LatticeBody::corners(members);
  for (std::uint32_t& corner : corners) corner = group[corner];
  return corners;
}

LatticePoints space_differences(const LocalPolicy& policy, const LatticePoints& points,
                                const LatticeBody* within, const Progress& progress) {
  std::set<std::vector<std::int64_t>> found;
  const auto add = [&](std::uint32_t a, std::uint32_t b) {
    auto difference = either_way(points, a, b);
    if (within == nullptr || !within->contains(difference)) found.insert(std::move(difference));
  };
  for (const std::size_t shape : distinct_shapes(policy.groups, points)) {
    const std::vector<std::uint32_t> corners = corner_states(policy.groups[shape], points);
    for (std::size_t i = 0; i < corners.size(); ++i) {
      for (std::size_t j = i + 1; j < corners.size(); ++j) add(corners[i], corners[j]);
    }
  }
  each_pair(policy, progress, add);
  LatticePoints result{.dimension = points.dimension};
  for (const auto& difference : found) result.add(difference);
  return result;
}

/// A shuffle that is the same everywhere, so that a few looks come from all over the map.
template <class T>
void scatter(std::vector<T>& list) {
  std::uint64_t state = 1;
  for (std::size_t i = list.size(); i > 1; --i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    std::swap(list[i - 1], list[multiply_high(state, i)]);
  }
}

bool holds(std::span<const StateId> states, StateId state) {
  return std::ranges::binary_search(states, state);
}

}  // namespace

LatticePoints extreme_differences(const LocalPolicy& policy, const LatticePoints& points,
                                  const LatticeBody* within, const Progress& progress) {
  return points.dimension == 2 ? plane_differences(policy, points, within, progress)
                               : space_differences(policy, points, within, progress);
}

LatticeBody sensitivity_hull(const LocalPolicy& policy, const LatticePoints& points) {
  return LatticeBody::hull(extreme_differences(policy, points));
}

std::uint64_t joined_pairs(const LocalPolicy& policy) {
  std::uint64_t pairs = policy.pairs.size();
  for (const auto group : policy.groups) pairs += group.size() * (group.size() - 1) / 2;
  return pairs;
}

SensitivityHulls::SensitivityHulls(const PolicyGraph& policy, const LatticeQuery& query) {
  std::vector<StateId> all(query.states());
  std::iota(all.begin(), all.end(), StateId{0});
  LatticePoints points{.dimension = query.dimension()};
  for (const StateId state : all) points.add(query.at(state));
  const LocalPolicy everywhere = constrained(policy, all);
  whole_ = std::make_shared<const LatticeBody>(sensitivity_hull(everywhere, points));
  find_witnesses(everywhere, points);
}

void SensitivityHulls::find_witnesses(const LocalPolicy& policy, const LatticePoints& points) {
  std::set<std::vector<std::int64_t>> corners;
  corners_.dimension = points.dimension;
  if (whole_->rank() == 0) return;
  for (std::size_t i = 0; i < whole_->vertices().size(); ++i) {
    const auto corner = whole_->vertices()[i];
    std::vector<std::int64_t> opposite;
    for (const std::int64_t x : corner) opposite.push_back(-x);
    corners.insert(std::min(std::vector<std::int64_t>(corner.begin(), corner.end()), opposite));
  }
  for (const auto& corner : corners) corners_.add(corner);
  witnesses_.resize(corners.size());
  const auto number = [&](const std::vector<std::int64_t>& difference) {
    const auto found = corners.find(difference);
    return found == corners.end() ? witnesses_.size()
                                  : static_cast<std::size_t>(std::distance(corners.begin(), found));
  };
  const auto offer = [&](std::uint32_t a, std::uint32_t b) {
    if (const std::size_t corner = number(either_way(points, a, b)); corner < witnesses_.size())
      witnesses_[corner].emplace_back(a, b);
  };
  // Two points that differ by a corner of the whole are corners of their own group.
  for (const auto group : policy.groups) {
    const std::vector<std::uint32_t> states = corner_states(group, points);
    for (std::size_t i = 0; i < states.size(); ++i) {
      for (std::size_t j = i + 1; j < states.size(); ++j) offer(states[i], states[j]);
    }
  }
  for (const auto& [a, b] : policy.pairs) offer(a, b);
  for (auto& list : witnesses_) {
    scatter(list);
    if (list.size() > most_witnesses) list.resize(most_witnesses);
    list.shrink_to_fit();
  }
}

std::shared_ptr<const LatticeBody> SensitivityHulls::hull(const Situation& situation,
                                                          const Progress& progress) const {
  LatticePoints there{.dimension = corners_.dimension};
  for (std::size_t corner = 0; corner < witnesses_.size(); ++corner) {
    const bool present = std::ranges::any_of(witnesses_[corner], [&](const StatePair& pair) {
      return holds(situation.states, pair.first) && holds(situation.states, pair.second);
    });
    if (present) there.add(corners_[corner]);
  }
  if (there.size() == witnesses_.size()) return whole_;
  const LatticeBody part = LatticeBody::hull(there);
  LatticePoints differences = extreme_differences(situation.policy, situation.points, &part, progress);
  for (std::size_t i = 0; i < there.size(); ++i) differences.add(there[i]);
  return std::make_shared<const LatticeBody>(LatticeBody::hull(differences));
}

}  // namespace fogline::stream
