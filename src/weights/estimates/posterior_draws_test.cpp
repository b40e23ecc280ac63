// SPDX-License-Identifier: Apache-2.0
#include "weights/estimates/posterior_draws.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "random/key.hpp"

namespace fogline::weights::posterior_draws_test {
namespace {

Noise noise_on(const char* range, const privacy::Epsilon& epsilon) {
  return Noise({.grid = WeightGrid::parse(range, "1"),
                .epsilon = epsilon,
                .protection = {.unit = ProtectedUnit::change}});
}

std::vector<std::int64_t> drawn_from(const Noise& noise, const std::vector<std::int64_t>& points) {
  std::vector<std::int64_t> drawn(points.size());
  random::Stream stream = random::SeededKey(1).stream("noise");
  noise.draw(points, stream, drawn);
  return drawn;
}

/// Most edges have little weight, some have much.
std::vector<std::int64_t> skewed(std::size_t count, std::int64_t little, std::int64_t much) {
  std::vector<std::int64_t> points(count, little);
  for (std::size_t e = 0; e < count; e += 5) points[e] = much;
  return points;
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double share_near(const std::vector<double>& values, double middle) {
  const auto near =
      std::ranges::count_if(values, [&](double value) { return std::abs(value - middle) <= 2; });
  return static_cast<double>(near) / static_cast<double>(values.size());
}

TEST(PosteriorDraws, AreSpreadAsTheWeightsAre) {
  const Noise noise = noise_on("0:", {1, 2});
  const std::vector<std::int64_t> points = skewed(5000, 1, 20);
  const std::vector<std::int64_t> drawn = drawn_from(noise, points);
  const auto draws = posterior_draws(noise, drawn, one_group(drawn.size()));
  ASSERT_EQ(draws.size(), 8U);
  for (const std::vector<double>& weights : draws) {
    EXPECT_GE(*std::ranges::min_element(weights), 0);
    EXPECT_NEAR(mean_of(weights), 4.8, 0.3);
    EXPECT_GT(share_near(weights, 1), 0.7);
  }
  std::vector<double> noisy(drawn.begin(), drawn.end());
  EXPECT_LT(share_near(noisy, 1), 0.6);
}

TEST(PosteriorDraws, OfHardlyAnyNoiseAreTheWeights) {
  for (const char* range : {"0:", "0:30", "0:100000"}) {
    const Noise noise = noise_on(range, {1000, 1});
    const std::vector<std::int64_t> points = skewed(200, 0, 30);
    const auto draws = posterior_draws(noise, drawn_from(noise, points), one_group(points.size()));
    for (const std::vector<double>& weights : draws)
      EXPECT_EQ(weights, std::vector<double>(points.begin(), points.end())) << range;
  }
}

TEST(PosteriorDraws, KeepNoisyWeightsBeyondWhatIsToldApart) {
  const Noise noise = noise_on("0:", {1, 1});
  std::vector<std::int64_t> points = skewed(300, 2, 2);
  points[7] = 1'000'000;
  std::vector<std::int64_t> drawn = drawn_from(noise, points);
  for (const std::vector<double>& weights : posterior_draws(noise, drawn, one_group(drawn.size())))
    EXPECT_EQ(weights[7], static_cast<double>(drawn[7]));
  drawn.assign(10, 1'000'000);
  drawn[0] = 900'000;
  EXPECT_EQ(posterior_draws(noise, drawn, one_group(10)).size(), 1U);
}

TEST(PosteriorDraws, OfLongRangesStayInThem) {
  const Noise noise = noise_on("0:20000", {1, 2000});
  const std::vector<std::int64_t> points = skewed(500, 0, 20'000);
  for (const std::vector<double>& weights :
       posterior_draws(noise, drawn_from(noise, points), one_group(points.size()))) {
    EXPECT_GE(*std::ranges::min_element(weights), 0);
    EXPECT_LE(*std::ranges::max_element(weights), 20'000);
    EXPECT_NEAR(mean_of(weights), 4000, 1500);
  }
}

TEST(PosteriorDraws, RefuseBadOptions) {
  const Noise noise = noise_on("0:", {1, 1});
  const std::vector<std::int64_t> drawn(3);
  EXPECT_THROW(posterior_draws(noise, drawn, one_group(2)), InvalidOption);
  EXPECT_THROW(posterior_draws(noise, drawn, {.of = {0, 1, 0}, .count = 1}), InvalidOption);
  EXPECT_THROW(posterior_draws(noise, drawn, one_group(3), {.draws = 0}), InvalidOption);
  EXPECT_THROW(posterior_draws(noise, drawn, one_group(3), {.shrinkage = -1}), InvalidOption);
  EXPECT_EQ(posterior_draws(noise, {}, one_group(0)).size(), 1U);
}

}  // namespace
}  // namespace fogline::weights::posterior_draws_test
