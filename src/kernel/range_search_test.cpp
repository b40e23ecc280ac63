// SPDX-License-Identifier: Apache-2.0
#include "kernel/range_search.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "graph/all_pairs.hpp"
#include "kernel/range_rows.hpp"
#include "kernel/test_range_search.hpp"

namespace fogline::kernel::range_search_test {
namespace {

using Eigen::Index;

struct Example {
  std::vector<double> prior;
  Table weights;
  Table metres;

  RangeProblem problem() const { return {prior, weights, metres, metres}; }
};

Example example_on(const graph::Graph& map, double rate_per_m, std::vector<double> prior) {
  const graph::DistanceTable distances = graph::all_pairs(map);
  const auto n = static_cast<Index>(map.vertex_count());
  Example result{std::move(prior), Table(n, n), Table(n, n)};
  for (Index u = 0; u < n; ++u) {
    for (Index v = 0; v < n; ++v) {
      result.metres(u, v) = static_cast<double>(distances.at(static_cast<graph::VertexId>(u),
                                                             static_cast<graph::VertexId>(v))) /
                            1000;
      result.weights(u, v) = std::max(std::exp(-rate_per_m * result.metres(u, v)), std::ldexp(1.0, -36));
    }
  }
  return result;
}

graph::Graph lattice(graph::VertexId rows, graph::VertexId columns, graph::LengthMm spacing_mm) {
  std::vector<graph::Edge> edges;
  for (graph::VertexId v = 0; v < rows * columns; ++v) {
    if (v % columns + 1 < columns) edges.push_back({v, v + 1, spacing_mm});
    if (v + columns < rows * columns) edges.push_back({v, v + columns, spacing_mm});
  }
  return graph::Graph::from_edges(rows * columns, edges);
}

std::vector<double> uniform(std::size_t count) {
  return std::vector<double>(count, 1.0 / static_cast<double>(count));
}

std::vector<std::uint32_t> listed(const direct::Range& range) {
  return {range.begin(), range.end()};
}

/// A tree over all vertices and a few more roads, of 1 m to 400 m.
graph::Graph arbitrary_map() {
  const auto n = *rc::gen::inRange<graph::VertexId>(2, 22);
  const auto length = [] { return *rc::gen::inRange<graph::LengthMm>(1'000, 400'000); };
  std::vector<graph::Edge> edges;
  for (graph::VertexId v = 1; v < n; ++v)
    edges.push_back({*rc::gen::inRange<graph::VertexId>(0, v), v, length()});
  for (const auto& [from, to] : *rc::gen::container<std::vector<std::pair<graph::VertexId, graph::VertexId>>>(
           rc::gen::pair(rc::gen::inRange<graph::VertexId>(0, n), rc::gen::inRange<graph::VertexId>(0, n)))) {
    if (from != to) edges.push_back({from, to, length()});
  }
  return graph::Graph::from_edges(n, edges);
}

std::vector<double> arbitrary_prior(std::size_t count) {
  std::vector<double> prior(count);
  for (double& share : prior) share = *rc::gen::inRange(0, 5);
  prior[*rc::gen::inRange<std::size_t>(0, count)] += 1;
  double total = 0;
  for (const double share : prior) total += share;
  for (double& share : prior) share /= total;
  return prior;
}

void expect_direct_reading(const Example& example) {
  const RangeSearch found = search_range(example.problem());
  const direct::Range expected = direct::search(example.problem());
  EXPECT_EQ(found.range, listed(expected));
  EXPECT_NEAR(found.q_loss, direct::q_loss(example.problem(), expected), 1e-9 * (1 + found.q_loss));
  EXPECT_NEAR(
      found.pc,
      direct::posterior_error(example.problem(), expected) / direct::q_loss(example.problem(), expected),
      1e-9);
  EXPECT_LE(found.q_loss, found.q_loss_all * (1 + 1e-8));
  EXPECT_GE(found.pc, found.pc_initial);
}

TEST(RangeSearch, IsTheDirectReadingOnArbitraryMaps) {
  EXPECT_TRUE(rc::check("ranges on arbitrary maps and priors", [] {
    const graph::Graph map = arbitrary_map();
    const double rate = *rc::gen::element(0.0005, 0.002, 0.005, 0.01, 0.03, 0.1);
    const Example example = example_on(map, rate, arbitrary_prior(map.vertex_count()));
    RC_ASSERT(search_range(example.problem()).range == listed(direct::search(example.problem())));
  }));
}

TEST(RangeSearch, IsTheDirectReadingOnLattices) {
  // Full of symmetry: most of the comparisons are between equals.
  for (const double rate : {0.0005, 0.002, 0.005, 0.02, 0.05}) {
    SCOPED_TRACE(rate);
    expect_direct_reading(example_on(lattice(7, 7, 100'000), rate, uniform(49)));
    expect_direct_reading(example_on(lattice(1, 30, 40'000), rate, uniform(30)));
    expect_direct_reading(example_on(lattice(5, 9, 78'947), rate, uniform(45)));
  }
}

TEST(RangeSearch, IsTheDirectReadingUnderAPeakedPrior) {
  std::vector<double> prior(100, 0.002);
  for (const std::size_t peak : {22U, 27U, 72U, 77U}) prior[peak] += 0.2;
  for (const double rate : {0.001, 0.005, 0.02}) {
    SCOPED_TRACE(rate);
    expect_direct_reading(example_on(lattice(10, 10, 111'111), rate, prior));
  }
}

TEST(RangeSearch, KeepsOneOutputForAPersonWhoNeverMoves) {
  //  0 -- 1 -- 2: always at 1, so the only output worth keeping is 1
  const RangeSearch found = search_range(example_on(lattice(1, 3, 100'000), 0.005, {0, 1, 0}).problem());
  EXPECT_EQ(found.range, std::vector<std::uint32_t>{1});
  EXPECT_EQ(found.q_loss, 0);
}

TEST(RangeSearch, ATightLimitLeavesTheFirstStage) {
  // The first stage ends where every drop raises Q_loss, so a limit there allows none.
  const Example example = example_on(lattice(8, 8, 100'000), 0.005, uniform(64));
  const RangeSearch free = search_range(example.problem());
  const RangeSearch held = search_range(example.problem(), {.most_q_loss = free.q_loss_initial});
  EXPECT_EQ(held.range, free.initial);
  EXPECT_NE(free.range, free.initial);
}

TEST(RangeSearch, MostCandidatesNeedNoExactValue) {
  const RangeSearch found = search_range(example_on(lattice(14, 14, 78'947), 0.005, uniform(196)).problem());
  EXPECT_GT(found.bounded, 2 * found.computed);
}

TEST(RangeSearch, RefusesWhatDoesNotFit) {
  const Example good = example_on(lattice(2, 2, 100'000), 0.005, uniform(4));
  Example bad = good;
  bad.prior.pop_back();
  EXPECT_THROW(search_range(bad.problem()), InvalidOption);
  bad = good;
  bad.prior = {0, 0, 0, 0};
  EXPECT_THROW(search_range(bad.problem()), InvalidOption);
  bad.prior = {1, -1, 0.5, 0.5};
  EXPECT_THROW(search_range(bad.problem()), InvalidOption);
  bad = good;
  bad.weights(0, 0) = 0;
  EXPECT_THROW(search_range(bad.problem()), InvalidOption);
  bad = good;
  bad.metres(1, 2) = std::nan("");
  EXPECT_THROW(search_range(bad.problem()), InvalidOption);
  EXPECT_THROW(search_range(good.problem(), {.tolerance = 0}), InvalidOption);
  EXPECT_THROW(search_range(good.problem(), {.most_q_loss = -1.0}), InvalidOption);
}

TEST(RangeSearch, CanBeStopped) {
  const Example example = example_on(lattice(9, 9, 100'000), 0.005, uniform(81));
  EXPECT_THROW(search_range(example.problem(), {.progress = [](const ProgressUpdate&) { return false; }}),
               Cancelled);
}

TEST(RangeRows, LoseNoDigitsWhenAnOutputHoldsNearlyAllTheWeight) {
  // Vertices 10 km apart at 0.0025 per metre: another vertex has a share of e^-25. Without vertex 0 the others are all that counts.
  const Example example = example_on(lattice(1, 3, 10'000'000), 0.0025, uniform(3));
  RangeRows rows(example.problem());
  EXPECT_NEAR(rows.q_loss(rows.without(0)), direct::q_loss(example.problem(), {1, 2}), 1e-9);
  rows.remove(0);
  EXPECT_NEAR(rows.q_loss(), direct::q_loss(example.problem(), {1, 2}), 1e-9);
  rows.remove(2);
  EXPECT_NEAR(rows.q_loss(), 20'000.0 / 3, 1e-9);
}

}  // namespace
}  // namespace fogline::kernel::range_search_test
