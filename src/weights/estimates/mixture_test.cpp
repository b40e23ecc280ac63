// SPDX-License-Identifier: Apache-2.0
#include "weights/estimates/mixture.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace fogline::weights::mixture_test {
namespace {

using Matrix = std::vector<std::vector<double>>;

Mixture of(const Matrix& likelihood) {
  return Mixture(likelihood.size(), likelihood[0].size(),
                 [&](std::size_t row, std::size_t column) { return std::log(likelihood[row][column]); });
}

TEST(Mixture, WithoutNoiseTheSharesAreTheCounts) {
  const Mixture mixture = of({{1, 0}, {0, 1}});
  const std::vector<double> counts = {3, 1}, start = {0.5, 0.5};
  EXPECT_EQ(mixture.learn(counts, start, {}), (std::vector<double>{0.75, 0.25}));
  EXPECT_EQ(mixture.learn(counts, start, {.rounds = 1, .shrinkage = 4}), (std::vector<double>{0.625, 0.375}));
}

TEST(Mixture, FindsTheMaximumOfTheLikelihood) {
  // 0.8 p + 0.2 (1 - p) = 0.6 at p = 2/3.
  const Mixture mixture = of({{0.8, 0.2}, {0.2, 0.8}});
  const auto shares =
      mixture.learn(std::vector<double>{60, 40}, std::vector<double>{0.5, 0.5}, {.least_gain = 1e-13});
  EXPECT_NEAR(shares[0], 2.0 / 3, 1e-5);
  EXPECT_NEAR(shares[0] + shares[1], 1, 1e-12);
}

TEST(Mixture, StopsWhenARoundGainsLittle) {
  const Mixture mixture = of({{0.8, 0.2}, {0.2, 0.8}});
  const std::vector<double> counts = {60, 40}, start = {0.5, 0.5};
  const auto one_round = mixture.learn(counts, start, {.rounds = 1});
  EXPECT_NEAR(one_round[0], 0.6 * 0.8 + 0.4 * 0.2, 1e-12);
  // The first round cannot be told from the start, so two are made whatever the gain.
  EXPECT_EQ(mixture.learn(counts, start, {.least_gain = 1e9}), mixture.learn(counts, start, {.rounds = 2}));
}

TEST(Mixture, KeepsTheStartWithoutDraws) {
  const std::vector<double> start = {0.25, 0.75};
  EXPECT_EQ(of({{0.8, 0.2}, {0.2, 0.8}}).learn(std::vector<double>{0, 0}, start, {}), start);
}

TEST(Mixture, PosteriorIsBayesRule) {
  const Mixture mixture = of({{0.8, 0.2}, {0.2, 0.8}});
  std::vector<double> posterior(2);
  mixture.posterior(0, std::vector<double>{0.25, 0.75}, posterior);
  EXPECT_NEAR(posterior[0], 0.2 / 0.35, 1e-12);
  EXPECT_NEAR(posterior[1], 0.15 / 0.35, 1e-12);
}

TEST(Mixture, SurvivesWhatCannotHappen) {
  const double never = -std::numeric_limits<double>::infinity();
  const Mixture mixture(2, 2, [&](std::size_t row, std::size_t) { return row == 0 ? never : 0.0; });
  const auto shares = mixture.learn(std::vector<double>{5, 5}, std::vector<double>{0.5, 0.5}, {});
  for (const double share : shares) EXPECT_TRUE(std::isfinite(share));
}

}  // namespace
}  // namespace fogline::weights::mixture_test
