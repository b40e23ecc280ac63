// SPDX-License-Identifier: Apache-2.0
#include "graph/transitive_orientation.hpp"

#include <algorithm>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace fogline::graph::transitive_orientation_test {
namespace {

BitGraph coin_graph(std::size_t vertices, double density, std::uint64_t seed) {
  std::mt19937_64 coins(seed);
  std::bernoulli_distribution joined(density);
  BitGraph graph(vertices);
  for (VertexId u = 0; u < vertices; ++u)
    for (VertexId v = u + 1; v < vertices; ++v)
      if (joined(coins)) graph.join(u, v);
  return graph;
}

/// u is below v in the order if it is lower in several rankings at once.
BitGraph comparable_pairs(std::size_t vertices, std::size_t rankings, std::uint64_t seed) {
  std::mt19937_64 coins(seed);
  std::vector<std::vector<std::size_t>> rank(rankings, std::vector<std::size_t>(vertices));
  for (auto& places : rank) {
    for (std::size_t i = 0; i < vertices; ++i) places[i] = i;
    std::ranges::shuffle(places, coins);
  }
  BitGraph graph(vertices);
  for (VertexId u = 0; u < vertices; ++u)
    for (VertexId v = 0; v < vertices; ++v)
      if (std::ranges::all_of(rank, [&](const auto& places) { return places[u] < places[v]; }))
        graph.join(u, v);
  return graph;
}

bool is_order_of(const PartialOrder& order, const BitGraph& graph) {
  for (VertexId u = 0; u < graph.size(); ++u) {
    for (VertexId v = 0; v < graph.size(); ++v) {
      if (order.below(u, v) && order.below(v, u)) return false;
      if ((order.below(u, v) || order.below(v, u)) != graph.joined(u, v)) return false;
      if (!order.below(u, v)) continue;
      for (std::size_t word = 0; word < graph.words(); ++word)
        if ((order.above(v)[word] & ~order.above(u)[word]) != 0) return false;
    }
  }
  return true;
}

/// Tries every way to direct the edges.
bool can_be_oriented(const BitGraph& graph) {
  std::vector<std::pair<VertexId, VertexId>> edges;
  for (VertexId u = 0; u < graph.size(); ++u)
    for (VertexId v = u + 1; v < graph.size(); ++v)
      if (graph.joined(u, v)) edges.emplace_back(u, v);
  for (std::uint32_t ways = 0; ways < (std::uint32_t{1} << edges.size()); ++ways) {
    PartialOrder order(graph.size());
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const auto [u, v] = edges[e];
      (ways >> e & 1) != 0 ? order.put_below(u, v) : order.put_below(v, u);
    }
    if (is_order_of(order, graph)) return true;
  }
  return false;
}

/// The same by the classes of forced edges alone: no edge may be linked to its reverse.
bool no_edge_forces_its_reverse(const BitGraph& graph) {
  const std::size_t n = graph.size();
  std::vector<std::size_t> leader(n * n);
  for (std::size_t i = 0; i < leader.size(); ++i) leader[i] = i;
  const auto find = [&](std::size_t i) {
    while (leader[i] != i) i = leader[i];
    return i;
  };
  for (VertexId a = 0; a < n; ++a) {
    for (VertexId b = 0; b < n; ++b) {
      for (VertexId c = 0; c < n; ++c) {
        if (b == c || !graph.joined(a, b) || !graph.joined(a, c) || graph.joined(b, c)) continue;
        leader[find(a * n + b)] = find(a * n + c);
        leader[find(b * n + a)] = find(c * n + a);
      }
    }
  }
  for (VertexId a = 0; a < n; ++a)
    for (VertexId b = 0; b < n; ++b)
      if (graph.joined(a, b) && find(a * n + b) == find(b * n + a)) return false;
  return true;
}

