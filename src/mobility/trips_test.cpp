// SPDX-License-Identifier: Apache-2.0
#include "mobility/trips.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "io/path_file.hpp"
#include "io/test_text.hpp"

namespace fogline::mobility::trips_test {
namespace {

using io::testing_text::message_of;
using io::testing_text::real_data;
using testing::ElementsAre;
using testing::HasSubstr;

Trips make(const std::string& csv, const TripOptions& options = {}) {
  auto source = io::TextSource::from_memory("t.csv", csv);
  return make_trips(io::read_points(source, {}), options);
}

TEST(Trips, GathersEachTripInTheOrderOfTheFile) {
  const Trips trips = make("trip,x_m,y_m\nb,1,0\na,2,0\nb,3,0\na,4,0\nb,5,0\n");
  EXPECT_THAT(trips.name, ElementsAre("b", "a"));
  EXPECT_THAT(trips.offset, ElementsAre(0, 3, 5));
  EXPECT_THAT(trips.lon, ElementsAre(1, 3, 5, 2, 4));
  EXPECT_EQ(trips.size(), 2U);
  EXPECT_EQ(trips.length(0), 3U);
  EXPECT_TRUE(trips.plane && trips.user.empty() && trips.t.empty());
}

TEST(Trips, UsersMayNumberTheirTripsAlike) {
  const Trips trips = make("trip,user,lon,lat\n1,ada,1,1\n1,bob,2,2\n2,ada,3,3\n1,ada,4,4\n");
  EXPECT_THAT(trips.name, ElementsAre("1", "1", "2"));
  EXPECT_THAT(trips.user, ElementsAre(0, 1, 0));
  EXPECT_THAT(trips.user_name, ElementsAre("ada", "bob"));
  EXPECT_EQ(trips.warnings.count("trip name of another user taken as a trip of its own"), 1U);
}

TEST(Trips, WithoutTripNamesAUserOrTheFileIsOneTrip) {
  EXPECT_THAT(make("user,lon,lat\na,1,1\nb,2,2\na,3,3\n").name, ElementsAre("a", "b"));
  EXPECT_THAT(make("lon,lat\n1,1\n2,2\n").offset, ElementsAre(0, 2));
}

TEST(Trips, PointsWithoutANameAreNobodysTrip) {
  EXPECT_THAT(message_of([] { make("trip,lon,lat\n1,1,1\n,2,2\n1,3,3\nNA,4,4\n"); }),
              HasSubstr("t.csv, line 3: 2 of 4 points name no trip"));
  EXPECT_THAT(message_of([] { make("trip,lon,lat\n,1,1\n,2,2\n"); }),
              HasSubstr("2 of 2 points name no trip"));
  EXPECT_THAT(message_of([] { make("trip,user,lon,lat\n,ada,1,1\n,bob,2,2\n"); }), HasSubstr("name no trip"));
  EXPECT_THAT(message_of([] { make("user,lon,lat\nada,1,1\n,2,2\n"); }),
              HasSubstr("t.csv, line 3: 1 of 2 points name no user, nor a trip"));
}

TEST(Trips, OneTripUnderTwoNamesIsRefused) {
  EXPECT_THAT(message_of([] { make("trip,lon,lat\n7,1,1\n8,1,1\n7.0,2,2\n"); }),
              HasSubstr("t.csv, line 4: a trip is named as one above, spelled otherwise"));
  EXPECT_THAT(message_of([] { make("trip,user,lon,lat\na,7,1,1\na,07,2,2\n"); }),
              HasSubstr("spelled otherwise"));
  EXPECT_THAT(message_of([] { make("trip,user,lon,lat\na,ada,1,1\na,,2,2\n"); }),
              HasSubstr("t.csv, line 3: a trip has points that name a user and points that name none"));
  EXPECT_THAT(message_of([] { make("trip,user,lon,lat\na,,1,1\na,NA,2,2\nb,ada,1,1\n"); }),
              HasSubstr("a trip has points that name a user"));
  // Two people's trips may be 7 and 7.0, and trips of unknown people are trips.
  EXPECT_EQ(make("trip,user,lon,lat\n7,ada,1,1\n7.0,bob,2,2\n8,,1,1\n").size(), 3U);
}

TEST(Trips, UsersAreRequiredOfEachTrip) {
  EXPECT_NO_THROW(require_users(make("trip,user,lon,lat\n1,ada,1,1\n2,bob,2,2\n")));
  EXPECT_THAT(message_of([] {
                require_users(make("trip,user,lon,lat\n1,ada,1,1\n1,ada,1,1\n2,,2,2\n3,null,2,2\n"));
              }),
              HasSubstr("t.csv: 2 of 3 trips name no user"));
  EXPECT_THAT(message_of([] { require_users(make("trip,user,lon,lat\n1,7,1,1\n2,7.0,2,2\n")); }),
              HasSubstr("1 user is named as another is, spelled otherwise"));
  EXPECT_THAT(message_of([] {
                require_users(make("trip,x_m,y_m\n0,1,0\n1,2,0\n", {.users = {"a", "NA"}}));
              }),
              HasSubstr("1 of 2 trips name no user"));
}

TEST(Trips, TimeRunningBackwardsIsRefusedSortedOrKept) {
  const std::string csv = "trip,t,x_m,y_m\na,10,1,0\na,30,2,0\na,20,3,0\n";
  EXPECT_THAT(message_of([&] { make(csv); }), HasSubstr("t.csv, line 4: the time runs backwards"));
  const Trips sorted = make(csv, {.backwards = TimeBackwards::sort});
  EXPECT_THAT(sorted.t, ElementsAre(10, 20, 30));
  EXPECT_THAT(sorted.lon, ElementsAre(1, 3, 2));
  EXPECT_EQ(sorted.warnings.count("trip with time running backwards put in order of time"), 1U);
  const Trips kept = make(csv, {.backwards = TimeBackwards::keep});
  EXPECT_THAT(kept.t, ElementsAre(10, 30, 20));
  EXPECT_EQ(kept.warnings.count("trip with time running backwards kept as it is"), 1U);
}

TEST(Trips, CountsTripsOfOnePointAndJumps) {
  // 0.001 degrees of latitude are 111 m: 11 m/s in ten seconds, 111 m/s in one.
  const Trips trips = make("trip,t,lon,lat\na,0,0,0\na,10,0,0.001\na,11,0,0.002\nb,0,0,0\n");
  EXPECT_EQ(trips.one_point_trips, 1U);
  EXPECT_EQ(trips.jumps, 1U);
  EXPECT_EQ(trips.warnings.count("jump within a trip kept"), 1U);
  EXPECT_EQ(trips.warnings.count("trip of one point kept"), 1U);
  EXPECT_EQ(make("trip,x_m,y_m\na,0,0\na,30,40\na,0,0\n", {.max_step_m = 49}).jumps, 2U);
  EXPECT_EQ(make("trip,x_m,y_m\na,0,0\na,30,40\n", {.max_step_m = 50}).jumps, 0U);
}

TEST(Trips, AreTheSameWhetherPointsAreCopiedOrTakenOver) {
  for (const std::string csv : {"trip,t,lon,lat\na,0,0,0\na,10,0,0.001\na,11,0,0.002\nb,0,0,0\n",  // in order
                                "trip,t,lon,lat\na,0,0,0\nb,5,1,1\na,10,0,0.001\nb,6,1,1.1\n"}) {  // not
    auto source = io::TextSource::from_memory("t.csv", csv);
    const io::PointTable points = io::read_points(source, {});
    const Trips copied = make_trips(points, {}), taken = make_trips(io::PointTable(points), {});
    EXPECT_EQ(copied.lon, taken.lon);
    EXPECT_EQ(copied.lat, taken.lat);
    EXPECT_EQ(copied.t, taken.t);
    EXPECT_EQ(copied.offset, taken.offset);
    EXPECT_EQ(copied.name, taken.name);
    ASSERT_EQ(copied.warnings.items().size(), taken.warnings.items().size());
    for (std::size_t i = 0; i < copied.warnings.items().size(); ++i)
      EXPECT_EQ(to_string(copied.warnings.items()[i]), to_string(taken.warnings.items()[i]));
  }
  auto source = io::TextSource::from_memory("t.csv", "trip,t,lon,lat\na,9,0,0\na,1,0,0.001\n");
  EXPECT_THROW(make_trips(io::read_points(source, {}), {}), DataError);
}

TEST(Trips, TheDateLineIsNoJump) {
  EXPECT_EQ(make("trip,t,lon,lat\na,0,179.9999,0\na,1,-179.9999,0\n").jumps, 0U);
}

TEST(Trips, UsersCanBeGiven) {
  const Trips trips = make("trip,x_m,y_m\n0,1,0\n1,2,0\n2,3,0\n", {.users = {"a", "b", "a"}});
  EXPECT_THAT(trips.user, ElementsAre(0, 1, 0));
  EXPECT_THAT(trips.user_name, ElementsAre("a", "b"));
  EXPECT_THROW(make("trip,x_m,y_m\n0,1,0\n", {.users = {"a", "b"}}), InvalidOption);
  EXPECT_THROW(make("trip,user,x_m,y_m\n0,u,1,0\n", {.users = {"a"}}), InvalidOption);
}

TEST(Trips, BadLimitsAreRefused) {
  EXPECT_THROW(make("lon,lat\n1,1\n", {.max_speed_m_s = 0}), InvalidOption);
  EXPECT_THROW(make("lon,lat\n1,1\n", {.max_step_m = -1}), InvalidOption);
}

TEST(Trips, NoPointIsLostOrMoved) {
  EXPECT_TRUE(rc::check([](const std::vector<std::uint8_t>& trip_of) {
    RC_PRE(!trip_of.empty());
    std::string csv = "trip,x_m,y_m\n";
    for (std::size_t i = 0; i < trip_of.size(); ++i) {
      csv += std::to_string(trip_of[i] % 8) + "," + std::to_string(i) + ",0\n";
    }
    const Trips trips = make(csv);
    std::size_t seen = 0;
    for (std::size_t trip = 0; trip < trips.size(); ++trip) {
      RC_ASSERT(trips.length(trip) > 0);
      for (std::size_t p = trips.offset[trip]; p < trips.offset[trip + 1]; ++p, ++seen) {
        RC_ASSERT(std::to_string(trip_of[static_cast<std::size_t>(trips.lon[p])] % 8) == trips.name[trip]);
        if (p > trips.offset[trip])
          RC_ASSERT(trips.lon[p - 1] < trips.lon[p]);  // RC_ASSERT evaluates both sides of ||
      }
    }
    RC_ASSERT(seen == trip_of.size());
  }));
}

TEST(Trips, ReadsTaxisOfRealLife) {
  const std::string file = real_data("traces/tdrive599_taxi_m.dat.gz");
  FOGLINE_NEEDS_REAL_DATA(file);
  const io::PathFile taxis = io::read_path(real_data("traces/tdrive599_users.txt.gz"));
  const Trips trips = make_trips(io::read_points(file, {}), {.users = taxis.vertex});
  EXPECT_EQ(trips.size(), 14'448U);
  EXPECT_EQ(trips.point_count(), 467'374U);
  EXPECT_EQ(trips.user_name.size(), 556U);
}

}  // namespace
}  // namespace fogline::mobility::trips_test
