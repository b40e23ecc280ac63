// SPDX-License-Identifier: Apache-2.0
#include "path/hamiltonian.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "random/key.hpp"

namespace fogline::path::hamiltonian_test {
namespace {

using graph::BitGraph;

BitGraph random_graph(std::size_t size, std::uint64_t percent, std::uint64_t seed) {
  auto noise = random::SeededKey(seed).stream("graph");
  BitGraph graph(size);
  for (StopId u = 0; u < size; ++u)
    for (StopId v = u + 1; v < size; ++v)
      if (noise.below(100) < percent) graph.join(u, v);
  return graph;
}

/// By trying every order.
ExactSteps all_orders(const WeighedPaths& paths) {
  const std::size_t size = paths.candidates.size();
  ExactSteps steps{0, std::vector<double>(size * size, 0)};
  std::vector<StopId> order(size);
  std::iota(order.begin(), order.end(), StopId{0});
  do {
    const bool counts =
        paths.ends ? std::pair(order.front(), order.back()) == *paths.ends : order.front() < order.back();
    if (!counts) continue;
    double weight = 1;
    for (std::size_t i = 1; i < size; ++i)
      weight *= paths.candidates.joined(order[i - 1], order[i]) ? 1 : paths.ruled_out;
    steps.paths += weight;
    for (std::size_t i = 1; i < size; ++i) {
      steps.share[order[i - 1] * size + order[i]] += weight;
      steps.share[order[i] * size + order[i - 1]] += weight;
    }
  } while (std::ranges::next_permutation(order).found);
  for (double& share : steps.share) share = steps.paths > 0 ? share / steps.paths : 0;
  return steps;
}

TEST(CountPaths, AgreesWithTryingEveryOrder) {
  EXPECT_TRUE(rc::check("number and shares, weighed or not, with known ends or not", [] {
    const auto size = *rc::gen::inRange<std::size_t>(2, 8);
    const BitGraph graph =
        random_graph(size, *rc::gen::inRange<std::uint64_t>(10, 100), *rc::gen::arbitrary<std::uint64_t>());
    WeighedPaths paths{graph, *rc::gen::element(0.0, 0.1, 0.7), {}};
    if (*rc::gen::arbitrary<bool>()) paths.ends = {static_cast<StopId>(size - 1), 0};
    const ExactSteps found = count_paths(paths), expected = all_orders(paths);
    RC_ASSERT(std::abs(found.paths - expected.paths) < 1e-9 * (1 + expected.paths));
    for (std::size_t i = 0; i < found.share.size(); ++i)
      RC_ASSERT(std::abs(found.share[i] - expected.share[i]) < 1e-9);
  }));
}

TEST(CountPaths, KnowsTheCompleteGraphAndTheRing) {
  const BitGraph complete = BitGraph(12).complement();
  const ExactSteps all = count_paths({complete});
  EXPECT_EQ(all.paths, 239'500'800);  // 12! / 2
  EXPECT_NEAR(all.of(3, 7, 12), 2.0 / 12, 1e-12);

  BitGraph ring(12);
  for (StopId v = 0; v < 12; ++v) ring.join(v, (v + 1) % 12);
  EXPECT_EQ(count_paths({ring}).paths, 12);
  EXPECT_NEAR(count_paths({ring}).of(0, 11, 12), 11.0 / 12, 1e-12);
  EXPECT_EQ(count_paths({ring, 0, {{0, 1}}}).paths, 1);
  EXPECT_EQ(count_paths({ring, 0, {{0, 2}}}).paths, 0);
}

TEST(CountPaths, RefusesWhatItCannotCount) {
  EXPECT_THROW(count_paths({BitGraph(1)}), InvalidOption);
  EXPECT_THROW(count_paths({BitGraph(21)}), InvalidOption);
  EXPECT_THROW(count_paths({BitGraph(4), 2.0, {}}), InvalidOption);
  EXPECT_THROW(count_paths({BitGraph(4), 0, {{1, 1}}}), InvalidOption);
}

TEST(CountStopPaths, CountsChoicesOfStops) {
  // All pairs of stops of three vertices with 2, 1 and 3 stops: 3 orders, 6 choices of stops.
  const Stops stops({2, 1, 3});
  StopPaths paths{stops, std::vector<double>(36, 1), {}};
  EXPECT_EQ(count_stop_paths(paths).paths, 18);
  EXPECT_NEAR(count_stop_paths(paths).of(0, 2, 3), 2.0 / 3, 1e-12);
  paths.ends = {{0, 2}};
  EXPECT_EQ(count_stop_paths(paths).paths, 6);
  EXPECT_EQ(count_stop_paths(paths).of(1, 2, 3), 1);
  EXPECT_EQ(count_stop_paths(paths).of(0, 2, 3), 0);
}

TEST(CountStopPaths, KeepsToItsLimits) {
  const Stops most(std::vector<std::uint32_t>(18, 7)), more(std::vector<std::uint32_t>(18, 8)),
      many(std::vector<std::uint32_t>(21, 1)), two({1, 2}), one({2});
  EXPECT_TRUE(can_count({most, {}, {}}));
  EXPECT_FALSE(can_count({most, {}, {{0, 1}}}));
  EXPECT_FALSE(can_count({more, {}, {}}));
  EXPECT_FALSE(can_count({many, {}, {}}));
  EXPECT_THROW(count_stop_paths({more, {}, {}}), InvalidOption);
  EXPECT_THROW(count_stop_paths({one, {0, 0, 0, 0}, {}}), InvalidOption);
  EXPECT_THROW(count_stop_paths({two, {1, 1}, {}}), InvalidOption);
  EXPECT_THROW(count_stop_paths({two, std::vector<double>(9, 1), {{1, 1}}}), InvalidOption);
  EXPECT_THROW(count_stop_paths({two, std::vector<double>(9, 1), {{0, 2}}}), InvalidOption);
}

std::vector<std::pair<StopId, StopId>> all_pairs(std::size_t size) {
  std::vector<std::pair<StopId, StopId>> pairs;
  for (StopId u = 0; u < size; ++u)
    for (StopId v = u + 1; v < size; ++v) pairs.emplace_back(u, v);
  return pairs;
}

/// The largest distance from the exact share, in standard errors of at least 0.002.
double worst_deviation(const WeighedPaths& paths, const SampleOptions& options) {
  const std::size_t size = paths.candidates.size();
  const auto pairs = all_pairs(size);
  const ExactSteps exact = count_paths(paths);
  const SampledSteps sampled = sample_paths(paths, pairs, options);
  EXPECT_GT(sampled.samples, 1'000U);
  double worst = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    worst = std::max(worst, std::abs(sampled.share[i] - exact.of(pairs[i].first, pairs[i].second, size)) /
                                std::max(sampled.standard_error[i], 0.002));
  return worst;
}

TEST(SamplePaths, AgreesWithTheCount) {
  // 66 pairs each, with 15 degrees of freedom of the spread: beyond 9 standard errors less than once in a million.
  const SampleOptions options{.chains = 16, .sweeps = 2'000};
  const BitGraph graph = random_graph(12, 50, 5);
  EXPECT_LT(worst_deviation({graph}, options), 9);
  EXPECT_LT(worst_deviation({graph, std::exp(-2.0), {}}, options), 9);
  EXPECT_LT(worst_deviation({graph, 0, {{2, 9}}}, options), 9);
  EXPECT_LT(worst_deviation({graph, std::exp(-1.0), {{0, 1}}}, options), 9);
}

TEST(SamplePaths, DoesNotDependOnThreadsAndSaysWhenItSawNothing) {
  const BitGraph graph = random_graph(30, 40, 2);
  const auto pairs = all_pairs(30);
  const SampledSteps one = sample_paths({graph}, pairs, {.chains = 4, .sweeps = 50, .threads = 1});
  const SampledSteps two = sample_paths({graph}, pairs, {.chains = 4, .sweeps = 50, .threads = 2});
  EXPECT_EQ(one.share, two.share);
  const SampledSteps none = sample_paths({BitGraph(30)}, pairs, {.sweeps = 20});
  EXPECT_EQ(none.samples, 0U);
  EXPECT_EQ(none.share.front(), 0);
  EXPECT_THROW(sample_paths({graph}, pairs, {.chains = 1}), InvalidOption);
  EXPECT_THROW(sample_paths({graph}, pairs, {.sweeps = 1}), InvalidOption);
}

}  // namespace
}  // namespace fogline::path::hamiltonian_test
