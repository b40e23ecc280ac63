// SPDX-License-Identifier: Apache-2.0
#include "traces/invention/curve.hpp"

#include <gtest/gtest.h>

#include "random/key.hpp"
#include "traces/frame/trip_shape.hpp"

namespace fogline::traces::curve_test {
namespace {

/// A square of 12 km, visited evenly, with strides of one mean each.
Beliefs even_square() {
  Beliefs beliefs;
  beliefs.layout = make_layout(
      {.width_m = 12'000, .height_m = 12'000, .max_length_m = 50'000, .trips = 100, .epsilon = 1});
  beliefs.trips = 100;
  beliefs.fine_visits.mean.assign(std::size_t{beliefs.layout.fine} * beliefs.layout.fine, 0.1);
  beliefs.strides.resize(Layout::stride_bins);
  beliefs.strides[Layout::stride_bin(1.1)] = 100;
  return beliefs;
}

class CurveTest : public testing::Test {
 protected:
  const Beliefs beliefs_ = even_square();
  QuickRandom random_{random::SeededKey(4).stream("curves")};
  const CurveDrawer drawer_{beliefs_, random_};
};

TEST_F(CurveTest, IsAboutAsLongAsItShallBeAndStaysInTheArea) {
  const PlanePoint start{4'000, 6'000}, end{7'000, 5'000};
  double lengths = 0, widths = 0;
  const int rounds = 200;
  for (int round = 0; round < rounds; ++round) {
    std::vector<PlanePoint> nodes(24);
    drawer_.draw(start, end, {.length_m = 9'000, .diameter_m = 4'500}, random_, nodes);
    EXPECT_EQ(distance_m(nodes.front(), start), 0);
    EXPECT_EQ(distance_m(nodes.back(), end), 0);
    for (const PlanePoint& p : nodes) {
      EXPECT_TRUE(p.x >= 0 && p.y >= 0 && p.x <= 12'000 && p.y <= 12'000);
    }
    EXPECT_LT(length_m(nodes), 1.03 * 9'000);
    lengths += length_m(nodes);
    widths += diameter_m(nodes);
  }
  EXPECT_NEAR(lengths / rounds, 9'000, 500);
  EXPECT_NEAR(widths / rounds, 4'500, 700);
}

TEST_F(CurveTest, IsStraightIfThereIsNoLengthToWind) {
  std::vector<PlanePoint> nodes(8);
  drawer_.draw({1'000, 1'000}, {5'000, 1'000}, {.length_m = 4'000, .diameter_m = 4'000}, random_, nodes);
  for (const PlanePoint& p : nodes) EXPECT_NEAR(p.y, 1'000, 60);
  EXPECT_NEAR(length_m(nodes), 4'000, 40);
}

TEST_F(CurveTest, LeadsOverTheCellsThatItIsGiven) {
  // 0 1 2 of the lowest row, then up to 8: coarse cells are 2 km wide.
  const std::vector<std::uint16_t> cells{0, 1, 2, 8};
  const PlanePoint start{1'000, 1'000}, end{5'000, 3'000};
  std::vector<PlanePoint> nodes(32);
  EXPECT_FALSE(drawer_.draw_over(cells, start, end, {.length_m = 4'000, .diameter_m = 4'000}, random_, nodes))
      << "it is 4.5 km as the crow flies";
  ASSERT_TRUE(drawer_.draw_over(cells, start, end, {.length_m = 8'000, .diameter_m = 5'000}, random_, nodes));
  EXPECT_EQ(distance_m(nodes.front(), start), 0);
  EXPECT_EQ(distance_m(nodes.back(), end), 0);
  EXPECT_LT(length_m(nodes), 1.03 * 8'000);
  EXPECT_GT(length_m(nodes), 0.85 * 8'000);
}

}  // namespace
}  // namespace fogline::traces::curve_test
