// SPDX-License-Identifier: Apache-2.0
#include "stream/policy/group_shapes.hpp"

#include <cstdint>
#include <unordered_map>

namespace fogline::stream {
namespace {

using Group = std::span<const std::uint32_t>;

std::uint64_t shape_hash(Group group, const geometry::LatticePoints& points) {
  std::uint64_t hash = group.size();
  const auto first = points[group.front()];
  for (const std::uint32_t member : group.subspan(1)) {
    const auto point = points[member];
    for (std::size_t j = 0; j < points.dimension; ++j)
      hash = (hash ^ static_cast<std::uint64_t>(point[j] - first[j])) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 29;
  }
  return hash;
}

bool same_shape(Group a, Group b, const geometry::LatticePoints& points) {
  if (a.size() != b.size()) return false;
  const auto first_a = points[a.front()], first_b = points[b.front()];
  for (std::size_t i = 1; i < a.size(); ++i) {
    const auto point_a = points[a[i]], point_b = points[b[i]];
    for (std::size_t j = 0; j < points.dimension; ++j) {
      if (point_a[j] - first_a[j] != point_b[j] - first_b[j]) return false;
    }
  }
  return true;
}

}  // namespace

std::vector<std::size_t> distinct_shapes(const GroupList& groups, const geometry::LatticePoints& points) {
  std::unordered_map<std::uint64_t, std::size_t> known;
  std::vector<std::size_t> distinct;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto [place, is_new] = known.emplace(shape_hash(groups[i], points), i);
    // Two shapes of one hash: the second stands for itself each time, which costs time only.
    if (is_new || !same_shape(groups[i], groups[place->second], points)) distinct.push_back(i);
  }
  return distinct;
}

}  // namespace fogline::stream
