// SPDX-License-Identifier: Apache-2.0
#include "audit/kinds/neighbour_steps.hpp"

#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"

namespace fogline::audit::neighbour_steps_test {
namespace {

using weights::ProtectedUnit;
using weights::Protection;
using weights::Rounding;
using weights::WeightGrid;

constexpr Rounding both[] = {Rounding::refuse, Rounding::nearest};

TEST(NeighbourSteps, KnownValues) {
  const auto grid = WeightGrid::parse("0:", "0.5");
  const Protection trip{.unit = ProtectedUnit::trip, .most = Rational(30)};
  EXPECT_EQ(neighbour_steps(grid, trip, Rounding::refuse).all_edges(), 60U);
  EXPECT_EQ(neighbour_steps(grid, trip, Rounding::nearest).all_edges(), 90U);
  EXPECT_EQ(neighbour_steps(WeightGrid::parse("100:600", "0.25"), {}, Rounding::nearest).all_edges(), 2000U);
  const Protection change{.unit = ProtectedUnit::change, .most = Rational(3)};
  EXPECT_EQ(neighbour_steps(WeightGrid::parse("0:", "2"), change, Rounding::refuse).all_edges(), 1U);
  EXPECT_EQ(neighbour_steps(WeightGrid::parse("0:", "7"), change, Rounding::refuse).all_edges(), 1U);
  EXPECT_EQ(neighbour_steps(WeightGrid::parse("0:2", "1"), change, Rounding::nearest).all_edges(), 2U)
      << "no farther than the grid is long";
  EXPECT_THROW(neighbour_steps(grid, {}, Rounding::refuse), InvalidOption);
  EXPECT_THROW(
      neighbour_steps(WeightGrid::parse("0:", "0.000000001"),
                      {.unit = ProtectedUnit::change, .most = Rational(1'000'000'000)}, Rounding::refuse),
      InvalidOption);
}

TEST(NeighbourSteps, AgreesWithTheSensitivityThatNoiseIsMadeFor) {
  EXPECT_TRUE(rc::check([] {
    const auto step = *rc::gen::inRange(1, 5000);  // thousandths
    const auto times = *rc::gen::inRange(1, 300);
    const auto lowest = *rc::gen::inRange(0, 100'000);
    const auto thousandths = [](int n) { return fmt::format("{}.{:03}", n / 1000, n % 1000); };
    const bool finite = *rc::gen::arbitrary<bool>();
    const auto grid = WeightGrid::parse(
        thousandths(lowest) + ":" + (finite ? thousandths(lowest + 400 * step) : std::string()),
        thousandths(step));
    const bool whole_steps = *rc::gen::arbitrary<bool>();
    const auto most =
        Rational::parse(thousandths(whole_steps ? step * times : *rc::gen::inRange(1, 300 * step))).value();
    for (const Rounding rounding : both) {
      const Protection change{.unit = ProtectedUnit::change, .most = most};
      const std::uint64_t theirs = change.sensitivity_steps(grid, rounding);
      const std::uint64_t ours = neighbour_steps(grid, change, rounding).all_edges();
      RC_ASSERT(ours <= theirs && theirs <= ours + 1);
      if (whole_steps) RC_ASSERT(ours == theirs);
      const Protection trip{.unit = ProtectedUnit::trip, .most = Rational(static_cast<std::uint64_t>(times))};
      RC_ASSERT(neighbour_steps(grid, trip, rounding).all_edges() <= trip.sensitivity_steps(grid, rounding));
      if (finite) {
        RC_ASSERT(neighbour_steps(grid, {}, rounding).all_edges() ==
                  Protection{}.sensitivity_steps(grid, rounding));
      }
    }
  }));
}

TEST(NeighbourSteps, NoTwoWeightsAreFartherApart) {
  for (const char* step : {"0.1", "0.25", "0.3", "1", "7"}) {
    for (const char* most : {"0.1", "0.35", "1", "2.9999999", "3", "10"}) {
      const auto grid = WeightGrid::parse("0:", step);
      const Protection change{.unit = ProtectedUnit::change, .most = Rational::parse(most).value()};
      for (const Rounding rounding : both) {
        const std::uint64_t bound = neighbour_steps(grid, change, rounding).all_edges();
        for (int i = 0; i < 3000; ++i) {
          const double weight = i * 0.05;
          const auto one = grid.point_of(weight, rounding);
          const auto other = grid.point_of(weight + change.most.to_double(), rounding);
          if (one.fault != WeightGrid::Fault::none || other.fault != WeightGrid::Fault::none) continue;
          ASSERT_LE(static_cast<std::uint64_t>(std::abs(other.point - one.point)), bound)
              << step << ' ' << most << ' ' << weight;
        }
      }
    }
  }
}

}  // namespace
}  // namespace fogline::audit::neighbour_steps_test
