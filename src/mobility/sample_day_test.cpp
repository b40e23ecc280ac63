// SPDX-License-Identifier: Apache-2.0
#include "mobility/sample_day.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "geometry/geodesic.hpp"
#include "io/points_write.hpp"
#include "mobility/car_router.hpp"
#include "mobility/trips.hpp"

namespace fogline::mobility::sample_day_test {
namespace {

const roads::City& city() {
  static const roads::City made = roads::make_city(1);
  return made;
}

const SampleDay& day() {
  static const SampleDay made = make_sample_day(city(), {});
  return made;
}

TEST(SampleDay, IsTheSameForTheSameSeedWhateverTheThreads) {
  const std::string once =
      io::points_csv(make_sample_day(city(), {.users = 50, .parallel = {.threads = 1}}).points);
  const std::string again =
      io::points_csv(make_sample_day(city(), {.users = 50, .parallel = {.threads = 2}}).points);
  EXPECT_EQ(once, again);
  EXPECT_NE(once, io::points_csv(make_sample_day(city(), {.seed = 2, .users = 50}).points));
}

TEST(SampleDay, TripsRunForwardInTimeAtSpeedsCarsDrive) {
  const Trips trips = make_trips(day().points, {});
  EXPECT_GT(trips.size(), 2u * 2000);
  EXPECT_EQ(trips.one_point_trips, 0u);
  EXPECT_TRUE(trips.warnings.items().empty());
  for (std::size_t i = 0; i < trips.size(); ++i) {
    for (std::size_t p = trips.offset[i]; p + 1 < trips.offset[i + 1]; ++p) {
      const auto seconds = static_cast<double>(trips.t[p + 1] - trips.t[p]);
      ASSERT_GT(seconds, 0);
      ASSERT_LE(seconds, 15);
      const double metres =
          geometry::geodesic_m({trips.lon[p], trips.lat[p]}, {trips.lon[p + 1], trips.lat[p + 1]});
      ASSERT_LT(metres / seconds, 130 / 3.6);
    }
  }
}

TEST(SampleDay, EverybodyStartsAtHomeAndContinuesWhereTheyStopped) {
  const Trips trips = make_trips(day().points, {});
  std::map<std::uint32_t, std::size_t> last_point;
  for (std::size_t i = 0; i < trips.size(); ++i) {
    const std::size_t first = trips.offset[i];
    const geometry::LonLat start{trips.lon[first], trips.lat[first]};
    const auto found = last_point.find(trips.user[i]);
    if (found == last_point.end()) {
      const auto person = static_cast<std::size_t>(std::stoul(trips.user_name[trips.user[i]].substr(1)) - 1);
      ASSERT_EQ(start, city().network.position[day().home[person]]);
    } else {
      ASSERT_EQ(start, (geometry::LonLat{trips.lon[found->second], trips.lat[found->second]}));
      ASSERT_GT(trips.t[first], trips.t[found->second]);
    }
    last_point[trips.user[i]] = trips.offset[i + 1] - 1;
  }
}

TEST(SampleDay, DeparturesPeakInTheRushHours) {
  const Trips trips = make_trips(day().points, {});
  std::array<int, 48> leaving{};
  for (std::size_t i = 0; i < trips.size(); ++i) {
    const std::int64_t second = trips.t[trips.offset[i]] - sample_day_start;
    ASSERT_GE(second, 0);
    ASSERT_LT(second, 33 * 3600);
    ++leaving[static_cast<std::size_t>(second / 3600)];
  }
  for (const std::size_t peak : {7u, 8u, 17u}) {
    for (const std::size_t calm : {3u, 5u, 10u, 13u, 20u, 22u}) EXPECT_GT(leaving[peak], 2 * leaving[calm]);
  }
}

TEST(SampleDay, CommuterWaitsAtHomeAtHalfPastSeven) {
  const io::PointTable& row = day().commuter;
  ASSERT_EQ(row.size(), 1u);
  EXPECT_EQ(row.t[0], sample_day_start + 7 * 3600 + 1800);
  EXPECT_EQ(day().plan[day().commuter_user], DayPlan::day_worker);
  EXPECT_EQ((geometry::LonLat{row.lon[0], row.lat[0]}),
            city().network.position[day().home[day().commuter_user]]);
  EXPECT_EQ(io::points_csv(row).substr(0, 18), "user_id,t,lon,lat\n");
}

TEST(SampleDay, WorkersWorkNearerThanChance) {
  const auto works = [](std::size_t i) {
    return day().plan[i] == DayPlan::day_worker || day().plan[i] == DayPlan::night_worker;
  };
  const auto place = [](graph::VertexId v) { return city().network.position[v]; };
  double own = 0;
  double of_another = 0;
  const std::size_t people = day().home.size();
  for (std::size_t i = 0; i < people; ++i) {
    if (!works(i)) continue;
    std::size_t other = (i + 1) % people;
    while (!works(other)) other = (other + 1) % people;
    own += geometry::geodesic_m(place(day().home[i]), place(day().work[i]));
    of_another += geometry::geodesic_m(place(day().home[i]), place(day().work[other]));
  }
  EXPECT_LT(own, 0.85 * of_another);
}

TEST(SampleDay, StudentsGoToTheCampus) {
  std::size_t students = 0;
  for (std::size_t i = 0; i < day().plan.size(); ++i) {
    if (day().plan[i] != DayPlan::student) continue;
    ++students;
    double nearest_m = 1e9;
    for (const roads::CityArea& area : city().areas) {
      if (area.kind != roads::AreaKind::campus) continue;
      for (const geometry::LonLat& corner : area.outer) {
        nearest_m = std::min(nearest_m, geometry::geodesic_m(corner, city().network.position[day().work[i]]));
      }
    }
    ASSERT_LT(nearest_m, 150);
  }
  EXPECT_GT(students, 150u);
}

TEST(SampleDay, RefusesOptionsOutOfRange) {
  EXPECT_THROW(make_sample_day(city(), {.users = 0}), InvalidOption);
  EXPECT_THROW(make_sample_day(city(), {.users = 1'000'001}), InvalidOption);
  EXPECT_THROW(make_sample_day(city(), {.interval_s = 0}), InvalidOption);
  EXPECT_THROW(make_sample_day(roads::City{}, {}), InvalidOption);
}

//   0 --500 m residential-- 1
//    \__ 600 m motorway, 0 to 1 only
roads::RoadNetwork two_ways() {
  roads::RoadNetwork network;
  network.position = {{0, 0}, {0.005, 0}, {0.0025, 0.001}};
  network.roads = {{0, 1, 500'000, roads::RoadClass::residential, roads::Direction::both, {}},
                   {0, 2, 300'000, roads::RoadClass::motorway, roads::Direction::forward, {}},
                   {1, 2, 300'000, roads::RoadClass::motorway, roads::Direction::backward, {}}};
  return network;
}

TEST(CarRouter, TakesTheQuickestWayAndRespectsOneWayStreets) {
  const roads::RoadNetwork network = two_ways();
  CarRouter router(network);
  const auto there = router.route(0, 1, {});
  ASSERT_EQ(there.size(), 2u);
  EXPECT_EQ(there[0].road, 1u);
  EXPECT_TRUE(there[0].forward);
  EXPECT_EQ(there[1].road, 2u);
  EXPECT_FALSE(there[1].forward);
  const auto back = router.route(1, 0, {});
  ASSERT_EQ(back.size(), 1u);
  EXPECT_EQ(back[0].road, 0u);
  EXPECT_FALSE(back[0].forward);
  EXPECT_TRUE(router.route(1, 1, {}).empty());
}

TEST(CarRouter, FindsNoWayAgainstTheTraffic) {
  roads::RoadNetwork network = two_ways();
  network.roads.erase(network.roads.begin());
  CarRouter router(network);
  EXPECT_TRUE(router.route(1, 0, {}).empty());
  EXPECT_EQ(router.route(0, 1, {.taste_seed = 9}).size(), 2u);
}

}  // namespace
}  // namespace fogline::mobility::sample_day_test
