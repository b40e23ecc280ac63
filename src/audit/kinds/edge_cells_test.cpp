// SPDX-License-Identifier: Apache-2.0
#include "audit/kinds/edge_cells.hpp"

#include <bit>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "random/key.hpp"
#include "weights/mechanisms/blocks.hpp"
#include "weights/mechanisms/noise.hpp"

namespace fogline::audit::edge_cells_test {
namespace {

using weights::Blocks;
using weights::Noise;
using weights::WeightGrid;

random::Stream choice() {
  return random::SeededKey(3).stream("test");
}

TEST(EdgeCells, PointsLieAllOverTheGrid) {
  auto stream = choice();
  std::set<std::int64_t> points;
  std::set<int> magnitudes;
  for (int i = 0; i < 2000; ++i) {
    points.insert(random_point(WeightGrid::parse("100:150", "1"), stream));
    const std::int64_t endless = random_point(WeightGrid::parse("0:", "1"), stream);
    ASSERT_GE(endless, 0);
    magnitudes.insert(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(endless))));
  }
  EXPECT_EQ(points.size(), 51U);
  EXPECT_EQ(*points.rbegin(), 50);
  EXPECT_EQ(magnitudes.size(), 32U) << "0, and 1 to 31 bits";
}

TEST(EdgeCells, NoiseIsSeenFromItsPoint) {
  const Noise noise({.grid = WeightGrid::parse("0:", "1"),
                     .epsilon = privacy::Epsilon{1, 1},
                     .protection = {.unit = weights::ProtectedUnit::change}});
  auto stream = choice();
  const auto cells = edge_cells(noise, stream);
  EXPECT_EQ(reach_of_noise(noise), 40);
  EXPECT_EQ(cells->cells(), 81U + 2);
  EXPECT_EQ(cells->cell_of(0, 500, 500), 40U);
  EXPECT_EQ(cells->cell_of(0, 7, 4), 37U);
  EXPECT_EQ(cells->cell_of(0, 100, 59), 81U) << "below all cells";
  EXPECT_EQ(cells->cell_of(0, 100, 141), 82U);
  const auto chances = cells->chances(0);
  EXPECT_NEAR(std::accumulate(chances.begin(), chances.end(), 0.0), 1, 1e-12);
  const auto& of_classes = cells->class_chances(0);
  EXPECT_NEAR(std::accumulate(of_classes.begin(), of_classes.end(), 0.0), 1, 1e-12);
  EXPECT_NE(cells->class_of(39), cells->class_of(41)) << "noise and its opposite are told apart";
}

TEST(EdgeCells, ATableIsSeenFromItsLikeliestOutput) {
  const Blocks blocks({.grid = WeightGrid::parse("1:100", "1"), .epsilon = privacy::Epsilon{3, 1}});
  auto stream = choice();
  const auto cells = edge_cells(blocks, stream);
  ASSERT_EQ(cells->slots(), 100U);
  for (const std::size_t slot : {0U, 42U, 99U}) {
    EXPECT_EQ(cells->slot_of(static_cast<std::int64_t>(slot)), slot);
    const auto origin = static_cast<std::int64_t>(cells->origin(slot));
    EXPECT_EQ(cells->cell_of(slot, 0, origin), 0U);
    EXPECT_EQ(cells->cell_of(slot, 0, (origin + 1) % static_cast<std::int64_t>(blocks.outputs())), 1U);
    EXPECT_GT(cells->chances(slot)[0], cells->chances(slot)[1] * 20);
  }
  EXPECT_EQ(cells->cell_of(0, 0, -1), cells->cells());
  EXPECT_EQ(cells->cell_of(0, 0, static_cast<std::int64_t>(blocks.outputs())), cells->cells());
}

TEST(EdgeCells, RefusesNoiseThatIsTooWide) {
  auto stream = choice();
  const Noise wide({.grid = WeightGrid::parse("0:200000", "1"), .epsilon = privacy::Epsilon{1, 1}});
  EXPECT_THROW(edge_cells(wide, stream), InvalidOption);
  EXPECT_THROW(
      declared_steps(Blocks({.grid = WeightGrid::parse("0:9", "1"), .epsilon = privacy::Epsilon{1, 1}})),
      InvalidOption);
}

}  // namespace
}  // namespace fogline::audit::edge_cells_test
