// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/parallel.hpp"
#include "traces/frame/trip_set.hpp"
#include "traces/roads/driving_map.hpp"

namespace fogline::traces {

/// Defaults were chosen, not derived: ways near the trips that were invented, which a driver might have taken.
struct RoadTripOptions {
  std::uint32_t most_anchors = 12;  ///< places of a trip that its way must pass, 2 to 100
  double near_m = 100;  ///< how far a trip's points may lie from the line through its anchors; above 0
  double longest_detour =
      1.3;  ///< anchors are dropped where the way gets longer than the trip times this; at least 1
  double longest_loop_m = 500;  ///< shorter ways back to the same junction are cut out; at least 0
  double most_over_free = 1.3;  ///< fastest drive, as a multiple of the speed on the empty road; above 0
  ParallelOptions parallel = {};
};

struct RoadTrips {
  TripSet trips;
  double length_ratio = 0;            ///< length of all ways over that of the trips they follow
  std::uint64_t delayed_trips = 0;    ///< would have been driven too fast, and now take longer
  std::uint64_t dropped_anchors = 0;  ///< since the way through them was too long
};

/// Puts synthetic trips on roads: post-processing of a release, so it costs no privacy.
///
///     DrivingMap map(porto, frame, {.constraints = &rules});
///     RoadTrips driven = on_roads(trips, map, {});
///     legal_share(driven.trips, porto, frame, {});             // 1: traces/roads/legal_paths.hpp
///
/// A few anchors of a trip (its ends, and the points without which its line would stray) go to the nearest junctions, and the shortest legal ways join them. The trip has a point at each
/// junction and wherever the road bends, and its own duration, spread over the roads as an empty road would be driven, in whole seconds that rise from point to point; it takes longer where
/// that would be too fast, or where it has more points than seconds. A trip that begins and ends at one junction drives to the next.
/// Throws InvalidOption outside of the ranges. The same for any number of threads. Cost: about a quarter of a millisecond a trip in a city.
RoadTrips on_roads(const TripSet& skeleton, const DrivingMap& map, const RoadTripOptions& options);

}  // namespace fogline::traces
