// SPDX-License-Identifier: Apache-2.0
#include "traces/roads/road_trips.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace fogline::traces {
namespace {

using geometry::distance_m;
using geometry::PointXY;
using Arcs = std::vector<std::uint32_t>;

constexpr double always_allowed_m = 200;  // a trip over one junction may need that much
/// Until anchors are few enough they may lie so many times farther off: a few rounds, and not many fewer than allowed.
constexpr double wider_each_time = 1.5;
constexpr std::uint32_t most_anchors_allowed = 100;  // each takes a search for a way
/// Each takes several searches, so that this many are worth a thread's while.
constexpr unsigned fewest_drives_a_task = 64;

struct Driven {
  std::vector<PlanePoint> point;
  std::vector<std::int64_t> t;
  double skeleton_m = 0, way_m = 0;
  std::uint64_t dropped = 0;
  bool delayed = false;
};

/// One per thread: searches need memory of their own.
class Driver {
 public:
  Driver(const DrivingMap& map, const RoadTripOptions& options)
      : map_(map), options_(options), router_(map) {}

  Driven drive(std::span<const PlanePoint> trip, std::span<const std::int64_t> times) {
    Driven driven;
    const Arcs arcs = without_loops(way_along(trip, driven));
    for (const std::uint32_t arc : arcs) driven.way_m += map_.arc(arc).length_m;
    std::vector<PointXY> points = {map_.position(map_.arc(arcs.front()).tail)};
    std::vector<double> free_s = {0};
    std::vector<std::int64_t> least_s = {0};
    for (const std::uint32_t arc : arcs) add_arc(arc, points, free_s, least_s);
    for (const PointXY& p : points)
      driven.point.push_back({static_cast<float>(p.x_m), static_cast<float>(p.y_m)});
    if (!times.empty()) give_times(times.back() - times.front(), times.front(), free_s, least_s, driven);
    return driven;
  }

 private:
  struct Stop {
    std::uint32_t vertex = 0;
    double at_m = 0;  ///< along the trip
  };

  std::vector<Stop> stops_of(const std::vector<PointXY>& line) const {
    std::vector<double> at_m(line.size());
    for (std::size_t i = 1; i < line.size(); ++i) at_m[i] = at_m[i - 1] + distance_m(line[i - 1], line[i]);
    std::vector<std::uint32_t> anchors;
    double tolerance = options_.near_m;
    do {
      anchors = points_to_keep(line, tolerance);
      tolerance *= wider_each_time;
    } while (anchors.size() > options_.most_anchors);
    std::vector<Stop> stops;
    for (const std::uint32_t i : anchors) {
      const Stop stop{map_.nearest(line[i]), at_m[i]};
      if (stops.empty() || stops.back().vertex != stop.vertex) stops.push_back(stop);
    }
    // The end of the trip counts, whichever anchor found its junction first.
    stops.back().at_m = at_m.back();
    return stops;
  }

  double length_of(const Arcs& arcs) const {
    double length = 0;
    for (const std::uint32_t arc : arcs) length += map_.arc(arc).length_m;
    return length;
  }

  Arcs way_along(std::span<const PlanePoint> trip, Driven& driven) {
    std::vector<PointXY> line;
    for (const PlanePoint& p : trip) line.push_back({p.x, p.y});
    std::vector<Stop> stops = stops_of(line);
    driven.skeleton_m = stops.back().at_m;
    if (stops.size() == 1) return {map_.exits(stops[0].vertex).first};
    std::vector<Arcs> legs;
    std::vector<double> length;
    for (std::size_t i = 1; i < stops.size(); ++i) {
      legs.push_back(router_.route(stops[i - 1].vertex, stops[i].vertex));
      length.push_back(length_of(legs.back()));
    }
    drop_detours(stops, legs, length, driven);
    Arcs way;
    for (const Arcs& leg : legs) way.insert(way.end(), leg.begin(), leg.end());
    return way.empty() ? Arcs{map_.exits(stops[0].vertex).first} : way;
  }

  // Drops the anchor past which the way grows most beyond the trip, as long as the whole is too long.
  void drop_detours(std::vector<Stop>& stops, std::vector<Arcs>& legs, std::vector<double>& length,
                    Driven& driven) {
    const double most = options_.longest_detour * driven.skeleton_m + always_allowed_m;
    double whole = 0;
    for (const double leg : length) whole += leg;
    while (whole > most && stops.size() > 2) {
      std::size_t worst = 1;
      const auto excess = [&](std::size_t k) {
        return length[k - 1] + length[k] - (stops[k + 1].at_m - stops[k - 1].at_m);
      };
      for (std::size_t k = 2; k + 1 < stops.size(); ++k)
        if (excess(k) > excess(worst)) worst = k;
      const auto at = static_cast<std::ptrdiff_t>(worst);
      whole -= length[worst - 1] + length[worst];
      legs[worst - 1] = router_.route(stops[worst - 1].vertex, stops[worst + 1].vertex);
      length[worst - 1] = length_of(legs[worst - 1]);
      whole += length[worst - 1];
      legs.erase(legs.begin() + at);
      length.erase(length.begin() + at);
      stops.erase(stops.begin() + at);
      ++driven.dropped;
    }
  }

