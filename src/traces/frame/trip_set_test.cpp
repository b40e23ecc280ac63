// SPDX-License-Identifier: Apache-2.0
#include "traces/frame/trip_set.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "io/points.hpp"
#include "mobility/trips.hpp"
#include "traces/frame/cell_grid.hpp"
#include "traces/frame/frame.hpp"

namespace fogline::traces::trip_set_test {
namespace {

constexpr auto beijing = "116.15,39.75,116.60,40.10";

Frame plane_frame() {
  return Frame::parse("100,200,1100,1200", Frame::Unit::metres);
}

/// Trips on a plane; with times if `t` has any.
mobility::Trips plane_trips(const std::vector<std::vector<std::pair<double, double>>>& trips,
                            const std::vector<std::int64_t>& t = {}) {
  mobility::Trips made;
  made.source = "made";
  made.plane = true;
  made.has_time = !t.empty();
  made.t = t;
  made.offset = {0};
  for (const auto& trip : trips) {
    for (const auto& [x, y] : trip) {
      made.lon.push_back(x);
      made.lat.push_back(y);
    }
    made.offset.push_back(made.lon.size());
  }
  return made;
}

TEST(TripSet, IsCutOffInTimeAndKeepsItsFirstSteps) {
  TripSet trips;
  const auto add = [&](const std::vector<std::int64_t>& times) {
    for (const std::int64_t t : times) {
      trips.point.push_back({static_cast<float>(t), 0});
      trips.t.push_back(t);
    }
    trips.end_trip();
  };
  add({100, 200, 300});
  add({50, 150, 350, 351, 900});  // 300 s are over after 350
  add({0, 400, 500});             // one long road: driven to its end
  add({0, 300});
  EXPECT_EQ(cut_off(trips, 300), 2U);
  EXPECT_EQ(trips.offset, (std::vector<std::uint64_t>{0, 3, 6, 8, 10}));
  EXPECT_EQ(trips.t, (std::vector<std::int64_t>{100, 200, 300, 50, 150, 350, 0, 400, 0, 300}));
  for (std::size_t p = 0; p < trips.t.size(); ++p)
    EXPECT_EQ(trips.point[p].x, static_cast<float>(trips.t[p]));
  trips.t.clear();
  EXPECT_EQ(cut_off(trips, 1), 0U);
}

TEST(Frame, OfMetresIsMeasuredFromItsCorner) {
  const Frame frame = plane_frame();
  EXPECT_EQ(frame.width_m(), 1000);
  EXPECT_EQ(frame.inward({150, 210}), (geometry::PointXY{50, 10}));
  EXPECT_EQ(frame.outward({50, 10}), (geometry::LonLat{150, 210}));
  EXPECT_EQ(frame.outward({-5, 5000}), (geometry::LonLat{100, 1200}));  // never outside
  EXPECT_TRUE(frame.contains(100, 1200));
  EXPECT_FALSE(frame.contains(99, 1200));
  EXPECT_EQ(Frame::parse(frame.text(), Frame::Unit::metres), frame);
}

TEST(Frame, OfDegreesGoesThereAndBack) {
  const Frame frame = Frame::parse(beijing, Frame::Unit::degrees);
  EXPECT_NEAR(frame.width_m(), 38'550, 200);
  EXPECT_NEAR(frame.height_m(), 38'860, 200);
  EXPECT_EQ(frame.text(), "116.15,39.75,116.6,40.1");
  EXPECT_TRUE(rc::check([&] {
    const double lon = 116.15 + *rc::gen::inRange(0, 450'001) * 1e-6;
    const double lat = 39.75 + *rc::gen::inRange(0, 350'001) * 1e-6;
    const geometry::PointXY there = frame.inward({lon, lat});
    const geometry::LonLat back = frame.outward(there);
    RC_ASSERT(there.x_m >= 0 && there.x_m <= frame.width_m() && there.y_m >= 0 &&
              there.y_m <= frame.height_m());
    RC_ASSERT(std::abs(back.lon - lon) < 1e-9);
    RC_ASSERT(std::abs(back.lat - lat) < 1e-9);
  }));
}

TEST(Frame, RefusesWhatIsNoArea) {
  for (const char* text : {"", "1,2,3", "1,2,3,4,5", "1,2,x,4", "3,2,1,4", "1,4,3,2", "1,2,1,4", "nan,0,1,1",
                           "0,0,inf,1", "0,0,1,91", "170,0,190,1", "0,0,30,10", "0,0,1e-7,1e-7"})
    EXPECT_THROW(Frame::parse(text, Frame::Unit::degrees), InvalidOption) << text;
  EXPECT_THROW(Frame::parse("0,0,2e6,10", Frame::Unit::metres), InvalidOption);
  EXPECT_THROW(Frame::parse("2e9,0,2.0001e9,10", Frame::Unit::metres), InvalidOption);
  EXPECT_NO_THROW(Frame::parse("-1000,-5,1000,5", Frame::Unit::metres));
}

TEST(TripSet, LeavesOutWhatLiesOutsideAndCountsIt) {
  Warnings warnings;
  const auto trips =
      plane_trips({{{100, 200}, {50, 200}, {1100, 1200}}, {{150, 250}, {0, 0}}, {{600, 600}, {700, 700}}});
  const TripSet set = trips_in_frame(trips, plane_frame(), {}, warnings);
  ASSERT_EQ(set.size(), 2U);
  EXPECT_EQ(set.trip(0)[0], (PlanePoint{0, 0}));
  EXPECT_EQ(set.trip(0)[1], (PlanePoint{1000, 1000}));
  EXPECT_EQ(set.trip(1)[1], (PlanePoint{600, 500}));
  EXPECT_FALSE(set.has_time());
  ASSERT_EQ(warnings.items().size(), 2U);
  EXPECT_EQ(warnings.items()[0].count, 2U);
  EXPECT_EQ(warnings.items()[1].count, 1U);
}

TEST(TripSet, EndsTripsAtTheBounds) {
  Warnings warnings;
  const auto trips = plane_trips({{{100, 200}, {200, 200}, {300, 200}, {400, 200}}, {{100, 200}, {900, 200}}},
                                 {0, 10, 20, 30, 0, 5});
  const TripSet by_length = trips_in_frame(trips, plane_frame(), {.max_length_m = 250}, warnings);
  ASSERT_EQ(by_length.size(), 1U);  // the second has one point left
  EXPECT_EQ(by_length.trip(0).size(), 3U);
  EXPECT_EQ(by_length.times(0).back(), 20);
  const TripSet by_time = trips_in_frame(trips, plane_frame(), {.max_duration_s = 10}, warnings);
  ASSERT_EQ(by_time.size(), 2U);
  EXPECT_EQ(by_time.trip(0).size(), 2U);
}

TEST(TripSet, RefusesOtherUnitsAndNothing) {
  Warnings warnings;
  const auto trips = plane_trips({{{100, 200}, {200, 200}}});
  EXPECT_THROW(trips_in_frame(trips, Frame::parse(beijing, Frame::Unit::degrees), {}, warnings),
               InvalidOption);
  EXPECT_THROW(trips_in_frame(plane_trips({{{0, 0}, {1, 1}}}), plane_frame(), {}, warnings), DataError);
}

//   12 13 14 15      A walk drops repeats and fills gaps by a king's moves:
//    8  9 10 11      0 to 15 along the diagonal, 0 to 11 with one straight move among them.
//    4  5  6  7
//    0  1  2  3
TEST(CellGrid, WalksAsAKingMoves) {
  const CellGrid grid({.width_m = 400, .height_m = 400, .columns = 4, .rows = 4});
  std::vector<std::uint32_t> cells;
  grid.walk(std::vector<PlanePoint>{{10, 10}, {90, 90}, {350, 350}}, cells);
  EXPECT_EQ(cells, (std::vector<std::uint32_t>{0, 5, 10, 15}));
  grid.walk(std::vector<PlanePoint>{{10, 10}, {350, 250}}, cells);
  EXPECT_EQ(cells, (std::vector<std::uint32_t>{0, 5, 6, 11}));
  grid.walk(std::vector<PlanePoint>{{10, 10}, {110, 10}, {10, 10}}, cells);
  EXPECT_EQ(cells, (std::vector<std::uint32_t>{0, 1, 0}));
}

TEST(CellGrid, PutsPointsOutsideIntoTheNearestCell) {
  const CellGrid grid(
      {.west_m = 100, .south_m = 100, .width_m = 200, .height_m = 100, .columns = 2, .rows = 2});
  EXPECT_EQ(grid.cell_of({0, 0}), 0U);
  EXPECT_EQ(grid.cell_of({300, 200}), 3U);
  EXPECT_EQ(grid.cell_of({1e9F, 149}), 1U);
  EXPECT_THROW(CellGrid({.width_m = 0, .height_m = 1, .columns = 1, .rows = 1}), InvalidOption);
  EXPECT_THROW(CellGrid({.width_m = 1, .height_m = 1, .columns = 0, .rows = 1}), InvalidOption);
  EXPECT_THROW(CellGrid({.width_m = 1, .height_m = 1, .columns = 1, .rows = 10'001}), InvalidOption);
}

TEST(CellGrid, StepsOfAWalkAreMovesOfAKing) {
  const CellGrid grid({.width_m = 1000, .height_m = 700, .columns = 9, .rows = 13});
  EXPECT_TRUE(rc::check([&](const std::vector<std::pair<std::uint16_t, std::uint16_t>>& places) {
    std::vector<PlanePoint> trip;
    for (const auto& [x, y] : places)
      trip.push_back({static_cast<float>(x % 1100), static_cast<float>(y % 800)});
    std::vector<std::uint32_t> cells;
    grid.walk(trip, cells);
    RC_ASSERT(cells.empty() == trip.empty());
    if (trip.empty()) return;
    RC_ASSERT(cells.front() == grid.cell_of(trip.front()));
    RC_ASSERT(cells.back() == grid.cell_of(trip.back()));
    for (std::size_t i = 1; i < cells.size(); ++i) {
      const int dx = std::abs(static_cast<int>(cells[i] % 9) - static_cast<int>(cells[i - 1] % 9));
      const int dy = std::abs(static_cast<int>(cells[i] / 9) - static_cast<int>(cells[i - 1] / 9));
      RC_ASSERT(std::max(dx, dy) == 1);
    }
  }));
}

TEST(TripSet, BeginsOnTheFirstDay) {
  TripSet set;
  set.point.resize(7);
  set.offset = {0, 2, 4, 7};
  set.t = {-100, 50, 86'400 * 3 + 5, 86'400 * 3 + 6, 10, 500, 1010};
  begin_on_first_day(set);
  EXPECT_EQ(set.t, (std::vector<std::int64_t>{86'300, 86'450, 5, 6, 10, 500, 1010}));
  TripSet untimed;
  untimed.point.resize(2);
  untimed.end_trip();
  begin_on_first_day(untimed);
  EXPECT_FALSE(untimed.has_time());
}

}  // namespace
}  // namespace fogline::traces::trip_set_test
