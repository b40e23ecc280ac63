// SPDX-License-Identifier: Apache-2.0
#include "random/samplers.hpp"

#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "random/chi_square.hpp"
#include "random/key.hpp"

namespace fogline::random::samplers_test {
namespace {

// Every fit below draws 400,000 samples with a fixed seed and allows 5 deviations: a run with fresh seeds
// would raise a false alarm less than once in three million per check.
constexpr std::uint64_t samples = 400'000;
constexpr std::int64_t reach = 2000;  // cells -reach..reach

double misfit(const std::function<std::int64_t(Stream&)>& draw,
              const std::function<double(std::int64_t)>& probability) {
  Stream noise = SeededKey(20).stream("samplers");
  std::vector<std::uint64_t> counts(2 * reach + 1);
  for (std::uint64_t i = 0; i < samples; ++i) {
    const std::int64_t value = draw(noise);
    if (std::abs(value) <= reach) ++counts[static_cast<std::size_t>(value + reach)];
  }
  std::vector<double> expected(counts.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    expected[i] = probability(static_cast<std::int64_t>(i) - reach);
  }
  return chi_square(counts, expected, samples).deviations;
}

double laplace_probability(std::int64_t k, double rate) {
  return std::tanh(rate / 2) * std::exp(-rate * static_cast<double>(std::abs(k)));
}

TEST(BernoulliExp, HasItsProbability) {
  for (const Rational rate :
       {Rational(0), Rational(1, 1000), Rational(1, 3), Rational(1), Rational(5, 2), Rational(6)}) {
    Stream noise = SeededKey(21).stream("bernoulli");
    std::vector<std::uint64_t> counts(2);
    for (std::uint64_t i = 0; i < samples; ++i) ++counts[bernoulli_exp(rate, noise) ? 1 : 0];
    const double yes = std::exp(-rate.to_double());
    EXPECT_LT(chi_square(counts, std::vector<double>{1 - yes, yes}, samples).deviations, 5)
        << rate.to_string();
  }
}

TEST(BernoulliExp, IsCertainAtRateZero) {
  Stream noise = SeededKey(22).stream("bernoulli");
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(bernoulli_exp(Rational(), noise));
}

TEST(BernoulliExp, HasItsProbabilityForShares) {
  // Fine shares take the path of two coins.
  const Uint128 fine = (Uint128{1} << 125) - 3;
  for (const Rational rate : {Rational(1, 3), Rational(1), Rational(27, 10)}) {
    for (const Uint128 denominator : {Uint128{7}, fine}) {
      const Uint128 numerator = denominator / 7 * 5;
      Stream noise = SeededKey(23).stream("bernoulli");
      std::vector<std::uint64_t> counts(2);
      for (std::uint64_t i = 0; i < samples; ++i)
        ++counts[bernoulli_exp(rate, numerator, denominator, noise) ? 1 : 0];
      const double yes = std::exp(-rate.to_double() * 5 / 7);
      EXPECT_LT(chi_square(counts, std::vector<double>{1 - yes, yes}, samples).deviations, 5)
          << rate.to_string();
    }
  }
  Stream noise = SeededKey(24).stream("bernoulli");
  EXPECT_TRUE(bernoulli_exp(Rational(5), 0, fine, noise));
  EXPECT_THROW(bernoulli_exp(Rational(1), 2, 1, noise), InvalidOption);
  EXPECT_THROW(bernoulli_exp(Rational(1), 0, 0, noise), InvalidOption);
  EXPECT_THROW(bernoulli_exp(Rational(1), 0, Uint128{1} << 126, noise), InvalidOption);
}

TEST(Geometric, FollowsItsLaw) {
  for (const Rational rate : {Rational(1, 100), Rational(1, 3), Rational(7, 10), Rational(5, 2)}) {
    const Geometric geometric(rate);
    const double q = std::exp(-rate.to_double());
    EXPECT_LT(
        misfit([&](Stream& noise) { return static_cast<std::int64_t>(geometric(noise)); },
               [&](std::int64_t k) { return k < 0 ? 0.0 : (1 - q) * std::pow(q, static_cast<double>(k)); }),
        5)
        << rate.to_string();
  }
}

TEST(DiscreteLaplace, FollowsItsLaw) {
  for (const Rational rate :
       {Rational(1, 100), Rational(1, 3), Rational(7, 10), Rational(5, 2), Rational(8)}) {
    const DiscreteLaplace laplace(rate);
    EXPECT_LT(misfit([&](Stream& noise) { return laplace(noise); },
                     [&](std::int64_t k) { return laplace_probability(k, rate.to_double()); }),
              5)
        << rate.to_string();
  }
}

TEST(DiscreteLaplace, TheFitNoticesNoiseAtNineTenthsOfItsScale) {
  const DiscreteLaplace laplace(Rational(10, 90));
  EXPECT_GT(misfit([&](Stream& noise) { return laplace(noise); },
                   [&](std::int64_t k) { return laplace_probability(k, 0.1); }),
            20);
}

TEST(DiscreteStaircase, FollowsItsLaw) {
  for (const std::uint64_t step : {1U, 3U, 10U}) {
    const Rational epsilon(3, 2);
    const std::uint64_t sensitivity = 10;
    const DiscreteStaircase staircase({.epsilon = epsilon, .sensitivity = sensitivity, .step = step});
    const auto weight = [&](std::int64_t k) {
      const auto magnitude = static_cast<std::uint64_t>(std::abs(k));
      return std::exp(-1.5 * static_cast<double>((magnitude + sensitivity - step) / sensitivity));
    };
    double total = 0;
    for (std::int64_t k = -reach; k <= reach; ++k) total += weight(k);
    EXPECT_LT(misfit([&](Stream& noise) { return staircase(noise); },
                     [&](std::int64_t k) { return weight(k) / total; }),
              5)
        << "step " << step;
  }
}

TEST(DiscreteStaircase, AShiftByTheSensitivityCrossesAtMostOneRiser) {
  const std::int64_t sensitivity = 7, step = 3;
  const auto riser = [&](std::int64_t k) { return (std::abs(k) + sensitivity - step) / sensitivity; };
  for (std::int64_t k = -50; k <= 50; ++k) {
    for (std::int64_t shift = -sensitivity; shift <= sensitivity; ++shift) {
      EXPECT_LE(std::abs(riser(k + shift) - riser(k)), 1) << k << " " << shift;
    }
  }
}

TEST(Samplers, RefuseParametersOutsideTheirRange) {
  EXPECT_THROW(Geometric(Rational(0)), InvalidOption);
  EXPECT_THROW(DiscreteLaplace(Rational(1, std::uint64_t{1} << 41)), InvalidOption);
  EXPECT_THROW(DiscreteLaplace(Rational(std::uint64_t{1} << 41)), InvalidOption);
  const Rational epsilon(1);
  EXPECT_THROW(DiscreteStaircase({.epsilon = epsilon, .sensitivity = 0}), InvalidOption);
  EXPECT_THROW(DiscreteStaircase({.epsilon = epsilon, .sensitivity = 5, .step = 6}), InvalidOption);
  EXPECT_THROW(DiscreteStaircase({.epsilon = epsilon, .sensitivity = 5, .step = 0}), InvalidOption);
  EXPECT_THROW(DiscreteStaircase({.epsilon = Rational(), .sensitivity = 5}), InvalidOption);
}

}  // namespace
}  // namespace fogline::random::samplers_test
