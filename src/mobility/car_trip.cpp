// SPDX-License-Identifier: Apache-2.0
#include "mobility/car_trip.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/geodesic.hpp"

namespace fogline::mobility {
namespace {

using geometry::LonLat;
using roads::RoadClass;

/// How fast traffic moves, in hundredths of the free speed.
std::uint64_t flow_percent(RoadClass road_class, std::int64_t second) {
  constexpr std::int64_t minute = 60;
  const std::int64_t at = second / minute % (24 * minute);
  const bool rush = (at >= 7 * 60 + 20 && at < 9 * 60) || (at >= 16 * 60 + 30 && at < 18 * 60 + 30);
  if (!rush) return 95;
  if (road_class <= RoadClass::primary) return 68;
  return road_class <= RoadClass::tertiary ? 78 : 90;
}

std::vector<LonLat> points_of(const roads::RoadNetwork& network, const RouteStep& step) {
  const roads::Road& road = network.roads[step.road];
  std::vector<LonLat> points{network.position[road.tail]};
  points.insert(points.end(), road.shape.begin(), road.shape.end());
  points.push_back(network.position[road.head]);
  if (!step.forward) std::reverse(points.begin(), points.end());
  return points;
}

/// The drive as corners with the moment each is passed.
struct Timeline {
  std::vector<LonLat> place;
  std::vector<double> second;
};

Timeline time_route(const roads::RoadNetwork& network, std::span<const RouteStep> route,
                    const DriveOptions& options, random::Stream& stream) {
  Timeline timeline;
  double now = static_cast<double>(options.leave_s);
  for (const RouteStep& step : route) {
    const roads::Road& road = network.roads[step.road];
    const std::uint64_t percent =
        flow_percent(road.road_class, static_cast<std::int64_t>(now)) + stream.below(16) - 8;
    const double speed_m_s = free_speed_km_h(road.road_class) / 3.6 * static_cast<double>(percent) / 100;
    const std::vector<LonLat> points = points_of(network, step);
    if (timeline.place.empty()) {
      timeline.place.push_back(points.front());
      timeline.second.push_back(now);
    }
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      now += geometry::geodesic_m(points[i], points[i + 1]) / speed_m_s;
      timeline.place.push_back(points[i + 1]);
      timeline.second.push_back(now);
    }
  }
  return timeline;
}

LonLat between(LonLat a, LonLat b, double share) {
  // Seven decimals, as files hold them: a written trip reads back the same.
  const auto rounded = [](double degrees) { return std::round(degrees * 1e7) / 1e7; };
  return {rounded(a.lon + (b.lon - a.lon) * share), rounded(a.lat + (b.lat - a.lat) * share)};
}

}  // namespace

CarTrip drive_route(const roads::RoadNetwork& network, std::span<const RouteStep> route,
                    const DriveOptions& options, random::Stream& stream) {
  const Timeline timeline = time_route(network, route, options, stream);
  const auto arrival = static_cast<std::int64_t>(std::ceil(timeline.second.back()));
  CarTrip trip;
  std::size_t corner = 0;
  for (std::int64_t t = options.leave_s; t < arrival; t += options.interval_s) {
    const auto now = static_cast<double>(t);
    while (corner + 2 < timeline.second.size() && timeline.second[corner + 1] <= now) ++corner;
    const double from = timeline.second[corner];
    const double to = timeline.second[corner + 1];
    const double share = to > from ? std::clamp((now - from) / (to - from), 0.0, 1.0) : 1.0;
    trip.second.push_back(t);
    trip.place.push_back(between(timeline.place[corner], timeline.place[corner + 1], share));
  }
  trip.second.push_back(std::max(arrival, options.leave_s + 1));
  trip.place.push_back(timeline.place.back());
  return trip;
}

}  // namespace fogline::mobility