TEST(TransitiveOrientation, OrientsARingOfFourAndNotOneOfFive) {
  for (const VertexId count : {4U, 5U, 6U, 7U}) {
    BitGraph ring(count);
    for (VertexId v = 0; v < count; ++v) ring.join(v, (v + 1) % count);
    EXPECT_EQ(transitive_orientation(ring).has_value(), count % 2 == 0) << count;
  }
}

TEST(TransitiveOrientation, ReadsTheLayersOffTheOrder) {
  BitGraph graph(5);  // 0 - 1 - 2 a triangle, 3 beside it joined to 0, 4 alone
  graph.join(0, 1), graph.join(0, 2), graph.join(1, 2), graph.join(0, 3);
  const auto order = transitive_orientation(graph);
  ASSERT_TRUE(order);
  EXPECT_TRUE(is_order_of(*order, graph));
  EXPECT_THAT(order->layers(), testing::ElementsAre(0, 1, 2, 1, 0));
}

TEST(TransitiveOrientation, AgreesWithTryingEveryDirection) {
  EXPECT_TRUE(rc::check([] {
    const auto vertices = *rc::gen::inRange<std::size_t>(1, 8);
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    BitGraph graph = coin_graph(vertices, 0.3 + 0.1 * static_cast<double>(seed % 6), seed);
    for (VertexId v = 1; graph.edge_count() > 11 && v < vertices; ++v) graph.part(v - 1, v);
    RC_PRE(graph.edge_count() <= 11);
    const auto order = transitive_orientation(graph);
    RC_ASSERT(order.has_value() == can_be_oriented(graph));
    if (order) {
      RC_ASSERT(is_order_of(*order, graph));
    }
  }));
}

TEST(TransitiveOrientation, AgreesWithTheClassesOfForcedEdges) {
  std::size_t oriented = 0;
  for (std::uint64_t seed = 0; seed < 1'500; ++seed) {
    const BitGraph graph = coin_graph(3 + seed % 7, 0.25 + 0.1 * static_cast<double>(seed % 6), seed);
    const auto order = transitive_orientation(graph);
    ASSERT_EQ(order.has_value(), no_edge_forces_its_reverse(graph)) << seed;
    if (order) {
      ++oriented;
      ASSERT_TRUE(is_order_of(*order, graph)) << seed;
    }
  }
  EXPECT_GT(oriented, 300U);
  EXPECT_LT(oriented, 1'300U);
}

TEST(TransitiveOrientation, OrientsWhateverCameFromAnOrder) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const BitGraph graph = comparable_pairs(5 + seed * 3 % 150, 2 + seed % 3, seed);
    const auto order = transitive_orientation(graph);
    ASSERT_TRUE(order) << seed;
    ASSERT_TRUE(is_order_of(*order, graph)) << seed;
    const std::vector<std::uint32_t> layer = order->layers();
    for (VertexId u = 0; u < graph.size(); ++u)
      for_each_bit(order->above(u), [&](VertexId v) { ASSERT_LT(layer[u], layer[v]); });
  }
}

TEST(TransitiveOrientation, TakesCompleteAndEmptyGraphsOfAnySize) {
  for (const std::size_t count : {1U, 2U, 63U, 64U, 65U, 300U}) {
    EXPECT_EQ(transitive_orientation(BitGraph(count))->layers(), std::vector<std::uint32_t>(count, 0));
    const auto chain = transitive_orientation(BitGraph(count).complement());
    ASSERT_TRUE(chain);
    std::vector<std::uint32_t> layers = chain->layers();
    std::ranges::sort(layers);
    for (std::uint32_t i = 0; i < count; ++i) ASSERT_EQ(layers[i], i);
  }
}

TEST(TransitiveOrientation, GivesUpOnLargeRandomGraphsAndOrientsLargeCompleteOnes) {
  EXPECT_FALSE(transitive_orientation(coin_graph(1'000, 0.62, 1)));
  EXPECT_TRUE(transitive_orientation(BitGraph(1'000).complement()));
}

}  // namespace
}  // namespace fogline::graph::transitive_orientation_test
