// SPDX-License-Identifier: Apache-2.0
#include "weights/paper/published.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "random/key.hpp"
#include "random/tape.hpp"

namespace fogline::weights::published_test {
namespace {

using Values = std::vector<double>;
using Indices = std::vector<std::size_t>;

random::Stream stream(std::uint64_t index = 0) {
  return random::SeededKey(11).stream("weights", index);
}

// The paper's Figure 1 as its text tells it: 6 twice, 10 twice, all others once.
const Values figure_1 = {6, 6, 10, 10, 5, 13, 17, 21};

TEST(PublishedWeights, GroupsOfTheFigure) {
  EXPECT_EQ(group_sizes(figure_1), (Indices{2, 2, 2, 2, 1, 1, 1, 1}));
  EXPECT_EQ(groups_of_equal_size(figure_1), (Indices{2, 2, 2, 2, 4, 4, 4, 4}));
}

TEST(PublishedWeights, FigureWithOneEdgeChangedHasThreePairs) {
  Values changed = figure_1;
  changed[4] = 13;
  EXPECT_EQ(groups_of_equal_size(changed), (Indices{3, 3, 3, 3, 3, 3, 2, 2}));
}

/// The min-max formula: the maximum over i <= k of the minimum over j >= k of the mean of values i..j.
double min_max(const Values& values, std::size_t k) {
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i <= k; ++i) {
    double least = std::numeric_limits<double>::infinity(), sum = 0;
    for (std::size_t j = i; j < values.size(); ++j) {
      sum += values[j];
      if (j >= k) least = std::min(least, sum / static_cast<double>(j - i + 1));
    }
    best = std::max(best, least);
  }
  return best;
}

TEST(PublishedWeights, PoolingByHand) {
  const Indices order = {0, 1, 2, 3};
  EXPECT_EQ(consistent_along(order, Values{1, 3, 2, 4}), (Values{1, 2.5, 2.5, 4}));
  EXPECT_EQ(consistent_along(order, Values{4, 3, 2, 1}), (Values{2.5, 2.5, 2.5, 2.5}));
  EXPECT_EQ(consistent_along(order, Values{1, 2, 3, 4}), (Values{1, 2, 3, 4}));
  EXPECT_EQ(consistent_along(Indices{2, 0, 1, 3}, Values{5, 9, 7, 10}), (Values{6, 9, 6, 10}));
}

TEST(PublishedWeights, PoolingIsIsotonicRegression) {
  EXPECT_TRUE(rc::check("pooling equals the min-max formula", [] {
    const auto raw = *rc::gen::container<std::vector<int>>(rc::gen::inRange(-50, 50));
    const Values values(raw.begin(), raw.end());
    Indices order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const Values fitted = consistent_along(order, values);
    for (std::size_t k = 0; k < values.size(); ++k)
      RC_ASSERT(std::abs(fitted[k] - min_max(values, k)) < 1e-9);
  }));
}

TEST(PublishedWeights, ConsistentReleasesNeverFallAlongTheTrueOrder) {
  for (const auto strategy : {WeightsStrategy::lap_ci, WeightsStrategy::mb_ci}) {
    const PublishedWeights mechanism({.strategy = strategy, .epsilon = 1, .range = WeightRange{1, 25}});
    for (std::uint64_t i = 0; i < 500; ++i) {
      auto noise = stream(i);
      const Values noisy = mechanism.release(figure_1, noise);
      const Indices order = ascending_order(figure_1);
      for (std::size_t j = 1; j < order.size(); ++j) ASSERT_LE(noisy[order[j - 1]], noisy[order[j]]);
      ASSERT_GT(*std::min_element(noisy.begin(), noisy.end()), 0);
    }
  }
}

TEST(PublishedWeights, LapPassesItsNoiseThroughOneDoor) {
  const PublishedWeights lap({.epsilon = 2, .range = WeightRange{1, 25}, .positive = Positive::no});
  random::Tape tape;
  auto noise = stream();
  noise.listen(&tape);
  const Values noisy = lap.release(figure_1, noise);
  noise.listen(nullptr);
  ASSERT_EQ(tape.recorded().size(), 1U);
  const random::Meeting& meeting = tape.recorded().front();
  EXPECT_EQ(meeting.epsilon, 2);
  EXPECT_EQ(meeting.sensitivity, 24);
  EXPECT_TRUE(std::equal(meeting.answers.begin(), meeting.answers.end(), noisy.begin(), noisy.end()));
}

TEST(PublishedWeights, MergedEdgesDeclareAShareOfTheRange) {
  // At epsilon 1,000 the noisy counts are as good as exact: the figure's pairs merge for k = 2, and not for k = 3.
  for (const int k : {2, 3}) {
    const PublishedWeights mb(
        {.strategy = WeightsStrategy::mb, .epsilon = 1000, .range = WeightRange{1, 25}, .k = k});
    random::Tape tape;
    auto noise = stream();
    noise.listen(&tape);
    mb.release(figure_1, noise);
    noise.listen(nullptr);
    ASSERT_EQ(tape.recorded().size(), 1 + figure_1.size());
    EXPECT_EQ(tape.recorded()[0].sensitivity, 4);
    EXPECT_NEAR(tape.recorded()[0].epsilon, 200, 1e-9);
    EXPECT_EQ(tape.recorded()[1].sensitivity, k == 2 ? 12 : 24);
    EXPECT_NEAR(tape.recorded()[1].epsilon, 800, 1e-9);
    EXPECT_EQ(tape.recorded()[5].sensitivity, 24);
  }
}

TEST(PublishedWeights, NoiseHasTheScaleOfTheTheorem) {
  // Mean |noise| is range / epsilon; 40,000 draws have a standard error of half a per cent.
  for (const bool own_range : {false, true}) {
    PublishedWeights::Options options{.epsilon = 2, .positive = Positive::no};
    if (!own_range) options.range = WeightRange{0, 100};
    const PublishedWeights lap(options);
    auto noise = stream();
    double sum = 0;
    for (int i = 0; i < 20'000; ++i) {
      const Values noisy = lap.release(Values{10, 40}, noise);
      sum += std::abs(noisy[0] - 10) + std::abs(noisy[1] - 40);
    }
    EXPECT_NEAR(sum / 40'000, own_range ? 15 : 50, own_range ? 0.45 : 1.5);
  }
}

TEST(PublishedWeights, ClampsToThePublicRange) {
  const PublishedWeights lap({.epsilon = 1000, .range = WeightRange{0, 1}, .positive = Positive::no});
  auto noise = stream();
  EXPECT_NEAR(lap.release(Values{1e9}, noise)[0], 1, 0.1);
}

TEST(PublishedWeights, ShiftMovesAllWeightsTogether) {
  // The same stream gives the same noise, so the two endings differ by one number, which brings the least weight to 1.
  for (const auto strategy : {WeightsStrategy::lap, WeightsStrategy::mb}) {
    PublishedWeights::Options options{.strategy = strategy, .epsilon = 0.5, .range = WeightRange{1, 25}};
    auto noise = stream(), same = stream();
    const Values shifted = PublishedWeights(options).release(figure_1, noise);
    options.positive = Positive::no;
    const Values raw = PublishedWeights(options).release(figure_1, same);
    const double least = *std::min_element(raw.begin(), raw.end());
    ASSERT_LT(least, 0);
    for (std::size_t i = 0; i < raw.size(); ++i) EXPECT_DOUBLE_EQ(shifted[i], raw[i] - least + 1);
  }
}

TEST(PublishedWeights, ClampEndsInTheRange) {
  for (const WeightsStrategy strategy : weights_strategies()) {
    const PublishedWeights mechanism(
        {.strategy = strategy, .epsilon = 0.1, .range = WeightRange{1, 25}, .positive = Positive::clamp});
    auto noise = stream();
    for (const double weight : mechanism.release(figure_1, noise)) {
      EXPECT_GE(weight, 1);
      EXPECT_LE(weight, 25);
    }
  }
  EXPECT_THROW(PublishedWeights({.epsilon = 1, .positive = Positive::clamp}), InvalidOption);
}

TEST(PublishedWeights, NamesAndReasons) {
  for (const WeightsStrategy strategy : weights_strategies()) {
    EXPECT_EQ(strategy_from(to_string(strategy)), strategy);
    EXPECT_FALSE(reason(strategy).ends_with('.'));
  }
  EXPECT_EQ(to_string(WeightsStrategy::mb_ci), "mb-ci");
  EXPECT_THROW(strategy_from("mb-ic"), InvalidOption);
}

TEST(PublishedWeights, GroupsOfManyEdges) {
  // A quarter of a million edges, each of 1,000 weights as often.
  Values weights;
  for (int i = 0; i < 250'000; ++i) weights.push_back(i % 1000);
  const Indices sizes = group_sizes(weights);
  EXPECT_TRUE(std::all_of(sizes.begin(), sizes.end(), [](std::size_t size) { return size == 250; }));
  const Indices alike = groups_of_equal_size(weights);
  EXPECT_TRUE(std::all_of(alike.begin(), alike.end(), [](std::size_t groups) { return groups == 1000; }));
}

TEST(PublishedWeights, NothingInNothingOut) {
  auto noise = stream();
  EXPECT_TRUE(PublishedWeights({.epsilon = 1}).release({}, noise).empty());
}

TEST(PublishedWeights, RefusesBadInput) {
  EXPECT_THROW(PublishedWeights({.epsilon = 0}), InvalidOption);
  EXPECT_THROW(PublishedWeights({.epsilon = std::nan("")}), InvalidOption);
  EXPECT_THROW(PublishedWeights({.epsilon = 1, .range = WeightRange{3, 3}}), InvalidOption);
  EXPECT_THROW(PublishedWeights({.epsilon = 1, .range = WeightRange{0, INFINITY}}), InvalidOption);
  EXPECT_THROW(PublishedWeights({.epsilon = 1, .k = 0}), InvalidOption);
  auto noise = stream();
  EXPECT_THROW(PublishedWeights({.epsilon = 1}).release(Values{1, std::nan("")}, noise), InvalidOption);
}

}  // namespace
}  // namespace fogline::weights::published_test
