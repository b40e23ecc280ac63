// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/coordinates.hpp"
#include "mobility/car_router.hpp"
#include "random/stream.hpp"

namespace fogline::mobility {

/// A drive as a recorder would log it: where the car was, and when.
struct CarTrip {
  std::vector<std::int64_t> second;  ///< since midnight, rising
  std::vector<geometry::LonLat> place;
};

struct DriveOptions {
  std::int64_t leave_s = 0;       ///< since midnight
  std::uint32_t interval_s = 15;  ///< between points, at least 1
};

/// Drives a route, not empty: at the speed of each road, a little faster or slower, and slower on main roads in
/// the rush hours. The first point is the start, the last the goal, the others lie on the road between.
CarTrip drive_route(const roads::RoadNetwork& network, std::span<const RouteStep> route,
                    const DriveOptions& options, random::Stream& stream);

}  // namespace fogline::mobility
