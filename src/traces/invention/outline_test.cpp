// SPDX-License-Identifier: Apache-2.0
#include "traces/invention/outline.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "traces/frame/cell_grid.hpp"
#include "traces/frame/trip_shape.hpp"
#include "traces/test_town.hpp"

namespace fogline::traces::outline_test {
namespace {

class OutlineTest : public testing::Test {
 protected:
  const Beliefs beliefs_ = believe(town_of_commuters(20));
  const random::PublicKey key_{"5"};
};

TEST_F(OutlineTest, HasTheBelievedPairsOfEndsUpToRounding) {
  const std::uint64_t trips = 1'000;
  const Outlines outlines = draw_outlines(beliefs_, trips, key_, {});
  ASSERT_EQ(outlines.size(), trips);
  const CellGrid coarse({.width_m = 12'000, .height_m = 12'000, .columns = 6, .rows = 6});
  std::vector<double> counts(beliefs_.start_end.mean.size());
  for (std::size_t i = 0; i < trips; ++i)
    ++counts[coarse.cell_of(outlines.trip(i).front()) * coarse.size() +
             coarse.cell_of(outlines.trip(i).back())];
  for (std::size_t i = 0; i < counts.size(); ++i)
    EXPECT_LT(std::abs(counts[i] - beliefs_.start_end.mean[i] * trips / beliefs_.trips), 1 + 1e-6)
        << "pair " << i;
}

TEST_F(OutlineTest, AsksForNothingImpossible) {
  const Outlines outlines = draw_outlines(beliefs_, 300, key_, {});
  for (std::size_t i = 0; i < outlines.size(); ++i) {
    const auto trip = outlines.trip(i);
    EXPECT_GE(trip.size(), 3U);
    EXPECT_LE(trip.size(), most_nodes);
    EXPECT_GE(outlines.diameter_m[i], distance_m(trip.front(), trip.back()) * (1 - 1e-6));
    EXPECT_GE(outlines.length_m[i], outlines.diameter_m[i] * (1 - 1e-6F));
    // A whole number of steps makes the length.
    const double steps = outlines.length_m[i] / outlines.step_m[i];
    EXPECT_NEAR(steps, std::round(steps), 1e-3 * steps);
  }
}

TEST_F(OutlineTest, BeginsOnOpenGround) {
  const auto north = [](const PlanePoint& p) { return p.y > 6'100; };
  const Outlines outlines = draw_outlines(beliefs_, 300, key_, north);
  // Fine cells are 400 m wide: the one between 6,000 and 6,400 m is closed in part, those below altogether.
  for (std::size_t i = 0; i < outlines.size(); ++i)
    if (outlines.trip(i).front().y > 6'000) {
      EXPECT_TRUE(north(outlines.trip(i).front()));
    }
}

TEST_F(OutlineTest, FollowsFromItsKey) {
  const Outlines a = draw_outlines(beliefs_, 50, key_, {}), b = draw_outlines(beliefs_, 50, key_, {});
  EXPECT_EQ(a.length_m, b.length_m);
  EXPECT_EQ(a.offset, b.offset);
  EXPECT_NE(a.step_m, draw_outlines(beliefs_, 50, random::PublicKey("6"), {}).step_m);
}

}  // namespace
}  // namespace fogline::traces::outline_test
