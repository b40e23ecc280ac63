// SPDX-License-Identifier: Apache-2.0
#include "audit/engine/clopper_pearson.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::audit::clopper_pearson_test {
namespace {

/// P(X >= hits) for X binomial, summed term by term.
double at_least(std::uint64_t hits, std::uint64_t trials, double p) {
  double sum = 0;
  for (std::uint64_t k = hits; k <= trials; ++k) {
    const auto n = static_cast<double>(trials), i = static_cast<double>(k);
    sum += std::exp(std::lgamma(n + 1) - std::lgamma(i + 1) - std::lgamma(n - i + 1) + i * std::log(p) +
                    (n - i) * std::log1p(-p));
  }
  return sum;
}

TEST(ClopperPearson, SolvesTheBinomialTail) {
  for (const double alpha : {0.3, 1e-3, 1e-9}) {
    for (const std::uint64_t hits : {1U, 7U, 99U, 199U}) {
      EXPECT_NEAR(at_least(hits, 200, probability_at_least(hits, 200, alpha)) / alpha, 1, 1e-6);
      // Counting misses instead of hits turns one bound into the other.
      EXPECT_NEAR(probability_at_most(hits, 200, alpha), 1 - probability_at_least(200 - hits, 200, alpha),
                  3e-9);
    }
  }
}

TEST(ClopperPearson, EndsAreKnownInClosedForm) {
  EXPECT_EQ(probability_at_least(0, 50, 0.01), 0);
  EXPECT_EQ(probability_at_most(50, 50, 0.01), 1);
  EXPECT_NEAR(probability_at_most(0, 50, 0.01), 1 - std::pow(0.01, 1.0 / 50), 1e-8);
  EXPECT_NEAR(probability_at_least(50, 50, 0.01), std::pow(0.01, 1.0 / 50), 1e-8);
}

TEST(ClopperPearson, IsNeverInsideTheObservedShare) {
  for (std::uint64_t hits = 0; hits <= 30; ++hits) {
    EXPECT_LE(probability_at_least(hits, 30, 0.4), static_cast<double>(hits) / 30);
    EXPECT_GE(probability_at_most(hits, 30, 0.4), static_cast<double>(hits) / 30);
  }
}

TEST(ClopperPearson, RefusesNonsense) {
  EXPECT_THROW(probability_at_least(2, 1, 0.1), InvalidOption);
  EXPECT_THROW(probability_at_most(0, 0, 0.1), InvalidOption);
  EXPECT_THROW(probability_at_most(1, 2, 0), InvalidOption);
  EXPECT_THROW(probability_at_least(1, 2, 1), InvalidOption);
  EXPECT_THROW(probability_at_least(1, 2, std::nan("")), InvalidOption);
}

}  // namespace
}  // namespace fogline::audit::clopper_pearson_test
