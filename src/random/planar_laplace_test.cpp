// SPDX-License-Identifier: Apache-2.0
#include "random/planar_laplace.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "random/chi_square.hpp"
#include "random/key.hpp"

namespace fogline::random::planar_laplace_test {
namespace {

/// Shares of all grid points within `reach` of 0, row by row, from the formula.
std::vector<double> exact_law(double rate, std::int64_t reach) {
  std::vector<double> weight;
  double total = 0;
  // Summed far beyond `reach`, until what is left does not matter.
  const auto horizon = static_cast<std::int64_t>(60 / rate) + reach;
  for (std::int64_t y = -horizon; y <= horizon; ++y) {
    for (std::int64_t x = -horizon; x <= horizon; ++x) {
      const double share = std::exp(-rate * static_cast<double>(ceil_distance({x, y}, {0, 0})));
      total += share;
      if (std::abs(x) <= reach && std::abs(y) <= reach) weight.push_back(share);
    }
  }
  for (double& share : weight) share /= total;
  return weight;
}

TEST(PlanarLaplace, FollowsItsLaw) {
  // 400,000 draws; 5 deviations are passed by chance less than once in three million.
  constexpr std::uint64_t samples = 400'000;
  for (const Rational rate : {Rational(1, 8), Rational(1, 2), Rational(1), Rational(7, 2)}) {
    constexpr std::int64_t reach = 20, width = 2 * reach + 1;
    const PlanarLaplace planar(rate);
    Stream noise = SeededKey(70).stream("planar");
    std::vector<std::uint64_t> counts(width * width);
    for (std::uint64_t i = 0; i < samples; ++i) {
      const GridPoint point = planar(noise);
      if (std::abs(point.x) <= reach && std::abs(point.y) <= reach)
        ++counts[static_cast<std::size_t>((point.y + reach) * width + point.x + reach)];
    }
    const auto law = exact_law(rate.to_double(), reach);
    EXPECT_LT(chi_square(counts, law, samples).deviations, 5) << rate.to_string();
  }
}

TEST(PlanarLaplace, HasTheMeanDistanceOfTheContinuousLawOnAFineGrid) {
  // |point| has mean 2/rate and variance 2/rate^2: 200,000 draws know the mean to 0.0016/rate, and five times that is allowed.
  const PlanarLaplace planar(Rational(1, 10'000'000'000));
  Stream noise = SeededKey(71).stream("planar");
  double sum = 0;
  for (int i = 0; i < 200'000; ++i) {
    const GridPoint point = planar(noise);
    sum += std::hypot(static_cast<double>(point.x), static_cast<double>(point.y)) / 1e10;
  }
  EXPECT_NEAR(sum / 200'000, 2, 0.016);
}

TEST(PlanarLaplace, DistancesRoundedUpKeepTheTriangleInequality) {
  EXPECT_TRUE(rc::check("|ceil|z-a| - ceil|z-b|| <= ceil|a-b|", [] {
    const auto point = [] {
      const auto bits = *rc::gen::inRange(1, 61);
      const auto far = std::int64_t{1} << bits;
      return GridPoint{*rc::gen::inRange<std::int64_t>(-far, far),
                       *rc::gen::inRange<std::int64_t>(-far, far)};
    };
    const GridPoint a = point(), b = point(), z = point();
    RC_ASSERT(ceil_distance(z, a) <= ceil_distance(z, b) + ceil_distance(a, b));
  }));
}

TEST(CeilSqrt, IsExact) {
  EXPECT_EQ(ceil_sqrt(0), 0U);
  for (const std::uint64_t root : {1ULL, 2ULL, 3ULL, 1ULL << 32, (1ULL << 61) + 7, ~0ULL}) {
    const Uint128 square = static_cast<Uint128>(root) * root;
    EXPECT_EQ(ceil_sqrt(square), root);
    EXPECT_EQ(ceil_sqrt(square - 1), root == 1 ? 0 : root);
    if (root != ~0ULL) {
      EXPECT_EQ(ceil_sqrt(square + 1), root + 1);
    }
  }
}

TEST(PlanarLaplace, RefusesBadRates) {
  EXPECT_THROW(PlanarLaplace{Rational(0)}, InvalidOption);
  EXPECT_THROW((PlanarLaplace{Rational(1, 1ULL << 41)}), InvalidOption);
}

}  // namespace
}  // namespace fogline::random::planar_laplace_test
