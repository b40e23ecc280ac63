// SPDX-License-Identifier: Apache-2.0
#include "traces/make_trips.hpp"

#include <utility>

#include "traces/roads/road_trips.hpp"

namespace fogline::traces {
namespace {

std::function<bool(const PlanePoint&)> open_ground(const TripRules& rules) {
  if (!rules.constraints) return {};
  return [obeyed = rules.constraints.get()](const PlanePoint& p) { return obeyed->allowed(p); };
}

void put_on_roads(MadeTrips& made, const DrivingMap& map, const MakeOptions& options) {
  RoadTrips driven = on_roads(made.trips, map, {.parallel = options.parallel});
  made.trips = std::move(driven.trips);
  made.roads = {.length_ratio = driven.length_ratio,
                .delayed_trips = driven.delayed_trips,
                .dropped_anchors = driven.dropped_anchors};
}

}  // namespace

void TripRules::keep_to(const roads::RoadNetwork& network, const Frame& frame, Cost cost,
                        const ParallelOptions& parallel) {
  const auto map_obeying = [&](const Constraints* obeyed) {
    return std::make_unique<const DrivingMap>(
        network, frame, DrivingMap::Options{.constraints = obeyed, .parallel = parallel});
  };
  map = map_obeying(constraints.get());
  if (constraints && cost == Cost::told) free_map = map_obeying(nullptr);
}

std::uint64_t trips_to_make(const TraceTerms& terms, double noisy_trips) {
  const bool is_asked_for = terms.trips_to_make > 0 || terms.trips;
  return is_asked_for || noisy_trips <= static_cast<double>(most_uncalled_for) ? terms.trips_to_make
                                                                               : most_uncalled_for;
}

MadeTrips make_trips(const CountedTrips& counted, const TraceTerms& terms, const TripRules& rules,
                     const MakeOptions& options) {
  const random::PublicKey key = counted.key();
  const auto max_duration_s = static_cast<std::int64_t>(terms.max_duration_s);
  MadeTrips made{.trips = synthesise(counted.known, key,
                                     {.trips = trips_to_make(terms, counted.known.trips),
                                      .max_duration_s = max_duration_s,
                                      .open = open_ground(rules),
                                      .most_points = options.most_points,
                                      .parallel = options.parallel,
                                      .progress = options.progress})};
  const bool tells_cost = rules.constraints && (!rules.map || rules.free_map);
  TripSet before;  // as they would be without constraints
  if (tells_cost)
    before = rules.free_map ? on_roads(made.trips, *rules.free_map, {.parallel = options.parallel}).trips
                            : made.trips;
  if (rules.map) put_on_roads(made, *rules.map, options);
  if (rules.constraints) {
    made.obeyed = enforce(made.trips, *rules.constraints, key,
                          {.move_points = !rules.map, .parallel = options.parallel});
    if (tells_cost) made.cost = constraint_cost(before, made.trips, terms.frame);
  }
  begin_on_first_day(made.trips);
  made.cut_off = cut_off(made.trips, max_duration_s);
  return made;
}

}  // namespace fogline::traces
