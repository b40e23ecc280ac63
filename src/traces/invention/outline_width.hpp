// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include "traces/frame/trip_set.hpp"

namespace fogline::traces {

/// The two nodes of an outline that are farthest apart.
struct Width {
  std::size_t first = 0, second = 0;
  float square = 0;

  float metres() const { return std::sqrt(square); }

  /// Looks at node k and those before `end`. Squares are compared as the whole numbers that their bits are, which is
  /// the same order for what is not below zero, and several at a time.
  void widen(std::span<const PlanePoint> trip, std::size_t k, std::size_t end) {
    const auto square_to = [&](std::size_t j) {
      const float dx = trip[k].x - trip[j].x, dy = trip[k].y - trip[j].y;
      return std::bit_cast<std::int32_t>(dx * dx + dy * dy);
    };
    std::int32_t most = 0;
    for (std::size_t j = 0; j < end; ++j) most = std::max(most, square_to(j));
    if (std::bit_cast<float>(most) <= square) return;
    std::size_t j = 0;
    while (j + 1 < end && square_to(j) != most) ++j;
    *this = {j, k, std::bit_cast<float>(most)};
  }
};

inline Width width_of(std::span<const PlanePoint> trip) {
  Width width;
  for (std::size_t k = 1; k < trip.size(); ++k) width.widen(trip, k, k);
  return width;
}

}  // namespace fogline::traces
