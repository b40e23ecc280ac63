// SPDX-License-Identifier: Apache-2.0
#include "traces/invention/wanted.hpp"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

namespace fogline::traces::wanted_test {
namespace {

TEST(Wanted, CostsNothingIfMetAndTheDeclaredAmountIfNot) {
  const Wanted wanted{.length_m = 4'000, .diameter_m = 2'000, .cells = 8, .moves = 3};
  EXPECT_EQ(wanted.miss(wanted), 0);
  Wanted longer = wanted;
  longer.length_m += 0.015F * 4'000 + 40;
  EXPECT_NEAR(wanted.miss(longer), 0.0015, 1e-8);
  Wanted more = wanted;
  more.cells += 2;
  more.moves += 2;
  EXPECT_NEAR(wanted.miss(more), 0.002 * (4.0 / 8 + 4.0 / 4), 1e-8);
}

TEST(Targets, LieSideBySideAndWeighWhatIsSure) {
  Beliefs beliefs;
  beliefs.trips = 450;  // two a medium cell
  const auto table = [](std::size_t size, double mean, double variance) {
    return Estimate{std::vector<double>(size, mean), std::vector<double>(size, variance)};
  };
  beliefs.pairs = table(3, 10, 1.5);
  beliefs.triples = table(2, 5, 0);
  beliefs.strings = table(1, 7, 0.5);
  beliefs.visits = table(4, 2, 0.5);
  beliefs.visits.mean[3] = 0;
  beliefs.fine_visits = table(2, 1, 3.5);
  beliefs.coarse_visits = table(1, 0, std::numeric_limits<double>::infinity());  // not asked
  const Targets targets = targets_of(beliefs, 1);
  EXPECT_EQ(targets.triples, 3U);
  EXPECT_EQ(targets.strings, 5U);
  EXPECT_EQ(targets.visits, 6U);
  EXPECT_EQ(targets.fine_visits, 10U);
  EXPECT_EQ(targets.coarse_visits, 12U);
  ASSERT_EQ(targets.size(), 13U);
  EXPECT_EQ(targets.wanted[0], 10);
  EXPECT_FLOAT_EQ(targets.weight[0], 0.5F);
  EXPECT_FLOAT_EQ(targets.weight[3], 2);
  EXPECT_FLOAT_EQ(targets.weight[10], 0.25F);
  EXPECT_EQ(targets.weight[12], 0);
  // Visits weigh twice, and where few go up to 200 times more.
  EXPECT_FLOAT_EQ(targets.weight[6], 2);
  EXPECT_FLOAT_EQ(targets.weight[9], 400);
  EXPECT_EQ(targets_of(beliefs, 3).wanted[0], 30);
}

TEST(AssignNumbers, GivesTheBelievedNumbersAndKeepsTheOrder) {
  Beliefs beliefs;
  beliefs.layout.max_length_m = 10'000;
  beliefs.reaches.resize(std::size_t{Layout::length_classes} * Layout::reach_bins);
  beliefs.crossings.resize(std::size_t{Layout::length_classes} * Layout::crossing_bins);
  // Of short trips half shall pass 2 cells and half 6 or 7; all shall make one move.
  beliefs.reaches[Layout::reach_bin(2)] = 50;
  beliefs.reaches[Layout::reach_bin(6)] = 50;
  beliefs.crossings[Layout::crossing_bin(1)] = 100;
  Outlines outlines;
  const std::size_t trips = 8;
  for (std::size_t i = 0; i < trips; ++i) {
    outlines.offset.push_back(2 * (i + 1));
    outlines.length_m.push_back(100);
    outlines.cells.push_back(static_cast<float>(i % 2 == 0 ? 10 + i : 1));
    outlines.moves.push_back(5);
  }
  outlines.node.resize(2 * trips);
  assign_numbers(outlines, beliefs, random::PublicKey("3"), 0);
  for (std::size_t i = 0; i < trips; ++i) {
    EXPECT_EQ(outlines.moves[i], 1);
    // Those that passed many shall pass many, the more the more they passed.
    EXPECT_EQ(outlines.cells[i], i % 2 == 1 ? 2 : i < 4 ? 6 : 7) << i;
  }
}

}  // namespace
}  // namespace fogline::traces::wanted_test
