// SPDX-License-Identifier: Apache-2.0
#include "weights/paper/published_attacks.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::weights::published_attacks_test {
namespace {

PublishedAttacks found(WeightsStrategy strategy, double epsilon = 1) {
  return attack_published({.strategy = strategy, .epsilon = epsilon, .range = WeightRange{100, 600}}, {});
}

// A share of 400 has a standard deviation of at most 0.025; six of them are the margin.
constexpr double margin = 0.15;

TEST(PublishedAttacks, SortedReleasesTellTheOrderWithCertainty) {
  for (const auto strategy : {WeightsStrategy::lap_ci, WeightsStrategy::mb_ci}) {
    const PublishedAttacks attacks = found(strategy, 0.1);
    EXPECT_GT(attacks.order.answered, 100U);
    EXPECT_EQ(attacks.order.right, attacks.order.answered);
    EXPECT_GT(attacks.order.success(), attacks.order_bound);
  }
}

TEST(PublishedAttacks, MergedEdgesTellEqualityAndThemselves) {
  const PublishedAttacks attacks = found(WeightsStrategy::mb);
  EXPECT_GT(attacks.one_edge.success(), attacks.other_bound + margin / 2);
  EXPECT_GT(attacks.equality.success(), found(WeightsStrategy::lap).equality.success());
}

TEST(PublishedAttacks, LapKeepsItsBound) {
  for (const double epsilon : {0.5, 1.0, 3.0}) {
    const PublishedAttacks attacks = found(WeightsStrategy::lap, epsilon);
    EXPECT_LT(attacks.order.success(), attacks.order_bound + margin);
    EXPECT_LT(attacks.equality.success(), attacks.other_bound + margin);
    EXPECT_LT(attacks.one_edge.success(), attacks.other_bound + margin);
    EXPECT_EQ(attacks.order.asked, 400U);
  }
}

TEST(PublishedAttacks, DoNotDependOnThreads) {
  const PublishedWeights::Options mb{
      .strategy = WeightsStrategy::mb, .epsilon = 1, .range = WeightRange{1, 9}};
  const PublishedAttacks one = attack_published(mb, {.releases = 50, .threads = 1});
  const PublishedAttacks two = attack_published(mb, {.releases = 50, .threads = 2});
  EXPECT_EQ(one.order.right, two.order.right);
  EXPECT_EQ(one.one_edge.right, two.one_edge.right);
}

TEST(PublishedAttacks, RefuseBadOptions) {
  const PublishedWeights::Options lap{.epsilon = 1, .range = WeightRange{1, 9}};
  EXPECT_THROW(attack_published({.epsilon = 1}, {}), InvalidOption);
  EXPECT_THROW(attack_published(lap, {.edges = 9}), InvalidOption);
  EXPECT_THROW(attack_published(lap, {.levels = 1}), InvalidOption);
  EXPECT_THROW(attack_published(lap, {.releases = 0}), InvalidOption);
}

}  // namespace
}  // namespace fogline::weights::published_attacks_test
