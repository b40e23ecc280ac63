// SPDX-License-Identifier: Apache-2.0
#include "kernel/split_exponential.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "kernel/certificate.hpp"
#include "random/chi_square.hpp"
#include "random/key.hpp"

namespace fogline::kernel::split_exponential_test {
namespace {

using graph::Edge;
using graph::Graph;
using graph::LengthMm;
using graph::VertexId;

const Rational epsilon(1, 100'000);  // 0.01 per metre

Certificate whole_table(const Graph& map, const SplitExponential& split) {
  return certify(Relation::metric(map), [&](InputId v) {
    graph::Dijkstra search(split.shortened());
    return split.kernel().row(v, search);
  });
}

Graph random_map(VertexId n) {
  std::vector<Edge> edges;
  for (VertexId v = 1; v < n; ++v) {
    // Lengths from one millimetre to beyond the cap.
    edges.push_back({*rc::gen::inRange<VertexId>(0, v), v, LengthMm{1} << *rc::gen::inRange(0, 23)});
    edges.push_back({*rc::gen::inRange<VertexId>(0, n), v, *rc::gen::inRange<LengthMm>(1, 400'000)});
  }
  return Graph::from_edges(n, edges);
}

TEST(SplitExponential, HalfLengthsKeepEpsilonOnEveryMap) {
  EXPECT_TRUE(rc::check("half lengths are the graph-exponential mechanism", [] {
    const Graph map = random_map(*rc::gen::inRange<VertexId>(2, 25));
    std::vector<LengthMm> half;
    for (const Edge& road : map.edges()) half.push_back(road.length_mm * 32);
    const SplitExponential split(map, {.epsilon_per_mm = epsilon, .length = half});
    RC_ASSERT(holds(split.certify(), epsilon));
    RC_ASSERT(holds(whole_table(map, split), epsilon));
  }));
}

TEST(SplitExponential, ItsCertificateIsNeverBelowThatOfTheWholeTable) {
  EXPECT_TRUE(rc::check("weights and totals bound the loss", [] {
    const Graph map = random_map(*rc::gen::inRange<VertexId>(2, 25));
    std::vector<LengthMm> length;
    for (const Edge& road : map.edges())
      length.push_back(*rc::gen::inRange<LengthMm>(1, road.length_mm * 64 + 1));
    const auto handicap = *rc::gen::container<std::vector<std::uint32_t>>(map.vertex_count(),
                                                                          rc::gen::inRange(0U, 40'000'000U));
    const SplitExponential split(map, {.epsilon_per_mm = epsilon, .length = length, .handicap = handicap});
    RC_ASSERT(whole_table(map, split).loss.low <= split.certify().loss_high);
    RC_ASSERT(split.certify().loss_high <= 2e-5 * (1 + 1e-9));
    RC_ASSERT(split.certify().roads == map.edge_count());
  }));
}

TEST(SplitExponential, DrawsFollowItsRows) {
  // 200,000 draws; 5 deviations are passed by chance once in three million.
  const Graph map = Graph::from_edges(4, std::vector<Edge>{{0, 1, 100'000}, {1, 2, 50'000}, {2, 3, 1}});
  const SplitExponential split(map, {.epsilon_per_mm = epsilon,
                                     .length = {5'000'000, 2'000'000, 60},
                                     .handicap = {0, 9'000'000, 1'000'000, 4'000'000'000}});
  graph::Dijkstra search(split.shortened());
  random::Stream noise = random::SeededKey(42).stream("split");
  std::vector<std::uint64_t> counts(4);
  for (int i = 0; i < 200'000; ++i) ++counts[split.kernel().draw(1, search, noise)];
  const WeightRow row = split.kernel().row(1, search);
  EXPECT_EQ(row.weights[3], ExponentialRule::tail_weight);  // a handicap beyond the cap
  std::vector<double> expected;
  for (const Uint128 weight : row.weights)
    expected.push_back(static_cast<double>(weight) / static_cast<double>(row.total));
  EXPECT_LT(random::chi_square(counts, expected, 200'000).deviations, 5);
}

TEST(SplitExponential, RefusesListsOfTheWrongSize) {
  const Graph map = Graph::from_edges(2, std::vector<Edge>{{0, 1, 1000}});
  EXPECT_THROW(SplitExponential(map, {.epsilon_per_mm = epsilon, .length = {}}), InvalidOption);
  EXPECT_THROW(SplitExponential(map, {.epsilon_per_mm = epsilon, .length = {9}, .handicap = {1}}),
               InvalidOption);
}

}  // namespace
}  // namespace fogline::kernel::split_exponential_test
