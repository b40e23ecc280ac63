// SPDX-License-Identifier: Apache-2.0
#include "random/published_noise.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include "random/chi_square.hpp"
#include "random/key.hpp"

namespace fogline::random::published::published_noise_test {
namespace {

constexpr std::uint64_t draws = 200'000;

/// Draws fall evenly into 20 cells of equal probability if `share(draw)` is the distribution function. Five standard deviations: less than one
/// false alarm in three million seeds, and the seed is fixed.
template <class Draw, class Share>
double misfit(const Draw& draw, const Share& share) {
  std::array<std::uint64_t, 20> counts{};
  std::array<double, 20> expected{};
  expected.fill(0.05);
  Stream stream = random::SeededKey(7).stream("noise");
  for (std::uint64_t i = 0; i < draws; ++i)
    ++counts[std::min<std::size_t>(19, static_cast<std::size_t>(20 * share(draw(stream))))];
  return random::chi_square(counts, expected, draws).deviations;
}

TEST(PublishedNoise, LaplaceFollowsItsDistribution) {
  const auto share = [](double x) { return x < 0 ? 0.5 * std::exp(x / 3) : 1 - 0.5 * std::exp(-x / 3); };
  EXPECT_LT(misfit([](Stream& s) { return laplace(3, s); }, share), 5);
  EXPECT_GT(misfit([](Stream& s) { return laplace(2.8, s); }, share), 5);
}

TEST(PublishedNoise, GammaFollowsItsDistribution) {
  const auto share = [](double x) { return 1 - std::exp(-2 * x) * (1 + 2 * x + 2 * x * x); };
  EXPECT_LT(misfit([](Stream& s) { return gamma(3, 0.5, s); }, share), 5);
  EXPECT_GT(misfit([](Stream& s) { return gamma(2, 0.5, s); }, share), 5);
}

TEST(PublishedNoise, GridRoundsToTheNearestMultiple) {
  EXPECT_EQ(on_grid(7), 7);
  EXPECT_EQ(on_grid(0.4 * noise_grid), 0);
  EXPECT_EQ(on_grid(-2.6 * noise_grid), -3 * noise_grid);
}

TEST(PublishedNoise, SumsOnTheGridAreExact) {
  Stream stream = random::SeededKey(3).stream("noise");
  for (int i = 0; i < 1000; ++i) {
    const double noise = on_grid(laplace(1000, stream));
    EXPECT_EQ((600 + noise) - 600, noise);
  }
}

TEST(PublishedNoise, UniformNeverReachesItsEnds) {
  Stream stream = random::SeededKey(4).stream("noise");
  for (int i = 0; i < 10'000; ++i) {
    const double u = uniform(stream);
    ASSERT_GT(u, 0);
    ASSERT_LT(u, 1);
  }
}

}  // namespace
}  // namespace fogline::random::published::published_noise_test
