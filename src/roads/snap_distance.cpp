// SPDX-License-Identifier: Apache-2.0
#include "roads/snap_distance.hpp"

#include <algorithm>

#include "base/int128.hpp"

namespace fogline::roads {

SnapDistance snap_distance(const graph::Graph& roads) {
  constexpr double mm_per_m = 1000;
  // In whole numbers, so that the order of the roads cannot show in the last digit.
  Uint128 squares = 0;
  std::uint64_t all_mm = 0;
  std::uint64_t longest_mm = 0;
  for (const graph::Edge& road : roads.edges()) {
    squares += static_cast<Uint128>(road.length_mm) * road.length_mm;
    all_mm += road.length_mm;
    longest_mm = std::max<std::uint64_t>(longest_mm, road.length_mm);
  }
  if (all_mm == 0) return {};
  // Each road's mean, L/4, weighed by its length L.
  return {.mean_m = static_cast<double>(squares) / static_cast<double>(all_mm) / 4 / mm_per_m,
          .largest_m = static_cast<double>(longest_mm) / 2 / mm_per_m};
}

}  // namespace fogline::roads
