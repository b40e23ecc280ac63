// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "traces/frame/trip_set.hpp"

namespace fogline::traces {

/// The shape of one trip in numbers.
///
///     double far = length_m(set.trip(i));      // along its points
///     double wide = diameter_m(set.trip(i));   // the largest distance of two of its points

double distance_m(const PlanePoint& a, const PlanePoint& b);
double length_m(std::span<const PlanePoint> trip);

/// Cost: every pair of up to 32 points; of more, the corners of their convex hull.
double diameter_m(std::span<const PlanePoint> trip);

/// The angle between the way from a to b and the way from b to c, 0 (straight on) to 180 degrees (back); -1 if either way has no length.
double turn_degrees(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c);

}  // namespace fogline::traces
