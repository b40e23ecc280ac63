// SPDX-License-Identifier: Apache-2.0
#include "kernel/capped_exponential.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "kernel/certificate.hpp"
#include "random/chi_square.hpp"
#include "random/key.hpp"

namespace fogline::kernel::capped_exponential_test {
namespace {

using graph::Edge;
using graph::Graph;
using graph::VertexId;

//   0 --100 m-- 1 --200 m-- 2
//   |                       |
// 150 m                    1 mm
//   |                       |
//   3 ---------5 km-------- 4          5 (not joined)
Graph small_map() {
  return Graph::from_edges(
      6, std::vector<Edge>{{0, 1, 100'000}, {1, 2, 200'000}, {0, 3, 150'000}, {2, 4, 1}, {3, 4, 5'000'000}});
}

const Rational rate(1, 200'000);  // epsilon 0.01 per metre, halved

TEST(CappedExponential, WeighsByDistanceAndEvenlyBeyondTheCap) {
  const Graph map = small_map();
  const CappedExponential kernel(map, {.rate_per_mm = rate});
  graph::Dijkstra search(map);
  const WeightRow row = kernel.row(0, search);
  EXPECT_NEAR(std::log(static_cast<double>(row.weights[0]) / static_cast<double>(row.weights[1])), 0.5, 1e-9);
  EXPECT_NEAR(std::log(static_cast<double>(row.weights[0]) / static_cast<double>(row.weights[2])), 1.5, 1e-9);
  EXPECT_EQ(row.weights[5], ExponentialRule::tail_weight);
  Uint128 sum = 0;
  for (const Uint128 weight : row.weights) sum += weight;
  EXPECT_EQ(row.total, sum);
  EXPECT_EQ(kernel.total(0, search), sum);
}

TEST(CappedExponential, DrawsFollowTheRow) {
  // 200,000 draws from each input; 5 deviations are passed by chance once in three million. Tail drawn often:
  // rate 1/2 per mm puts the cap at 50 mm, so that most of the line lies beyond it.
  std::vector<Edge> line;
  for (VertexId v = 0; v + 1 < 200; ++v) line.push_back({v, v + 1, 20});
  const Graph maps[] = {small_map(), Graph::from_edges(200, line)};
  for (const Graph& map : maps) {
    const CappedExponential kernel(map, {.rate_per_mm = map.vertex_count() == 6 ? rate : Rational(1, 2)});
    graph::Dijkstra search(map);
    for (const VertexId input : {VertexId{0}, VertexId{3}}) {
      random::Stream noise = random::SeededKey(40).stream("kernel", input);
      std::vector<std::uint64_t> counts(map.vertex_count());
      constexpr std::uint64_t samples = 200'000;
      for (std::uint64_t i = 0; i < samples; ++i) ++counts[kernel.draw(input, search, noise)];
      const WeightRow row = kernel.row(input, search);
      std::vector<double> expected;
      for (const Uint128 weight : row.weights) {
        expected.push_back(static_cast<double>(weight) / static_cast<double>(row.total));
      }
      EXPECT_LT(random::chi_square(counts, expected, samples).deviations, 5);
    }
  }
}

TEST(CappedExponential, ReachesTheTailInTheRightShare) {
  // A star whose leaves all lie beyond the cap of the centre: centre 2^100, 2^16 leaves of 2^64 would never
  // be seen, so ask for the total instead, and draw from a range that leaves only the tail.
  std::vector<Edge> star;
  for (VertexId leaf = 1; leaf <= 50; ++leaf) star.push_back({0, leaf, 1000});
  const Graph map = Graph::from_edges(51, star);
  std::vector<VertexId> leaves;
  for (VertexId leaf = 1; leaf <= 50; ++leaf) leaves.push_back(leaf);
  const CappedExponential kernel(map, {.rate_per_mm = Rational(1), .range = leaves});
  graph::Dijkstra search(map);
  EXPECT_EQ(kernel.total(0, search), ExponentialRule::tail_weight * 50);
  random::Stream noise = random::SeededKey(41).stream("tail");
  std::vector<std::uint64_t> counts(51);
  for (int i = 0; i < 100'000; ++i) ++counts[kernel.draw(0, search, noise)];
  std::vector<double> even(51, 1.0 / 50);
  even[0] = 0;
  EXPECT_EQ(counts[0], 0U);
  EXPECT_LT(random::chi_square(counts, even, 100'000).deviations, 5);
}

TEST(CappedExponential, IsCertifiedOnRandomGraphs) {
  EXPECT_TRUE(rc::check("largest loss per millimetre is at most twice the rate", [] {
    const auto n = *rc::gen::inRange<VertexId>(2, 30);
    std::vector<Edge> edges;
    for (VertexId v = 1; v < n; ++v) {
      // Lengths from one millimetre to beyond the cap.
      const auto bits = *rc::gen::inRange(0, 24);
      edges.push_back({*rc::gen::inRange<VertexId>(0, v), v, graph::LengthMm{1} << bits});
      edges.push_back(
          {*rc::gen::inRange<VertexId>(0, n), v, *rc::gen::inRange<graph::LengthMm>(1, 2'000'000)});
    }
    const Graph map = Graph::from_edges(n, edges);
    const CappedExponential kernel(map, {.rate_per_mm = rate});
    graph::Dijkstra search(map);
    const auto loss =
        certify(Relation::metric(map), [&](InputId v) { return kernel.row(v, search); }, {.threads = 1}).loss;
    RC_ASSERT(loss.high <= 1.0 / 100'000);
    RC_ASSERT(loss.low <= loss.high);
  }));
}

TEST(CappedExponential, RefusesABadRange) {
  const Graph map = small_map();
  EXPECT_THROW(CappedExponential(map, {.rate_per_mm = rate, .range = {6}}), InvalidOption);
  EXPECT_THROW(CappedExponential(map, {.rate_per_mm = rate, .range = {1, 1}}), InvalidOption);
  EXPECT_THROW(CappedExponential(Graph(), {.rate_per_mm = rate}), InvalidOption);
}

}  // namespace
}  // namespace fogline::kernel::capped_exponential_test
