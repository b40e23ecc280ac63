// SPDX-License-Identifier: Apache-2.0
#include "path/success.hpp"

#include <atomic>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "random/key.hpp"

namespace fogline::path::success_test {
namespace {

SuccessOptions with_epsilon(std::uint64_t epsilon, std::uint64_t runs) {
  SuccessOptions options{.runs = runs};
  options.labels.epsilon_edges = privacy::Epsilon{epsilon, 1};
  options.labels.every_vertex = true;
  return options;
}

TEST(ExpectedSuccess, RisesWithEpsilonAsMeasuredBefore) {
  // Of 2,000 runs, .645 and .979 succeeded; 150 runs stay within 5 standard errors of both.
  const SampleRouteOptions network{.vertices = 10, .roads = 15};
  const Success low = expected_success(network, with_epsilon(2, 150));
  const Success high = expected_success(network, with_epsilon(5, 150));
  EXPECT_NEAR(low.share, 0.64, 5 * 0.04);
  EXPECT_NEAR(high.share, 0.98, 5 * 0.012);
  EXPECT_NEAR(low.standard_error, 0.04, 0.01);
  EXPECT_EQ(low.runs, 150U);
}

TEST(ExpectedSuccess, IsTheSameWhateverTheThreads) {
  const SampleRouteOptions network{.vertices = 8, .roads = 12};
  SuccessOptions options = with_epsilon(2, 40);
  options.threads = 1;
  const double alone = expected_success(network, options).share;
  options.threads = 2;
  EXPECT_EQ(expected_success(network, options).share, alone);
}

TEST(ExpectedSuccess, TakesTheNetworkItself) {
  auto choice = random::SeededKey(4).stream("map");
  const RouteMap map = sample_route({.vertices = 12, .roads = 16}, choice).map;
  SuccessOptions options = with_epsilon(20, 20);
  EXPECT_EQ(expected_success(map, options).share, 1);
  options.labels.every_vertex = false;
  EXPECT_EQ(expected_success(map, options).share, 1);
  options.labels.ends = {{0, 5}};
  EXPECT_EQ(expected_success(map, options).share, 1);
}

TEST(ExpectedSuccess, GuessingIsNotTakenForReading) {
  std::vector<std::pair<VertexId, VertexId>> roads;
  for (VertexId v = 0; v < 10; ++v) roads.emplace_back(v, (v + 1) % 10);
  const RouteMap ring = make_map({"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}, roads);
  SuccessOptions options = with_epsilon(1, 400);
  options.labels.epsilon_edges = privacy::Epsilon{1, 1000};
  EXPECT_NEAR(expected_success(ring, options).share, 0.1,
              0.075);  // ten routes, as good as no labels: 5 standard errors
}

TEST(ExpectedSuccess, WhatIsNotDeclaredIsNotKnown) {
  const SampleRouteOptions network{.vertices = 10, .roads = 15};
  SuccessOptions options = with_epsilon(3, 100);
  const Success known = expected_success(network, options);
  options.labels.every_vertex = false;
  EXPECT_LT(expected_success(network, options).share, known.share - 0.1);
  EXPECT_EQ(known.read, static_cast<std::uint64_t>(known.share * 100 + 0.5));
}

TEST(ExpectedSuccess, CanBeStopped) {
  SuccessOptions options = with_epsilon(1, 1000);
  std::atomic<int> asked = 0;
  options.progress = [&](const ProgressUpdate&) { return ++asked < 3; };
  EXPECT_THROW(expected_success({.vertices = 50, .roads = 75}, options), Cancelled);
  EXPECT_LT(asked, 10);
}

TEST(ExpectedSuccess, RefusesWhatItCannotTry) {
  const RouteMap star = make_map({"a", "b", "c", "d"}, {{0, 1}, {0, 2}, {0, 3}});
  SuccessOptions options = with_epsilon(2, 10);
  EXPECT_THROW(expected_success(star, options), InvalidOption);
  EXPECT_THROW(expected_success(star, with_epsilon(2, 1)), InvalidOption);
  options.labels.ends = {{1, 2}};
  EXPECT_THROW(expected_success({.vertices = 4, .roads = 4}, options), InvalidOption);
  options.labels.ends = {};
  options.labels.form = PathForm::one_sided;
  EXPECT_THROW(expected_success(star, options), InvalidOption);
}

}  // namespace
}  // namespace fogline::path::success_test
