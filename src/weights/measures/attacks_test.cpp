// SPDX-License-Identifier: Apache-2.0
#include "weights/measures/attacks.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "weights/mechanisms/blocks.hpp"
#include "weights/mechanisms/noise.hpp"

namespace fogline::weights::attacks_test {
namespace {

WeightGrid grid(const char* range) {
  return WeightGrid::parse(range, "1");
}

double odds(double loss) {
  return std::exp(loss) / (1 + std::exp(loss));
}

TEST(WeightAttacks, TwoWeightsByHand) {
  // Randomised response between two weights: the truth with probability q.
  const Blocks blocks({.grid = grid("1:2"), .epsilon = privacy::Epsilon{1, 1}});
  const double q = odds(1);
  const WeightAttacks found = attack(blocks, {});
  // Two different weights: numbers that differ are right with odds q^2 : (1-q)^2, equal ones say nothing.
  EXPECT_NEAR(found.order.success, q * q + q * (1 - q), 1e-9);
  EXPECT_NEAR(found.order.bound, odds(2), 1e-12);
  // Equal weights give equal numbers with probability q^2 + (1-q)^2.
  EXPECT_NEAR(found.equality.success, q * q + (1 - q) * (1 - q), 1e-9);
  EXPECT_NEAR(found.equality.bound, q, 1e-12);
  EXPECT_NEAR(found.one_edge.hits, q, 1e-9);
  EXPECT_NEAR(found.one_edge.hits_bound, q, 1e-12);
  EXPECT_NEAR(found.one_edge.error, 1 - q, 1e-9);
  EXPECT_DOUBLE_EQ(found.one_edge.error_without, 0.5);
  EXPECT_TRUE(found.exact);
}

TEST(WeightAttacks, BestErrorIsWhatBlocksRelease) {
  // Blocks already release the best guess, so an attacker cannot do better than the release; and its error is the floor.
  const Blocks blocks({.grid = grid("100:600"), .epsilon = privacy::Epsilon{5, 1}});
  const WeightAttacks found = attack(blocks, {});
  EXPECT_NEAR(found.one_edge.error, 22.00, 0.005);
  EXPECT_NEAR(found.one_edge.floor.value(), 22.00, 0.005);
  EXPECT_NEAR(found.one_edge.error_without, 250.0 * 251 / 501, 1e-6);
  EXPECT_LT(found.one_edge.hits, found.one_edge.hits_bound);
  EXPECT_GT(found.order.success, 0.9);
}

TEST(WeightAttacks, StayWithinTheirBounds) {
  for (const auto& [numerator, denominator] : {std::pair{1U, 10U}, {1U, 1U}, {3U, 1U}}) {
    const privacy::Epsilon epsilon{numerator, denominator};
    const Blocks blocks({.grid = grid("1:40"), .epsilon = epsilon});
    const Noise geometric({.grid = grid("1:40"), .epsilon = epsilon});
    const Noise staircase({.law = NoiseLaw::staircase, .grid = grid("1:40"), .epsilon = epsilon});
    const Noise change(
        {.grid = grid("1:40"), .epsilon = epsilon, .protection = {.unit = ProtectedUnit::change}});
    for (const EdgeMechanism* mechanism :
         {static_cast<const EdgeMechanism*>(&blocks), static_cast<const EdgeMechanism*>(&geometric),
          static_cast<const EdgeMechanism*>(&staircase), static_cast<const EdgeMechanism*>(&change)}) {
      const WeightAttacks found = attack(*mechanism, {});
      for (const YesNoAttack& asked : {found.order, found.equality}) {
        EXPECT_GE(asked.success, 0.5 - 1e-12);
        EXPECT_LE(asked.success, asked.bound);
      }
      EXPECT_LE(found.one_edge.hits, found.one_edge.hits_bound);
      EXPECT_LE(found.one_edge.error, found.one_edge.error_without + 1e-9);
      if (found.one_edge.floor) {
        EXPECT_GE(found.one_edge.error, *found.one_edge.floor - 1e-9);
      }
    }
  }
}

TEST(WeightAttacks, LikelihoodsAreDistributions) {
  const Noise geometric({.grid = grid("1:40"), .epsilon = privacy::Epsilon{1, 1}});
  const Noise staircase(
      {.law = NoiseLaw::staircase, .grid = grid("1:40"), .epsilon = privacy::Epsilon{1, 1}});
  const Blocks blocks({.grid = grid("1:40"), .epsilon = privacy::Epsilon{1, 1}});
  for (const EdgeMechanism* mechanism :
       {static_cast<const EdgeMechanism*>(&blocks), static_cast<const EdgeMechanism*>(&geometric),
        static_cast<const EdgeMechanism*>(&staircase)}) {
    const kernel::Table table = likelihood_table(*mechanism);
    for (Eigen::Index p = 0; p < table.rows(); ++p) EXPECT_NEAR(table.row(p).sum(), 1, 1e-9);
  }
}

TEST(WeightAttacks, APriorThatKnowsLeavesNothingToLearn) {
  std::vector<double> prior(40, 1e-6);
  prior[7] = 1;
  const Blocks blocks({.grid = grid("1:40"), .epsilon = privacy::Epsilon{1, 10}});
  const WeightAttacks found = attack(blocks, prior);
  EXPECT_NEAR(found.one_edge.hits, found.one_edge.hits_without, 1e-9);
  EXPECT_GT(found.one_edge.hits_without, 0.9999);
}

TEST(WeightAttacks, RefusesBadInput) {
  const Noise endless({.grid = WeightGrid::parse("0:", "1"),
                       .epsilon = privacy::Epsilon{1, 1},
                       .protection = {.unit = ProtectedUnit::change}});
  EXPECT_THROW(attack(endless, {}), InvalidOption);
  const Noise large({.grid = grid("0:2000"), .epsilon = privacy::Epsilon{1, 1}});
  EXPECT_THROW(attack(large, {}), InvalidOption);
  const Blocks blocks({.grid = grid("1:3"), .epsilon = privacy::Epsilon{1, 1}});
  EXPECT_THROW(attack(blocks, std::vector<double>{1, 1}), InvalidOption);
  EXPECT_THROW(attack(blocks, std::vector<double>{0, 0, 0}), InvalidOption);
  EXPECT_THROW(attack(blocks, std::vector<double>{1, -1, 1}), InvalidOption);
  EXPECT_THROW(attack(blocks, std::vector<double>{1, 0, 0}), InvalidOption);
}

}  // namespace
}  // namespace fogline::weights::attacks_test
