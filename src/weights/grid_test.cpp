// SPDX-License-Identifier: Apache-2.0
#include "weights/grid.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "weights/protection.hpp"

namespace fogline::weights::grid_test {
namespace {

TEST(WeightGrid, NumbersItsPoints) {
  const WeightGrid grid = WeightGrid::parse("100:600", "1");
  EXPECT_EQ(grid.points(), 501u);
  EXPECT_EQ(grid.point_of(100, Rounding::refuse).point, 0);
  EXPECT_EQ(grid.point_of(600, Rounding::refuse).point, 500);
  EXPECT_EQ(grid.value(153), 253);
  EXPECT_EQ(grid.text(153), "253");
  EXPECT_EQ(grid.range_text(), "100:600");
}

TEST(WeightGrid, WritesDecimalsExactly) {
  const WeightGrid grid = WeightGrid::parse("0.5:2", "0.1");
  EXPECT_EQ(grid.points(), 16u);
  EXPECT_EQ(grid.text(3), "0.8");
  EXPECT_EQ(grid.value(3), 0.8);
  EXPECT_EQ(grid.text(-8), "-0.3");
  EXPECT_EQ(grid.step_text(), "0.1");
}

TEST(WeightGrid, RoundsOnlyWhereAsked) {
  const WeightGrid grid = WeightGrid::parse("0:", "0.5");
  EXPECT_FALSE(grid.is_finite());
  EXPECT_EQ(grid.point_of(0.75, Rounding::nearest).point, 2);
  EXPECT_EQ(grid.point_of(0.75, Rounding::refuse).fault, WeightGrid::Fault::between);
  EXPECT_EQ(grid.point_of(0.1 + 0.2 + 0.2, Rounding::refuse).point, 1);  // not quite a half
}

TEST(WeightGrid, RefusesWhatIsOutside) {
  const WeightGrid grid = WeightGrid::parse("100:600", "1");
  EXPECT_EQ(grid.point_of(99.9, Rounding::nearest).fault, WeightGrid::Fault::below);
  EXPECT_EQ(grid.point_of(600.4, Rounding::nearest).fault, WeightGrid::Fault::above);
  EXPECT_EQ(grid.point_of(std::nan(""), Rounding::nearest).fault, WeightGrid::Fault::not_a_number);
  EXPECT_EQ(grid.point_of(1e300, Rounding::nearest).fault, WeightGrid::Fault::above);
}

TEST(WeightGrid, ClampsPrivateWeightsOnlyAndOnlyWhereDeclared) {
  const WeightGrid strict = WeightGrid::parse("100:600", "1"),
                   clamping = WeightGrid::parse("100:600", "1", true);
  EXPECT_EQ(strict.point_taken(99, Rounding::refuse).fault, WeightGrid::Fault::below);
  EXPECT_EQ(clamping.point_taken(-1e300, Rounding::refuse).point, 0);
  EXPECT_EQ(clamping.point_taken(-1e300, Rounding::refuse).fault, WeightGrid::Fault::none);
  EXPECT_EQ(clamping.point_taken(1e300, Rounding::refuse).point, 500);
  EXPECT_EQ(clamping.point_taken(250.5, Rounding::refuse).fault, WeightGrid::Fault::between);
  EXPECT_EQ(clamping.point_taken(std::nan(""), Rounding::nearest).fault, WeightGrid::Fault::not_a_number);
  EXPECT_EQ(clamping.point_of(99, Rounding::refuse).fault, WeightGrid::Fault::below);  // of what was released
  EXPECT_FALSE(strict == clamping);
}

/// Clamping takes two weights no farther apart: what noise is made for stays what it was.
TEST(WeightGrid, ClampingNeverMovesNeighboursApart) {
  const WeightGrid grid = WeightGrid::parse("2:9", "1", true);
  for (const Rounding rounding : {Rounding::refuse, Rounding::nearest}) {
    for (int most = 1; most <= 5; ++most) {
      const Protection change{.unit = ProtectedUnit::change,
                              .most = Rational(static_cast<std::uint64_t>(most))};
      const auto allowed = static_cast<std::int64_t>(change.sensitivity_steps(grid, rounding));
      const double step = rounding == Rounding::nearest ? 0.25 : 1;
      for (double a = -4; a <= 15; a += step) {
        for (double b = a; b <= a + most; b += step) {
          const auto one = grid.point_taken(a, rounding), other = grid.point_taken(b, rounding);
          ASSERT_EQ(one.fault, WeightGrid::Fault::none);
          ASSERT_LE(std::abs(one.point - other.point), allowed) << a << " " << b;
        }
      }
    }
  }
}

/// As far from 0 as a step may be, each weight that is written is read as its own point.
TEST(WeightGrid, WeightsFarFromZeroLieOnTheirPoints) {
  for (const auto& [range, step] : {std::pair("9999:", "0.000000001"), std::pair("570000000:", "0.000057")}) {
    const WeightGrid grid = WeightGrid::parse(range, step);
    for (std::int64_t point = 0; point < 10'000; ++point) {
      const auto taken = grid.point_taken(grid.value(point), Rounding::refuse);
      ASSERT_EQ(taken.fault, WeightGrid::Fault::none) << range << " " << point;
      ASSERT_EQ(taken.point, point) << range;
    }
  }
}

TEST(Protection, OfAPersonAddsUp) {
  const WeightGrid grid = WeightGrid::parse("0:", "1");
  Protection trips{.unit = ProtectedUnit::trip, .most = Rational(30)};
  EXPECT_FALSE(trips.guarantee({1, 2}, grid).covers_person());
  trips.per_person = 4;
  trips.persons = privacy::Persons::declared;
  const privacy::Guarantee person = trips.guarantee({1, 2}, grid);
  EXPECT_EQ(person.epsilon(), Rational(2));
  EXPECT_EQ(person.cover(), privacy::PersonCover::presence);
  EXPECT_EQ((Protection{.unit = ProtectedUnit::change, .per_person = 2}.guarantee({1, 2}, grid).cover()),
            privacy::PersonCover::records);
  EXPECT_EQ(person.unit(),
            "one person's trips, at most 4, each of which adds at most 1 to each of at most 30 edges");
  trips.per_person = 1'000'000;
  EXPECT_THROW(trips.guarantee({1, 2}, grid), InvalidOption);
}

TEST(WeightGrid, RefusesWhatIsNoRange) {
  for (const char* range : {"", "100", "600:100", "5:5", "-1:3", "a:b", "1:2:3", "nan:1"})
    EXPECT_THROW(WeightGrid::parse(range, "1"), InvalidOption) << range;
  for (const char* step : {"0", "", "-1", "0.0000000001", "7", "1/3"})
    EXPECT_THROW(WeightGrid::parse("100:600", step), InvalidOption) << step;
}

TEST(WeightGrid, RefusesStepsThatDoublesCannotTellApart) {
  EXPECT_THROW(WeightGrid::parse("999999999:", "0.000000001"), InvalidOption);
  EXPECT_THROW(WeightGrid::parse("99999:", "0.000000001"), InvalidOption);
  const WeightGrid grid = WeightGrid::parse("9999:", "0.000000001");
  EXPECT_EQ(grid.point_of(9999.000000059, Rounding::nearest).point + 1,
            grid.point_of(9999.000000060, Rounding::nearest).point);
}

TEST(Protection, CountsStepsAndRounding) {
  const WeightGrid grid = WeightGrid::parse("0:100", "0.5");
  const Protection whole{.unit = ProtectedUnit::edge};
  const Protection change{.unit = ProtectedUnit::change, .most = Rational(3, 4)};
  const Protection trip{.unit = ProtectedUnit::trip, .most = Rational(10)};
  EXPECT_EQ(whole.sensitivity_steps(grid, Rounding::nearest), 200u);
  EXPECT_EQ(change.sensitivity_steps(grid, Rounding::refuse), 2u);
  EXPECT_EQ(change.sensitivity_steps(grid, Rounding::nearest), 3u);
  EXPECT_EQ(trip.sensitivity_steps(grid, Rounding::refuse), 20u);
  EXPECT_EQ(trip.sensitivity_steps(grid, Rounding::nearest), 30u);
  EXPECT_THROW(whole.sensitivity_steps(WeightGrid::parse("0:", "1"), Rounding::refuse), InvalidOption);
  EXPECT_THROW((Protection{.unit = ProtectedUnit::trip, .most = Rational(3, 2)}.sensitivity_steps(
                   grid, Rounding::refuse)),
               InvalidOption);
}

}  // namespace
}  // namespace fogline::weights::grid_test
