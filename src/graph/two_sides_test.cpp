// SPDX-License-Identifier: Apache-2.0
#include "graph/two_sides.hpp"

#include <algorithm>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"

namespace fogline::graph::two_sides_test {
namespace {

BitGraph tossed_graph(std::size_t vertices, double density, std::uint64_t seed) {
  std::mt19937_64 coins(seed);
  std::bernoulli_distribution joined(density);
  BitGraph graph(vertices);
  for (VertexId u = 0; u < vertices; ++u)
    for (VertexId v = u + 1; v < vertices; ++v)
      if (joined(coins)) graph.join(u, v);
  return graph;
}

bool is_independent(const BitGraph& graph, const std::vector<VertexId>& side) {
  for (const VertexId u : side)
    for (const VertexId v : side)
      if (graph.joined(u, v)) return false;
  return true;
}

bool are_two_sides(const BitGraph& graph, const TwoSides& sides) {
  std::vector<VertexId> both = sides.lower;
  both.insert(both.end(), sides.upper.begin(), sides.upper.end());
  std::ranges::sort(both);
  return std::ranges::adjacent_find(both) == both.end() && std::ranges::is_sorted(sides.lower) &&
         std::ranges::is_sorted(sides.upper) && is_independent(graph, sides.lower) &&
         is_independent(graph, sides.upper);
}

/// Every vertex below, above or out.
std::size_t largest_by_trying(const BitGraph& graph, VertexId from, std::vector<VertexId>& lower,
                              std::vector<VertexId>& upper) {
  if (from == graph.size()) return lower.size() + upper.size();
  std::size_t best = largest_by_trying(graph, from + 1, lower, upper);
  for (auto* side : {&lower, &upper}) {
    if (std::ranges::any_of(*side, [&](VertexId v) { return graph.joined(v, from); })) continue;
    side->push_back(from);
    best = std::max(best, largest_by_trying(graph, from + 1, lower, upper));
    side->pop_back();
  }
  return best;
}

TEST(TwoSides, TakesAllOfABipartiteGraphAndTwoOfEachTriangle) {
  BitGraph graph(11);  // a path of five, and two triangles
  for (VertexId v = 0; v < 4; ++v) graph.join(v, v + 1);
  for (const VertexId v : {5U, 8U}) graph.join(v, v + 1), graph.join(v, v + 2), graph.join(v + 1, v + 2);
  for (const std::size_t exact_up_to : {24U, 0U}) {
    const TwoSides sides = two_sides(graph, {.exact_up_to = exact_up_to});
    EXPECT_TRUE(are_two_sides(graph, sides));
    EXPECT_EQ(sides.size(), 9U);
    EXPECT_EQ(sides.proved_largest, exact_up_to == 24);
  }
}

TEST(TwoSides, FindsTheLargestInSmallGraphs) {
  EXPECT_TRUE(rc::check([] {
    const auto vertices = *rc::gen::inRange<std::size_t>(1, 11);
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const BitGraph graph = tossed_graph(vertices, 0.1 * static_cast<double>(seed % 11), seed);
    const TwoSides exact = two_sides(graph), grown = two_sides(graph, {.exact_up_to = 0});
    std::vector<VertexId> lower, upper;
    RC_ASSERT(are_two_sides(graph, exact));
    RC_ASSERT(are_two_sides(graph, grown));
    RC_ASSERT(exact.size() == largest_by_trying(graph, 0, lower, upper));
    RC_ASSERT(exact.proved_largest);
    RC_ASSERT(grown.size() <= exact.size());
  }));
}

TEST(TwoSides, EndsAtTheExactLimitWhateverTheDensity) {
  for (std::uint64_t seed = 0; seed < 22; ++seed) {
    const BitGraph graph = tossed_graph(32, 0.05 * static_cast<double>(seed % 11), seed);
    const TwoSides exact = two_sides(graph, {.exact_up_to = 32});
    EXPECT_TRUE(are_two_sides(graph, exact));
    const TwoSides grown = two_sides(graph);
    EXPECT_TRUE(are_two_sides(graph, grown));
    EXPECT_LE(grown.size(), exact.size());
    EXPECT_GE(grown.size() + 4, exact.size()) << seed;
  }
}

TEST(TwoSides, TakesLargeSparseDenseEmptyAndCompleteGraphs) {
  EXPECT_EQ(two_sides(BitGraph(300)).size(), 300U);
  EXPECT_EQ(two_sides(BitGraph(300).complement()).size(), 2U);
  for (const double density : {0.01, 0.1, 0.9}) {
    const BitGraph graph = tossed_graph(300, density, 3);
    const TwoSides sides = two_sides(graph);
    EXPECT_TRUE(are_two_sides(graph, sides));
    EXPECT_EQ(two_sides(graph).lower, sides.lower);
    EXPECT_EQ(two_sides(graph).upper, sides.upper);
  }
  EXPECT_GE(two_sides(tossed_graph(300, 0.01, 3)).size(), 230U);
}

TEST(TwoSides, RefusesAnExactLimitBeyondItsMasks) {
  EXPECT_THROW(two_sides(BitGraph(3), {.exact_up_to = 33}), InvalidOption);
}

}  // namespace
}  // namespace fogline::graph::two_sides_test
