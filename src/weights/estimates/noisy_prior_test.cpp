// SPDX-License-Identifier: Apache-2.0
#include "weights/estimates/noisy_prior.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "random/key.hpp"
#include "random/tape.hpp"

namespace fogline::weights::noisy_prior_test {
namespace {

const WeightGrid hundred = WeightGrid::parse("1:100", "1");

std::vector<double> prior_of(const std::vector<std::int64_t>& points, const privacy::Epsilon& epsilon,
                             std::uint64_t seed = 3) {
  random::Stream noise = random::SeededKey(seed).stream("weights-prior");
  return noisy_prior(points, hundred, epsilon, noise);
}

/// Sum of |prior - truth|: 0 to 2.
double distance(const std::vector<double>& prior, const std::vector<std::int64_t>& points) {
  std::vector<double> truth(prior.size());
  for (const std::int64_t point : points)
    truth[static_cast<std::size_t>(point)] += 1 / static_cast<double>(points.size());
  double sum = 0;
  for (std::size_t p = 0; p < prior.size(); ++p) sum += std::abs(prior[p] - truth[p]);
  return sum;
}

std::vector<std::int64_t> skewed(std::size_t count) {
  std::vector<std::int64_t> points;
  for (std::size_t e = 0; e < count; ++e)
    points.push_back(e % 10 < 7 ? 1 : e % 10 < 9 ? 3 : static_cast<std::int64_t>(e % 97));
  return points;
}

TEST(NoisyPrior, IsADistributionWithoutHoles) {
  for (const privacy::Epsilon epsilon :
       {privacy::Epsilon{1, 1000}, privacy::Epsilon{1, 20}, privacy::Epsilon{10, 1}}) {
    const auto prior = prior_of(skewed(3000), epsilon);
    EXPECT_NEAR(std::accumulate(prior.begin(), prior.end(), 0.0), 1, 1e-9);
    for (const double share : prior) EXPECT_GT(share, 0);
  }
}

TEST(NoisyPrior, IsCloseToTheTruthWhenItCan) {
  EXPECT_LT(distance(prior_of(skewed(20'000), privacy::Epsilon{1, 1}), skewed(20'000)), 0.02);
  // Noise of 40 edges a count: 100 counts of it, cut off at 0, would be 1,400 edges of 20,000 that are not there; levelled, they are not seen.
  EXPECT_LT(distance(prior_of(skewed(20'000), privacy::Epsilon{1, 20}), skewed(20'000)), 0.15);
}

TEST(NoisyPrior, IsFlatWhenThereIsNothingButNoise) {
  // Ten runs: at most one shows structure.
  int level = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto found = prior_of(skewed(200), privacy::Epsilon{1, 1000}, seed);
    level += std::abs(found[0] - 0.01) < 1e-9 && std::abs(found[99] - 0.01) < 1e-9 ? 1 : 0;
  }
  EXPECT_GE(level, 9);
}

TEST(NoisyPrior, IsHeardByATape) {
  random::Tape tape;
  random::Stream noise = random::SeededKey(1).stream("weights-prior");
  noise.listen(&tape);
  noisy_prior(std::vector<std::int64_t>{0, 0, 2}, WeightGrid::parse("1:3", "1"), privacy::Epsilon{1, 4},
              noise);
  ASSERT_EQ(tape.recorded().size(), 1U);
  EXPECT_EQ(tape.recorded()[0].epsilon, 0.25);
  EXPECT_EQ(tape.recorded()[0].sensitivity, 2);
  EXPECT_EQ(tape.recorded()[0].values, (std::vector<long double>{2, 0, 1}));
}

TEST(NoisyPrior, BudgetsAddUpExactly) {
  const PriorBudget budget = split_budget(privacy::Epsilon{1, 1});
  EXPECT_EQ(budget.prior, (privacy::Epsilon{1, 20}));
  EXPECT_EQ(budget.weights, (privacy::Epsilon{19, 20}));
  const PriorBudget third = split_budget(privacy::Epsilon{7, 10}, Rational(1, 3));
  EXPECT_EQ(third.prior + third.weights, (privacy::Epsilon{7, 10}));
  EXPECT_THROW(split_budget(privacy::Epsilon{1, 1}, Rational(0)), InvalidOption);
  EXPECT_THROW(split_budget(privacy::Epsilon{1, 1}, Rational(1)), InvalidOption);
}

TEST(NoisyPrior, RefusesBeforeItDraws) {
  random::Stream noise = random::SeededKey(1).stream("weights-prior");
  const std::vector<std::int64_t> outside = {0, 100}, inside = {0};
  EXPECT_THROW(noisy_prior(outside, hundred, privacy::Epsilon{1, 1}, noise), InvalidOption);
  EXPECT_THROW(noisy_prior({}, hundred, privacy::Epsilon{1, 1}, noise), InvalidOption);
  EXPECT_THROW(noisy_prior(inside, WeightGrid::parse("0:", "1"), privacy::Epsilon{1, 1}, noise),
               InvalidOption);
  EXPECT_THROW(noisy_prior(inside, WeightGrid::parse("0:20000", "1"), privacy::Epsilon{1, 1}, noise),
               InvalidOption);
  EXPECT_EQ(noise.words_drawn(), 0U);
}

}  // namespace
}  // namespace fogline::weights::noisy_prior_test
