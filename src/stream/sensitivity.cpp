// SPDX-License-Identifier: Apache-2.0
#include "stream/sensitivity.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace fogline::stream {
namespace {

using geometry::LatticeBody;
using geometry::LatticePoints;
using geometry::LatticeXY;

LatticeXY in_plane(const LatticePoints& points, std::uint32_t i) {
  return {points[i][0], points[i][1]};
}

/// Groups give half of their difference polygon, pairs their distinct differences.
LatticePoints plane_differences(const LocalPolicy& policy, const LatticePoints& points) {
  std::vector<LatticeXY> found, members;
  for (const auto group : policy.groups) {
    members.clear();
    for (const std::uint32_t member : group) members.push_back(in_plane(points, member));
    const std::vector<LatticeXY> body = geometry::difference_polygon(geometry::convex_polygon(members));
    found.insert(found.end(), body.begin(),
                 body.begin() + static_cast<std::ptrdiff_t>((body.size() + 1) / 2));
  }
  for (const auto& [a, b] : policy.pairs) {
    const LatticeXY difference = in_plane(points, a) - in_plane(points, b);
    found.push_back(std::min(difference, -difference));
  }
  std::ranges::sort(found);
  const auto repeated = std::ranges::unique(found);
  found.erase(repeated.begin(), repeated.end());
  LatticePoints result{.dimension = 2};
  result.coordinates.reserve(2 * found.size());
  for (const LatticeXY difference : found) result.add(std::array{difference.x, difference.y});
  return result;
}

LatticePoints space_differences(const LocalPolicy& policy, const LatticePoints& points) {
  std::set<std::vector<std::int64_t>> found;
  const auto add = [&](std::uint32_t a, std::uint32_t b) {
    std::vector<std::int64_t> difference, opposite;
    for (std::size_t j = 0; j < points.dimension; ++j) {
      difference.push_back(points[a][j] - points[b][j]);
      opposite.push_back(points[b][j] - points[a][j]);
    }
    found.insert(std::min(difference, opposite));
  };
  for (const auto group : policy.groups) {
    LatticePoints members{.dimension = points.dimension};
    for (const std::uint32_t member : group) members.add(points[member]);
    const std::vector<std::uint32_t> corners = LatticeBody::corners(members);
    for (const std::uint32_t a : corners) {
      for (const std::uint32_t b : corners) {
        if (a < b) add(group[a], group[b]);
      }
    }
  }
  for (const auto& [a, b] : policy.pairs) add(a, b);
  LatticePoints result{.dimension = points.dimension};
  for (const auto& difference : found) result.add(difference);
  return result;
}

}  // namespace

LatticePoints extreme_differences(const LocalPolicy& policy, const LatticePoints& points) {
  return points.dimension == 2 ? plane_differences(policy, points) : space_differences(policy, points);
}

LatticeBody sensitivity_hull(const LocalPolicy& policy, const LatticePoints& points) {
  return LatticeBody::hull(extreme_differences(policy, points));
}

std::uint64_t joined_pairs(const LocalPolicy& policy) {
  std::uint64_t pairs = policy.pairs.size();
  for (const auto group : policy.groups) pairs += group.size() * (group.size() - 1) / 2;
  return pairs;
}

}  // namespace fogline::stream
