// SPDX-License-Identifier: Apache-2.0
#include "traces/beliefs/denoise.hpp"

#include <gtest/gtest.h>

namespace fogline::traces::denoise_test {
namespace {

TEST(ProductOfSums, HasTheSumsOfTheTable) {
  const std::vector<double> product = product_of_sums({1, 2,  //
                                                       3, 4},
                                                      2);
  const std::vector<double> expected{3 * 4 / 10.0, 3 * 6 / 10.0, 7 * 4 / 10.0, 7 * 6 / 10.0};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_DOUBLE_EQ(product[i], expected[i]);
}

TEST(ProductOfSums, HasNothingBelowZero) {
  for (const double x : product_of_sums({-5, 1, 2, 3}, 2)) EXPECT_GE(x, 0);
  for (const double x : product_of_sums({-5, -1, -2, -3}, 2)) EXPECT_EQ(x, 0);
}

TEST(ScaleTo, KeepsProportionsAndCutsAtZero) {
  std::vector<double> table{-1, 1, 3};
  scale_to(table, 8);
  EXPECT_EQ(table, (std::vector<double>{0, 2, 6}));
  std::vector<double> nothing{-1, -2};
  scale_to(nothing, 4);
  EXPECT_EQ(nothing, (std::vector<double>{2, 2}));
}

TEST(Denoise, IsThePriorWhereNoiseHidesEverything) {
  const NoisyTable noisy{{700, -300, 100, 50}, 1e4};
  const std::vector<double> predictor{10, 20, 5, 40};
  // A spread of 1 makes the prior an exponential law, whose variance is the square of its mean.
  const Estimate estimate = denoise(noisy, {predictor}, {.usual_spread = 1});
  for (std::size_t i = 0; i < predictor.size(); ++i) {
    EXPECT_NEAR(estimate.mean[i], predictor[i], 0.02 * predictor[i]);
    EXPECT_NEAR(estimate.variance[i], predictor[i] * predictor[i], 0.05 * predictor[i] * predictor[i]);
  }
}

TEST(Denoise, BelievesNothingWhereNothingIsPredicted) {
  const Estimate estimate = denoise({{30, 12, 500}, 5}, {{25, 15, 0}});
  EXPECT_EQ(estimate.mean[2], 0);
  EXPECT_EQ(estimate.variance[2], 0);
  EXPECT_GT(estimate.mean[0], 0);
}

TEST(Denoise, BelievesMoreWhereMoreWasCounted) {
  // Cells that are predicted alike differ by their noisy counts alone. Under Laplace noise all counts below zero tell
  // the same of a number that is not.
  const NoisyTable noisy{{-20, -5, 0, 8, 15, 30, 60}, 10};
  const Estimate estimate = denoise(noisy, {std::vector<double>(noisy.value.size(), 12)});
  EXPECT_GT(estimate.mean[0], 0);
  EXPECT_NEAR(estimate.mean[1], estimate.mean[0], 1e-9);
  EXPECT_NEAR(estimate.mean[2], estimate.mean[0], 1e-9);
  for (std::size_t i = 3; i < noisy.value.size(); ++i) EXPECT_GT(estimate.mean[i], estimate.mean[i - 1]);
}

}  // namespace
}  // namespace fogline::traces::denoise_test