  Arcs without_loops(const Arcs& way) const {
    struct Passed {
      std::size_t arcs = 0;
      double at_m = 0;
    };
    std::unordered_map<std::uint32_t, Passed> passed;
    Arcs kept;
    double at_m = 0;
    passed[map_.arc(way.front()).tail] = {};
    for (const std::uint32_t arc : way) {
      kept.push_back(arc);
      at_m += map_.arc(arc).length_m;
      const std::uint32_t head = map_.arc(arc).head;
      const auto before = passed.find(head);
      if (before != passed.end() && before->second.arcs < kept.size() &&
          at_m - before->second.at_m <= options_.longest_loop_m) {
        for (std::size_t i = before->second.arcs; i + 1 < kept.size(); ++i)
          passed.erase(map_.arc(kept[i]).head);
        kept.resize(before->second.arcs);
        at_m = before->second.at_m;
      } else {
        passed[head] = {kept.size(), at_m};
      }
    }
    return kept.empty() ? way : kept;
  }

  void add_arc(std::uint32_t arc, std::vector<PointXY>& points, std::vector<double>& free_s,
               std::vector<std::int64_t>& least_s) const {
    const double per_metre = map_.arc(arc).length_m > 0 ? map_.arc(arc).time_s / map_.arc(arc).length_m : 0;
    std::size_t i = points.size();
    map_.append_points(arc, points);
    for (; i < points.size(); ++i) {
      const double seconds = distance_m(points[i - 1], points[i]) * per_metre;
      free_s.push_back(free_s.back() + seconds);
      // A second at least, so that times rise however near points lie.
      least_s.push_back(
          std::max<std::int64_t>(1, std::llround(std::ceil(seconds / options_.most_over_free))));
    }
  }

  void give_times(std::int64_t duration, std::int64_t start, const std::vector<double>& free_s,
                  const std::vector<std::int64_t>& least_s, Driven& driven) const {
    const double least = free_s.back() / options_.most_over_free;
    const double spread = std::max(static_cast<double>(duration), least);
    driven.t.push_back(start);
    for (std::size_t i = 1; i < free_s.size(); ++i) {
      const double share = free_s.back() > 0 ? free_s[i] / free_s.back() : 0;
      driven.t.push_back(
          std::max<std::int64_t>(start + std::llround(spread * share), driven.t.back() + least_s[i]));
    }
    driven.delayed = driven.t.back() - start > duration;
  }

  const DrivingMap& map_;
  const RoadTripOptions& options_;
  DrivingRouter router_;
};

void check(const RoadTripOptions& options) {
  if (options.most_anchors < 2 || options.most_anchors > most_anchors_allowed)
    throw InvalidOption("most_anchors", "must lie between 2 and 100");
  if (!(options.near_m > 0)) throw InvalidOption("near_m", "must be above 0");
  if (!(options.longest_detour >= 1)) throw InvalidOption("longest_detour", "must be at least 1");
  if (!(options.longest_loop_m >= 0)) throw InvalidOption("longest_loop_m", "must be at least 0");
  if (!(options.most_over_free > 0)) throw InvalidOption("most_over_free", "must be above 0");
}

}  // namespace

RoadTrips on_roads(const TripSet& skeleton, const DrivingMap& map, const RoadTripOptions& options) {
  check(options);
  std::vector<Driven> driven(skeleton.size());
  parallel_for(
      skeleton.size(),
      {options.parallel.threads, std::max<std::size_t>(options.parallel.grain, fewest_drives_a_task)},
      [&](std::size_t begin, std::size_t end) {
        Driver driver(map, options);
        for (std::size_t i = begin; i < end; ++i)
          driven[i] = driver.drive(skeleton.trip(i), skeleton.times(i));
      });
  RoadTrips result;
  result.trips.user = skeleton.user;
  double skeleton_m = 0, way_m = 0;
  for (const Driven& one : driven) {
    result.trips.point.insert(result.trips.point.end(), one.point.begin(), one.point.end());
    result.trips.t.insert(result.trips.t.end(), one.t.begin(), one.t.end());
    result.trips.end_trip();
    skeleton_m += one.skeleton_m;
    way_m += one.way_m;
    result.delayed_trips += one.delayed ? 1 : 0;
    result.dropped_anchors += one.dropped;
  }
  result.length_ratio = skeleton_m > 0 ? way_m / skeleton_m : 1;
  return result;
}

}  // namespace fogline::traces
