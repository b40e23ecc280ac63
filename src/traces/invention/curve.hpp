// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "traces/beliefs/beliefs.hpp"
#include "traces/frame/trip_set.hpp"
#include "traces/invention/quick_random.hpp"

namespace fogline::traces {

/// What a trip shall look like between its ends.
struct CurveShape {
  float length_m = 0, diameter_m = 0;
};

/// Draws ways between two ends: about as long and as wide as they shall be, with strides like those believed.
///
///     CurveDrawer drawer(beliefs, random);
///     drawer.draw(start, end, {.length_m = 9000, .diameter_m = 5000}, random, nodes);   // ends included
///
/// One may be used by many threads, each with its own random numbers. Cost: about 50 nanoseconds a node.
class CurveDrawer {
 public:
  CurveDrawer(const Beliefs& beliefs, QuickRandom& random);

  void draw(const PlanePoint& start, const PlanePoint& end, const CurveShape& shape, QuickRandom& random,
            std::span<PlanePoint> nodes) const;

  /// Likewise over these coarse cells, the first and the last being those of the ends; false, and nothing drawn, if
  /// that cannot be so short.
  bool draw_over(std::span<const std::uint16_t> cells, const PlanePoint& start, const PlanePoint& end,
                 const CurveShape& shape, QuickRandom& random, std::span<PlanePoint> nodes) const;

  float stride(QuickRandom& random) const { return strides_[random.below(table_size)]; }

 private:
  /// Of the tables that random numbers are looked up in: 16 KiB each, which caches hold.
  static constexpr std::uint32_t table_size = 4096, quarter_turn = table_size / 4;

  static constexpr std::size_t most_places = 26;  ///< CoarseWays::most_moves + 1 cells, and one to spare
  struct Route {
    std::size_t places = 1;
    std::array<PlanePoint, most_places> place;
    std::array<float, most_places> upto{};  ///< straight way from the start to each
  };
  Route draw_route(const PlanePoint& start, const PlanePoint& end, const CurveShape& shape,
                   QuickRandom& random) const;
  void draw_along(const Route& route, const CurveShape& shape, QuickRandom& random,
                  std::span<PlanePoint> nodes) const;
  PlanePoint turning_place(const PlanePoint& start, const PlanePoint& end, const CurveShape& shape,
                           QuickRandom& random) const;
  float visited(const PlanePoint& p) const;

  std::vector<float> strides_, normals_, cosines_, visits_;
  /// A fine cell with less than one in so many of its coarse cell's visits may have no place in the table.
  static constexpr std::uint32_t places_a_cell = 64;
  std::vector<std::uint16_t> places_;  // fine cells of each coarse one, rather where trips go
  std::uint32_t fine_;
  float width_, height_;
};

}  // namespace fogline::traces
