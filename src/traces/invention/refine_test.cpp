// SPDX-License-Identifier: Apache-2.0
#include "traces/invention/refine.hpp"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "traces/frame/cell_grid.hpp"
#include "traces/frame/trip_shape.hpp"
#include "traces/test_town.hpp"

namespace fogline::traces::refine_test {
namespace {

class RefineTest : public testing::Test {
 protected:
  Outlines refined(const RefineOptions& options) const {
    Outlines outlines = outlines_;
    refine(outlines, beliefs_, key_, options);
    return outlines;
  }

  const Beliefs beliefs_ = believe(town_of_commuters(20));
  const random::PublicKey key_{"11"};
  const Outlines outlines_ = draw_outlines(beliefs_, 4'100, key_, {});  // two shards
};

TEST_F(RefineTest, LeavesEndsAndTheNumberOfNodes) {
  const Outlines after = refined({.rounds = 1});
  ASSERT_EQ(after.offset, outlines_.offset);
  std::size_t moved = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    EXPECT_EQ(distance_m(after.trip(i).front(), outlines_.trip(i).front()), 0);
    EXPECT_EQ(distance_m(after.trip(i).back(), outlines_.trip(i).back()), 0);
    if (distance_m(after.trip(i)[1], outlines_.trip(i)[1]) > 0) ++moved;
  }
  EXPECT_GT(moved, after.size() / 4);
}

TEST_F(RefineTest, SetsNumbersOfCellsAndMovesEvenWithoutRounds) {
  const Outlines after = refined({.rounds = 0});
  ASSERT_EQ(after.cells.size(), after.size());
  for (std::size_t i = 0; i < after.size(); ++i) {
    EXPECT_GE(after.cells[i], 1);
    EXPECT_GE(after.moves[i], 0);
    EXPECT_EQ(distance_m(after.trip(i)[1], outlines_.trip(i)[1]), 0);
  }
}

TEST_F(RefineTest, BringsVisitsNearerToWhatIsBelieved) {
  const std::uint32_t fine = beliefs_.layout.fine;
  const CellGrid grid({.width_m = 12'000, .height_m = 12'000, .columns = fine, .rows = fine});
  const auto miss = [&](const Outlines& outlines) {
    std::vector<double> off = beliefs_.fine_visits.mean;
    const double each = beliefs_.trips / static_cast<double>(outlines.size());
    std::vector<std::uint32_t> cells;
    for (std::size_t i = 0; i < outlines.size(); ++i) {
      grid.walk(outlines.trip(i), cells);
      const std::set<std::uint32_t> visited(cells.begin(), cells.end());
      for (const std::uint32_t c : visited) off[c] -= each / static_cast<double>(visited.size());
    }
    double sum = 0;
    for (const double x : off) sum += std::abs(x);
    return sum;
  };
  EXPECT_LT(miss(refined({.rounds = 2})), 0.9 * miss(outlines_));
}

TEST_F(RefineTest, DoesNotDependOnThreads) {
  const Outlines one = refined({.rounds = 1, .parallel = {.threads = 1}});
  const Outlines two = refined({.rounds = 1, .parallel = {.threads = 2}});
  for (std::size_t k = 0; k < one.node.size(); ++k) ASSERT_EQ(distance_m(one.node[k], two.node[k]), 0);
}

TEST_F(RefineTest, MovesNothingToClosedGround) {
  const Outlines after = refined({.rounds = 1, .open = [](const PlanePoint&) { return false; }});
  for (std::size_t k = 0; k < after.node.size(); ++k)
    ASSERT_EQ(distance_m(after.node[k], outlines_.node[k]), 0);
}

}  // namespace
}  // namespace fogline::traces::refine_test
