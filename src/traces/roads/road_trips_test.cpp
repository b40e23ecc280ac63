// SPDX-License-Identifier: Apache-2.0
#include "traces/roads/road_trips.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/testing.hpp"
#include "geometry/bounding_box.hpp"
#include "random/key.hpp"
#include "roads/read_network.hpp"
#include "traces/roads/legal_paths.hpp"
#include "traces/rules/enforce.hpp"

namespace fogline::traces::road_trips_test {
namespace {

using roads::Direction;

/// A frame with some room round a network.
Frame roads_frame(const roads::RoadNetwork& network) {
  const geometry::BoundingBox box = geometry::bounding_box(network.position);
  return Frame::parse(fmt::format("{},{},{},{}", box.south_west.lon - 0.001, box.south_west.lat - 0.001,
                                  box.north_east.lon + 0.001, box.north_east.lat + 0.001),
                      Frame::Unit::degrees);
}

/// Ten by ten junctions, 200 m apart.
roads::RoadNetwork roads_town() {
  return roads::read_network("lattice:10x10:1800");
}

PlanePoint roads_at(const roads::RoadNetwork& network, const Frame& frame, std::size_t vertex,
                    double aside_m = 0) {
  const geometry::PointXY p = frame.inward(network.position[vertex]);
  return {static_cast<float>(p.x_m + aside_m), static_cast<float>(p.y_m + aside_m)};
}

TripSet roads_trip(const std::vector<PlanePoint>& points, std::int64_t seconds) {
  TripSet set;
  set.point = points;
  for (std::size_t i = 0; i < points.size(); ++i)
    set.t.push_back(1000 +
                    seconds * static_cast<std::int64_t>(i) / static_cast<std::int64_t>(points.size() - 1));
  set.end_trip();
  return set;
}

double roads_length(std::span<const PlanePoint> trip) {
  double length = 0;
  for (std::size_t i = 1; i < trip.size(); ++i)
    length += std::hypot(trip[i].x - trip[i - 1].x, trip[i].y - trip[i - 1].y);
  return length;
}

TripSet roads_wandering(const Frame& frame, std::size_t trips, std::uint64_t seed) {
  random::Stream dice = random::SeededKey(seed).stream("wander");
  const auto share = [&] { return static_cast<double>(dice.below(1'000'000)) / 1e6; };
  TripSet set;
  for (std::size_t i = 0; i < trips; ++i) {
    double x = share() * frame.width_m(), y = share() * frame.height_m(), angle = share() * 6.28;
    for (int k = 0; k < 20; ++k) {
      set.point.push_back({static_cast<float>(x), static_cast<float>(y)});
      set.t.push_back(static_cast<std::int64_t>(i) * 977 + k * 15);
      angle += share() - 0.5;
      x = std::clamp(x + 100 * std::cos(angle), 0.0, frame.width_m());
      y = std::clamp(y + 100 * std::sin(angle), 0.0, frame.height_m());
    }
    set.end_trip();
  }
  return set;
}

TEST(RoadTrips, FollowTheStreetsNextToThem) {
  const roads::RoadNetwork town = roads_town();
  const Frame frame = roads_frame(town);
  const DrivingMap map(town, frame, {});
  EXPECT_EQ(map.vertex_count(), 100u);
  EXPECT_EQ(map.arc_count(), 360u);
  // Three blocks along the first row, 30 m beside it.
  const TripSet skeleton = roads_trip({roads_at(town, frame, 0, 30), roads_at(town, frame, 3, 30)}, 300);
  const RoadTrips driven = on_roads(skeleton, map, {});
  ASSERT_EQ(driven.trips.size(), 1u);
  EXPECT_EQ(driven.trips.point.size(), 4u);
  EXPECT_NEAR(roads_length(driven.trips.point), 600, 1);
  EXPECT_EQ(driven.trips.t, (std::vector<std::int64_t>{1000, 1100, 1200, 1300}));
  EXPECT_EQ(driven.delayed_trips, 0u);
  EXPECT_EQ(legal_share(driven.trips, town, frame, {}), 1);
  EXPECT_EQ(legal_share(skeleton, town, frame, {}), 0);
}

TEST(RoadTrips, KeepToOneWayStreetsAndKnowWhatIsNot) {
  roads::RoadNetwork town = roads_town();
  const Frame frame = roads_frame(town);
  for (roads::Road& road : town.roads)
    if (road.tail < 10 && road.head < 10) road.direction = Direction::forward;  // the first row leads one way
  const TripSet with = roads_trip({roads_at(town, frame, 1), roads_at(town, frame, 4)}, 300);
  const TripSet against = roads_trip({roads_at(town, frame, 4), roads_at(town, frame, 1)}, 300);
  EXPECT_EQ(legal_share(with, town, frame, {}), 1);
  EXPECT_EQ(legal_share(against, town, frame, {}), 0);
  const DrivingMap map(town, frame, {});
  const RoadTrips driven = on_roads(against, map, {});
  EXPECT_EQ(legal_share(driven.trips, town, frame, {}), 1);
  EXPECT_NEAR(roads_length(driven.trips.point), 1000, 2);
}

TEST(RoadTrips, AreDelayedRatherThanTooFast) {
  const roads::RoadNetwork town = roads_town();
  const Frame frame = roads_frame(town);
  const RoadTrips driven = on_roads(roads_trip({roads_at(town, frame, 0), roads_at(town, frame, 9)}, 10),
                                    DrivingMap(town, frame, {}), {});
  EXPECT_EQ(driven.delayed_trips, 1u);
  // 1,800 m of residential streets: 27 km/h when empty, and at most 1.3 times that.
  EXPECT_GE(driven.trips.t.back() - driven.trips.t.front(), 184);
  for (std::size_t i = 1; i < driven.trips.point.size(); ++i) {
    const double seconds = static_cast<double>(driven.trips.t[i] - driven.trips.t[i - 1]);
    EXPECT_LE(roads_length(std::span(driven.trips.point).subspan(i - 1, 2)) / seconds, 27 / 3.6 * 1.3 + 1e-3);
  }
}

TEST(RoadTrips, ATripOnOneSpotDrivesToTheNextJunction) {
  const roads::RoadNetwork town = roads_town();
  const Frame frame = roads_frame(town);
  const PlanePoint here = roads_at(town, frame, 55, 5);
  const RoadTrips driven = on_roads(roads_trip({here, here, here}, 60), DrivingMap(town, frame, {}), {});
  EXPECT_EQ(driven.trips.point.size(), 2u);
  EXPECT_EQ(legal_share(driven.trips, town, frame, {}), 1);
}

TEST(RoadTrips, SpursAreCutAndRoundTripsKept) {
  const roads::RoadNetwork town = roads_town();
  const Frame frame = roads_frame(town);
  const DrivingMap map(town, frame, {});
  // One block aside and back again: 400 m that nobody drives.
  const TripSet spur =
      roads_trip({roads_at(town, frame, 0), roads_at(town, frame, 14), roads_at(town, frame, 8)}, 900);
  const RoadTrips straight = on_roads(spur, map, {});
  EXPECT_LE(roads_length(straight.trips.point), 2010);
  const TripSet round =
      roads_trip({roads_at(town, frame, 0), roads_at(town, frame, 5), roads_at(town, frame, 55),
                  roads_at(town, frame, 50), roads_at(town, frame, 0)},
                 2000);
  EXPECT_NEAR(roads_length(on_roads(round, map, {}).trips.point), 4000, 5);
}

TEST(RoadTrips, AvoidWhatIsClosedAndStayLegal) {
  const roads::RoadNetwork town = roads_town();
  const Frame frame = roads_frame(town);
  Rule closed, one_way{.kind = RuleKind::one_way}, speed{.kind = RuleKind::speed, .everywhere = true};
  const auto corner = roads_at(town, frame, 33, -50), end = roads_at(town, frame, 55, 50);
  closed.area = {geometry::box_area({corner.x, corner.y}, {end.x, end.y})};
  const auto low = roads_at(town, frame, 60, -50), high = roads_at(town, frame, 69, 50);
  one_way.area = {geometry::box_area({std::min(low.x, high.x), std::min(low.y, high.y)},
                                     {std::max(low.x, high.x), std::max(low.y, high.y)})};
  one_way.bearing_deg = 90;
  speed.speed_m_s = 5;
  const Constraints rules(frame, {closed, one_way, speed}, {});
  const DrivingMap map(town, frame, {.constraints = &rules});
  EXPECT_EQ(map.vertex_count(), 91u);
  RoadTrips driven = on_roads(roads_wandering(frame, 100, 3), map, {});
  const Violations found = count(driven.trips, rules);
  EXPECT_EQ(found.closed + found.one_way + found.crossings, 0u);
  const EnforcementReport report =
      enforce(driven.trips, rules, random::PublicKey("1"), {.move_points = false});
  EXPECT_EQ(report.after.hard(), 0u);
  EXPECT_EQ(report.replaced_trips, 0u);
  EXPECT_EQ(legal_share(driven.trips, town, frame, {}), 1);
}

TEST(RoadTrips, AreTheSameForAnyNumberOfThreads) {
  roads::RoadNetwork town = roads::read_network("lattice:30x30:3000");
  // Every third row and column leads one way, in turns.
  for (roads::Road& road : town.roads) {
    const std::uint32_t line = road.head == road.tail + 1 ? road.tail / 30 : road.tail % 30;
    if (line % 3 == 0) road.direction = line % 2 == 0 ? Direction::forward : Direction::backward;
  }
  const Frame frame = roads_frame(town);
  const DrivingMap map(town, frame, {});
  const TripSet skeleton = roads_wandering(frame, 150, 5);
  const RoadTrips one = on_roads(skeleton, map, {.parallel = {.threads = 1}});
  const RoadTrips two = on_roads(skeleton, map, {.parallel = {.threads = 2}});
  EXPECT_EQ(one.trips.point, two.trips.point);
  EXPECT_EQ(one.trips.t, two.trips.t);
  EXPECT_EQ(legal_share(one.trips, town, frame, {}), 1);
  EXPECT_LT(one.length_ratio, 1.4);
}

TEST(RoadTrips, RefuseOptionsOutOfRangeAndMapsWithoutRoads) {
  const roads::RoadNetwork town = roads_town();
  const Frame frame = roads_frame(town);
  const DrivingMap map(town, frame, {});
  const TripSet trip = roads_trip({{1, 1}, {2, 2}}, 5);
  EXPECT_THROW(on_roads(trip, map, {.most_anchors = 1}), InvalidOption);
  EXPECT_THROW(on_roads(trip, map, {.near_m = 0}), InvalidOption);
  EXPECT_THROW(on_roads(trip, map, {.longest_detour = 0.5}), InvalidOption);
  EXPECT_THROW(on_roads(trip, map, {.longest_loop_m = -1}), InvalidOption);
  EXPECT_THROW(on_roads(trip, map, {.most_over_free = 0}), InvalidOption);
  EXPECT_THROW(legal_share(trip, town, frame, {.tolerance_m = 0}), InvalidOption);
  EXPECT_THROW(legal_share(TripSet{}, town, frame, {}), InvalidOption);
  EXPECT_THROW(DrivingMap(town, Frame::parse("0,0,9,9", Frame::Unit::metres), {}), InvalidOption);
  EXPECT_THROW(DrivingMap(town, Frame::parse("100,50,100.1,50.1", Frame::Unit::degrees), {}), DataError);
}

TEST(RoadTrips, AreLegalOnARealMap) {
  const std::string map_file = testing_support::real_data("maps/monaco-2021.osm.pbf");
  if (!std::filesystem::exists(map_file)) GTEST_SKIP() << "skipped: no real data at " << map_file;
  const roads::RoadNetwork monaco = roads::read_network(map_file);
  const Frame frame = roads_frame(monaco);
  const DrivingMap map(monaco, frame, {});
  const RoadTrips driven = on_roads(roads_wandering(frame, 200, 11), map, {});
  EXPECT_EQ(legal_share(driven.trips, monaco, frame, {}), 1);
  // Backwards is another matter: many streets lead one way.
  TripSet back = driven.trips;
  for (std::size_t i = 0; i < back.size(); ++i)
    std::reverse(back.point.begin() + static_cast<std::ptrdiff_t>(back.offset[i]),
                 back.point.begin() + static_cast<std::ptrdiff_t>(back.offset[i + 1]));
  EXPECT_LT(legal_share(back, monaco, frame, {}), 0.5);
}

}  // namespace
}  // namespace fogline::traces::road_trips_test
