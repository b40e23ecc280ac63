// SPDX-License-Identifier: Apache-2.0
#include "weights/estimates/level_sets.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.hpp"
#include "weights/paper/published.hpp"

namespace fogline::weights::level_sets_test {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

std::vector<double> fit(const Pairs& pairs, const std::vector<double>& values) {
  return isotonic_fit(pairs, values);
}

void expect_near(const std::vector<double>& found, const std::vector<double>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-9) << i;
}

TEST(IsotonicFit, SmallOrdersByHand) {
  expect_near(fit({{0, 1}}, {1, 2}), {1, 2});
  expect_near(fit({{0, 1}}, {2, 1}), {1.5, 1.5});
  expect_near(fit({{0, 1}, {0, 2}}, {3, 1, 5}), {2, 2, 5});  //  1   2
                                                             //   \ /
                                                             //    0
  expect_near(fit({{0, 2}, {1, 2}}, {4, 1, 2}), {3, 1, 3});  // a roof
  expect_near(fit({{0, 1}, {0, 2}, {1, 3}, {2, 3}}, {4, 3, 2, 1}),
              {2.5, 2.5, 2.5, 2.5});  // a diamond upside down
  expect_near(fit({}, {3, 1, 2}), {3, 1, 2});
}

TEST(IsotonicFit, OnAChainIsPooling) {
  EXPECT_TRUE(rc::check("chain", [] {
    const auto raw = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 50));
    std::vector<double> values(raw.begin(), raw.end());
    Pairs chain;
    for (std::uint32_t i = 1; i < values.size(); ++i) chain.emplace_back(i - 1, i);
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto pooled = consistent_along(order, values);
    const auto found = fit(chain, values);
    for (std::size_t i = 0; i < values.size(); ++i) RC_ASSERT(std::abs(found[i] - pooled[i]) < 1e-8);
  }));
}

/// Dykstra's alternating projections onto the half-spaces of the pairs: slow, and independent of cuts.
std::vector<double> dykstra(const Pairs& pairs, std::vector<double> values) {
  std::vector<double> correction(pairs.size());
  for (int round = 0; round < 4000; ++round) {
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      double& lower = values[pairs[p].first];
      double& upper = values[pairs[p].second];
      lower += correction[p];
      upper -= correction[p];
      correction[p] = std::max((lower - upper) / 2, 0.0);
      lower -= correction[p];
      upper += correction[p];
    }
  }
  return values;
}

TEST(IsotonicFit, IsTheProjectionOnAnyOrder) {
  EXPECT_TRUE(rc::check("against Dykstra", [] {
    const auto size = *rc::gen::inRange<std::uint32_t>(2, 9);
    const auto raw = *rc::gen::container<std::vector<int>>(size, rc::gen::inRange(0, 30));
    const std::vector<double> values(raw.begin(), raw.end());
    Pairs pairs;
    for (std::uint32_t lower = 0; lower < size; ++lower)
      for (std::uint32_t upper = lower + 1; upper < size; ++upper)
        if (*rc::gen::inRange(0, 3) == 0) pairs.emplace_back(lower, upper);
    const auto found = fit(pairs, values), wanted = dykstra(pairs, values);
    for (const auto& [lower, upper] : pairs) RC_ASSERT(found[lower] <= found[upper] + 1e-8);
    for (std::size_t i = 0; i < size; ++i) RC_ASSERT(std::abs(found[i] - wanted[i]) < 1e-4);
  }));
}

TEST(IsotonicFit, TakesLongChains) {
  constexpr std::uint32_t size = 20'000;
  std::vector<double> values(size);
  Pairs chain;
  for (std::uint32_t i = 0; i < size; ++i) {
    values[i] = static_cast<double>((i * 7919U) % 1000U);
    if (i > 0) chain.emplace_back(i - 1, i);
  }
  const auto found = fit(chain, values);
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end(), [](double a, double b) { return a < b - 1e-6; }));
}

TEST(IsotonicFit, RefusesPairsOfNothing) {
  EXPECT_THROW(fit({{0, 2}}, {1, 2}), InvalidOption);
}

}  // namespace
}  // namespace fogline::weights::level_sets_test
