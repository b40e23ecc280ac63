// SPDX-License-Identifier: Apache-2.0
#include "traces/rules/enforce.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "traces/rules/constraint_cost.hpp"

namespace fogline::traces::enforce_test {
namespace {

using geometry::PointXY;
using geometry::Polygons;

Frame enforce_plane() {
  return Frame::parse("0,0,1000,1000", Frame::Unit::metres);
}

Polygons enforce_box(double west, double south, double east, double north) {
  return {geometry::box_area({west, south}, {east, north})};
}

Constraints enforce_rules(std::vector<Rule> rules, bool timed = true, const Frame& frame = enforce_plane()) {
  return Constraints(frame, std::move(rules), {.timed = timed});
}

TripSet enforce_trip(const std::vector<PlanePoint>& points, const std::vector<std::int64_t>& times = {}) {
  TripSet set;
  set.point = points;
  set.t = times;
  set.end_trip();
  return set;
}

const random::PublicKey enforce_key("7");

TEST(Enforce, LeavesTripsThatObeyAsTheyAre) {
  const Constraints rules = enforce_rules({{.area = enforce_box(400, 400, 600, 600)}}, false);
  TripSet trips = enforce_trip({{100, 100}, {0, 0}, {1000, 0}, {1000, 1000}});
  const TripSet before = trips;
  const EnforcementReport report = enforce(trips, rules, enforce_key, {});
  EXPECT_EQ(trips.point, before.point);
  EXPECT_EQ(report.moved_trips, 0u);
  EXPECT_EQ(report.after, Violations{});
}

TEST(Enforce, LeadsARunRoundAClosedAreaOnItsShorterSide) {
  // Nearer to the south side of the square: the way leads there, past two corners.
  const Constraints rules = enforce_rules({{.area = enforce_box(400, 400, 600, 600)}}, false);
  TripSet trips = enforce_trip({{200, 450}, {350, 450}, {450, 450}, {550, 450}, {650, 450}, {800, 450}});
  const EnforcementReport report = enforce(trips, rules, enforce_key, {});
  EXPECT_EQ(report.before.closed, 2u);
  EXPECT_EQ(report.after.hard(), 0u);
  EXPECT_EQ(report.after.crossings, 0u);
  EXPECT_EQ(report.moved_trips, 1u);
  EXPECT_EQ(report.moved_points, 2u);
  EXPECT_EQ(report.added_points, 2u);
  ASSERT_EQ(trips.point.size(), 8u);
  EXPECT_NEAR(trips.point[2].x, 399, 1e-3);
  EXPECT_NEAR(trips.point[2].y, 399, 1e-3);
  for (const std::size_t moved : {3u, 4u}) {
    EXPECT_NEAR(trips.point[moved].y, 399, 1e-3);
    EXPECT_NEAR(trips.point[moved].x, moved == 3 ? 450 : 550, 20);
  }
  EXPECT_NEAR(trips.point[5].x, 601, 1e-3);
  EXPECT_NEAR(report.largest_move_m, 51, 4);
}

TEST(Enforce, ATripThatCameFarStillComesNear) {
  const Constraints rules = enforce_rules({{.area = enforce_box(800, 800, 900, 900)}}, false);
  TripSet trips = enforce_trip({{100, 100}, {850, 850}, {100, 120}});
  const EnforcementReport report = enforce(trips, rules, enforce_key, {});
  EXPECT_EQ(report.after.hard() + report.after.crossings, 0u);
  EXPECT_LT(report.largest_move_m, 80);
}

TEST(Enforce, PointsThatAreAddedGetSecondsOfTheirOwn) {
  for (const bool timed : {false, true}) {
    const Constraints rules = enforce_rules({{.area = enforce_box(400, 400, 600, 600)}}, timed);
    TripSet trips = enforce_trip({{300, 420}, {700, 420}, {800, 420}}, {0, 1, 2});
    const EnforcementReport report = enforce(trips, rules, enforce_key, {});
    EXPECT_EQ(report.added_points, 2u);
    EXPECT_EQ(report.delayed_trips, 1u);
    EXPECT_EQ(trips.t, (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
  }
}

TEST(Enforce, AStepThatOnlyCrossesGetsCorners) {
  const Constraints rules = enforce_rules({{.area = enforce_box(400, 400, 600, 600)}}, true);
  TripSet trips = enforce_trip({{300, 420}, {700, 420}}, {0, 1000});
  const EnforcementReport report = enforce(trips, rules, enforce_key, {});
  EXPECT_EQ(report.before.crossings, 1u);
  EXPECT_EQ(report.after.crossings, 0u);
  ASSERT_EQ(trips.point.size(), 4u);
  EXPECT_EQ(report.added_points, 2u);
  EXPECT_EQ(trips.t.front(), 0);
  EXPECT_EQ(trips.t.back(), 1000);
  EXPECT_NEAR(static_cast<double>(trips.t[1]), 250, 3);
  EXPECT_NEAR(static_cast<double>(trips.t[2]), 750, 3);
}

TEST(Enforce, PutsOutOfBoundsPointsBack) {
  const Constraints rules =
      enforce_rules({{.kind = RuleKind::bounds, .area = enforce_box(100, 100, 900, 900)}}, false);
  TripSet trips = enforce_trip({{50, 500}, {200, 500}, {950, 500}});
  const EnforcementReport report = enforce(trips, rules, enforce_key, {});
  EXPECT_EQ(report.before.outside, 2u);
  EXPECT_EQ(report.after.hard(), 0u);
  EXPECT_NEAR(trips.point[0].x, 101, 1e-3);
  EXPECT_NEAR(trips.point[2].x, 899, 1e-3);
}

TEST(Enforce, WhereThereIsNoWayRoundPointsStillObey) {
  // A wall from side to side: the two halves are not connected.
  const Constraints rules = enforce_rules({{.area = enforce_box(-10, 450, 1010, 550)}}, false);
  TripSet trips = enforce_trip({{500, 300}, {500, 480}, {500, 520}, {500, 700}});
  const EnforcementReport report = enforce(trips, rules, enforce_key, {});
  EXPECT_EQ(report.after.hard(), 0u);
  EXPECT_EQ(report.after.crossings, 1u);
  EXPECT_NEAR(trips.point[1].y, 449, 1e-3);
  EXPECT_NEAR(trips.point[2].y, 551, 1e-3);
}

TEST(Enforce, ShiftsATripOutOfClosedHoursByTheLeastThatHelps) {
  const Constraints rules =
      enforce_rules({{.area = enforce_box(400, 400, 600, 600), .hours = {{3600, 7200}}}});
  TripSet trips = enforce_trip({{300, 500}, {500, 500}, {550, 500}, {700, 500}}, {3500, 3700, 3800, 3900});
  EnforcementReport report = enforce(trips, rules, enforce_key, {});
  EXPECT_EQ(report.before.closed, 2u);
  EXPECT_EQ(report.after.hard(), 0u);
  EXPECT_EQ(report.shifted_trips, 1u);
  EXPECT_EQ(report.largest_shift_s, 201);  // the later of the two points must be gone by 3,600
  EXPECT_EQ(trips.t, (std::vector<std::int64_t>{3299, 3499, 3599, 3699}));
  EXPECT_EQ(report.moved_points, 0u);
  // Before the first midnight there is no time: a day later.
  const Constraints early = enforce_rules({{.area = enforce_box(400, 400, 600, 600), .hours = {{0, 7200}}}});
  trips = enforce_trip({{300, 500}, {500, 500}}, {0, 100});
  enforce(trips, early, enforce_key, {});
  EXPECT_EQ(trips.t, (std::vector<std::int64_t>{86'299, 86'399}));
  // Too far a shift: the points move instead.
  trips = enforce_trip({{300, 500}, {500, 500}, {550, 500}, {700, 500}}, {3500, 3700, 3800, 3900});
  report = enforce(trips, rules, enforce_key, {.longest_shift_s = 100});
  EXPECT_EQ(report.after.hard(), 0u);
  EXPECT_EQ(report.shifted_trips, 0u);
  EXPECT_EQ(report.moved_points, 2u);
}

TEST(Enforce, DelaysStepsOverALimitAndMakesUpForItUnderTheLimit) {
  const Constraints rules = enforce_rules({{.kind = RuleKind::speed, .everywhere = true, .speed_m_s = 10}});
  // 200 m in 10 s is twice too fast; the next 100 m had 100 s, so that the end comes on time.
  TripSet trips = enforce_trip({{0, 0}, {200, 0}, {300, 0}}, {0, 10, 110});
  const EnforcementReport report = enforce(trips, rules, enforce_key, {});
  EXPECT_EQ(report.before.speed, 1u);
  EXPECT_EQ(report.after.hard(), 0u);
  EXPECT_EQ(report.delayed_trips, 1u);
  EXPECT_EQ(trips.t, (std::vector<std::int64_t>{0, 21, 110}));
  const Constraints zone =
      enforce_rules({{.kind = RuleKind::speed, .area = enforce_box(0, 0, 250, 100), .speed_m_s = 10}});
  trips = enforce_trip({{0, 50}, {200, 50}, {400, 50}}, {0, 10, 20});
  enforce(trips, zone, enforce_key, {});
  EXPECT_EQ(trips.t, (std::vector<std::int64_t>{0, 21, 31}));
}

TEST(Enforce, AddsStopsAlsoWhereAStepOnlyCrosses) {
  const Constraints rules =
      enforce_rules({{.kind = RuleKind::stop, .area = enforce_box(400, 400, 600, 600), .seconds = 30}});
  TripSet trips =
      enforce_trip({{300, 500}, {450, 500}, {550, 500}, {700, 500}, {300, 450}}, {0, 10, 20, 30, 70});
  const EnforcementReport report = enforce(trips, rules, enforce_key, {});
  EXPECT_EQ(report.before.stop, 2u);
  EXPECT_EQ(report.after.hard(), 0u);
  EXPECT_EQ(report.moved_points, 0u);
  EXPECT_EQ(report.added_points, 3u);
  EXPECT_EQ(trips.t, (std::vector<std::int64_t>{0, 10, 30, 40, 50, 70, 100, 120}));
}

TEST(Enforce, DrivesBackwardsOrRoundAOneWayWhicheverMovesLess) {
  Rule east{.kind = RuleKind::one_way, .area = enforce_box(100, 400, 900, 600)};
  east.bearing_deg = 90;
  const Constraints rules = enforce_rules({east});
  // Wholly within the area, westwards and nowhere near its border.
  TripSet trips = enforce_trip({{520, 500}, {500, 500}, {480, 500}}, {0, 20, 50});
  EnforcementReport report = enforce(trips, rules, enforce_key, {});
  EXPECT_EQ(report.before.one_way, 2u);
  EXPECT_EQ(report.after.hard(), 0u);
  EXPECT_EQ(report.reversed_trips, 1u);
  EXPECT_EQ(trips.point, (std::vector<PlanePoint>{{480, 500}, {500, 500}, {520, 500}}));
  EXPECT_EQ(trips.t, (std::vector<std::int64_t>{0, 30, 50}));
  // Just within the border on a long trip: a few metres aside.
  trips = enforce_trip({{950, 590}, {700, 590}, {300, 590}, {50, 590}}, {0, 20, 50, 70});
  report = enforce(trips, rules, enforce_key, {});
  EXPECT_EQ(report.after.hard(), 0u);
  EXPECT_EQ(report.reversed_trips, 0u);
  EXPECT_LT(report.largest_move_m, 220);
}

TEST(Enforce, ReplacesWhatOnlyTimesCannotMend) {
  const Constraints rules = enforce_rules({{.area = enforce_box(400, 400, 600, 600)}});
  TripSet trips = enforce_trip({{300, 500}, {500, 500}}, {0, 100});
  trips.point.insert(trips.point.end(), {{10, 10}, {20, 20}});
  trips.t.insert(trips.t.end(), {5, 25});
  trips.end_trip();
  trips.user = {3, 4};
  const EnforcementReport report = enforce(trips, rules, enforce_key, {.move_points = false});
  EXPECT_EQ(report.replaced_trips, 1u);
  EXPECT_EQ(report.after.hard(), 0u);
  EXPECT_EQ(trips.point, (std::vector<PlanePoint>{{10, 10}, {20, 20}, {10, 10}, {20, 20}}));
  EXPECT_EQ(trips.user, (std::vector<std::uint32_t>{3, 4}));
  // With none to copy it stands still.
  TripSet alone = enforce_trip({{410, 500}, {500, 500}}, {0, 100});
  const EnforcementReport stood = enforce(alone, rules, enforce_key, {.move_points = false});
  EXPECT_EQ(stood.replaced_trips, 1u);
  EXPECT_EQ(alone.point, (std::vector<PlanePoint>{{399, 500}, {399, 500}}));
}

TEST(Enforce, RefusesOptionsOutOfRangeAndTripsWithoutTimes) {
  const Constraints rules = enforce_rules({{.area = enforce_box(400, 400, 600, 600)}});
  TripSet trips = enforce_trip({{1, 1}, {2, 2}}, {1, 2});
  EXPECT_THROW(enforce(trips, rules, enforce_key, {.longest_shift_s = 50'000}), InvalidOption);
  EXPECT_THROW(enforce(trips, rules, enforce_key, {.rounds = 0}), InvalidOption);
  trips.t.clear();
  EXPECT_THROW(enforce(trips, rules, enforce_key, {}), InvalidOption);
}

TEST(ConstraintCost, IsNothingForTheSameAndLogTwoForNothingInCommon) {
  const TripSet low = enforce_trip({{10, 10}, {60, 10}}, {0, 60});
  const TripSet high = enforce_trip({{910, 910}, {960, 910}}, {40'000, 40'060});
  ConstraintCost cost = constraint_cost(low, low, enforce_plane());
  EXPECT_EQ(cost.visits, 0);
  EXPECT_EQ(*cost.time_of_day, 0);
  cost = constraint_cost(low, high, enforce_plane());
  EXPECT_NEAR(cost.visits, std::log(2), 1e-12);
  EXPECT_NEAR(cost.starts, std::log(2), 1e-12);
  EXPECT_NEAR(cost.ends, std::log(2), 1e-12);
  EXPECT_EQ(cost.length, 0);
  EXPECT_NEAR(*cost.time_of_day, std::log(2), 1e-12);
  EXPECT_THROW(constraint_cost(TripSet{}, low, enforce_plane()), InvalidOption);
}

/// Repeatable numbers for large random cases.
class EnforceDice {
 public:
  explicit EnforceDice(std::uint64_t seed) : stream_(random::SeededKey(seed).stream("dice")) {}
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(stream_.below(1'000'000)) / 1e6;
  }
  std::uint64_t below(std::uint64_t bound) { return stream_.below(bound); }

 private:
  random::Stream stream_;
};

Polygons enforce_star(EnforceDice& dice, double side) {
  const PointXY centre{dice.between(0, side), dice.between(0, side)};
  const std::uint64_t corners = 3 + dice.below(9);
  geometry::Polygon star;
  for (std::uint64_t i = 0; i < corners; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(corners);
    const double radius = dice.between(0.01, 0.2) * side;
    star.outer.push_back({centre.x_m + radius * std::cos(angle), centre.y_m + radius * std::sin(angle)});
  }
  return {star};
}

std::vector<Rule> enforce_random_rules(EnforceDice& dice, std::size_t count, double side) {
  std::vector<Rule> rules;
  for (std::size_t i = 0; i < count; ++i) {
    Rule rule{.area = enforce_star(dice, side)};
    const std::uint64_t kind = dice.below(6);
    if (kind == 1) rule.hours = {{static_cast<std::int32_t>(dice.below(40'000)), 50'000}};
    if (kind == 2) rule.kind = RuleKind::speed;
    if (kind == 3) rule.kind = RuleKind::one_way;
    if (kind == 4) rule.kind = RuleKind::stop;
    rule.speed_m_s = dice.between(2, 20);
    rule.bearing_deg = dice.between(0, 360);
    rule.seconds = static_cast<std::int64_t>(1 + dice.below(100));
    rules.push_back(rule);
  }
  return rules;
}

TripSet enforce_walks(EnforceDice& dice, std::size_t trips, std::size_t points, double side) {
  TripSet set;
  for (std::size_t i = 0; i < trips; ++i) {
    double x = dice.between(0, side), y = dice.between(0, side), angle = dice.between(0, 6.28);
    auto t = static_cast<std::int64_t>(dice.below(200'000));
    for (std::size_t k = 0; k < points; ++k) {
      set.point.push_back({static_cast<float>(x), static_cast<float>(y)});
      set.t.push_back(t);
      angle += dice.between(-0.5, 0.5);
      x = std::clamp(x + std::cos(angle) * side * 0.004, 0.0, side);
      y = std::clamp(y + std::sin(angle) * side * 0.004, 0.0, side);
      t += static_cast<std::int64_t>(dice.below(30));
    }
    set.end_trip();
  }
  return set;
}

TEST(Enforce, RandomTripsObeyRandomRulesWhateverTheThreads) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    EnforceDice dice(seed);
    const double side = 20'000;
    const Frame frame = Frame::parse("0,0,20000,20000", Frame::Unit::metres);
    const Constraints rules(frame, enforce_random_rules(dice, 10, side), {});
    TripSet trips = enforce_walks(dice, 40, 60, side);
    TripSet again = trips;
    const EnforcementReport report = enforce(trips, rules, enforce_key, {.parallel = {.threads = 1}});
    enforce(again, rules, enforce_key, {.parallel = {.threads = 2}});
    EXPECT_EQ(report.after.hard(), 0u) << seed;
    EXPECT_EQ(trips.point, again.point);
    EXPECT_EQ(trips.t, again.t);
    for (const PlanePoint& p : trips.point) {
      ASSERT_TRUE(p.x >= 0 && p.x <= 20'000 && p.y >= 0 && p.y <= 20'000);
    }
    for (std::size_t i = 0; i < trips.size(); ++i) {
      ASSERT_TRUE(std::is_sorted(trips.times(i).begin(), trips.times(i).end()));
    }
  }
}

TEST(Enforce, NothingIsBrokenByWritingAFile) {
  EnforceDice dice(99);
  const Frame frame = Frame::parse("-8.70,41.10,-8.50,41.22", Frame::Unit::degrees);
  const double side = std::min(frame.width_m(), frame.height_m());
  const Constraints rules(frame, enforce_random_rules(dice, 12, side), {});
  TripSet trips = enforce_walks(dice, 150, 60, side);
  const EnforcementReport report = enforce(trips, rules, enforce_key, {});
  EXPECT_GT(report.before.hard(), 0u);
  for (PlanePoint& p : trips.point) {
    const geometry::LonLat at = frame.outward({p.x, p.y});
    const geometry::PointXY read =
        frame.inward({std::round(at.lon * 1e6) / 1e6, std::round(at.lat * 1e6) / 1e6});
    p = {static_cast<float>(read.x_m), static_cast<float>(read.y_m)};
  }
  EXPECT_EQ(count(trips, rules).hard(), 0u);
}

}  // namespace
}  // namespace fogline::traces::enforce_test
