// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "geometry/bounding_box.hpp"
#include "mobility/trips.hpp"

namespace fogline::mobility {

/// The parts of trips that lie within a box of degrees; a trip that leaves it and comes back becomes several. Names stay, and may repeat.
///
///     Trips city = inside(trips, {{116.15, 39.75}, {116.60, 40.10}});
///
/// Throws InvalidOption for trips on a plane, or a box with nothing in it.
Trips inside(const Trips& trips, const geometry::BoundingBox& box);

struct RegularSteps {
  std::int64_t step_s = 0;  ///< seconds between two points, 1 to 10^6; 0: points stay as they are
  std::int64_t gap_s = 0;   ///< a longer gap between two points starts a new trip; 0: never
};

/// The last position at each step of so many seconds, counted from a trip's first point. After a gap longer than gap_s a new trip begins.
///
///     Trips minutes = at_regular_steps(trips, {.step_s = 60, .gap_s = 600});
///
/// Throws InvalidOption for trips without times, options out of range, steps without a gap (a week's pause would become thousands of
/// points), or a gap below the step. Cost: linear in the points given and made.
Trips at_regular_steps(const Trips& trips, const RegularSteps& options);

}  // namespace fogline::mobility
