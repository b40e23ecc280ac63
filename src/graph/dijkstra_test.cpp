// SPDX-License-Identifier: Apache-2.0
#include "graph/dijkstra.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"

namespace fogline::graph::dijkstra_test {
namespace {

//   0 --5-- 1 --5-- 2
//   |               |
//   3               1       5 --7-- 6   apart
//   |               |
//   3 ------4------ 4
const std::vector<Edge> block = {{0, 1, 5}, {1, 2, 5}, {0, 3, 3}, {3, 4, 4}, {4, 2, 1}, {5, 6, 7}};

std::vector<DistanceMm> by_bellman_ford(std::size_t vertex_count, const std::vector<Edge>& edges,
                                        VertexId source) {
  std::vector<DistanceMm> distance(vertex_count, unreachable);
  distance[source] = 0;
  for (std::size_t round = 0; round < vertex_count; ++round) {
    for (const Edge& edge : edges) {
      for (const auto& [from, to] : {std::pair(edge.tail, edge.head), std::pair(edge.head, edge.tail)}) {
        if (distance[from] == unreachable) continue;
        distance[to] = std::min(distance[to], distance[from] + edge.length_mm);
      }
    }
  }
  return distance;
}

std::vector<Edge> any_edges(std::size_t vertex_count, LengthMm longest) {
  std::vector<Edge> edges(*rc::gen::inRange<std::size_t>(0, 4 * vertex_count));
  for (Edge& edge : edges) {
    edge.tail = *rc::gen::inRange<VertexId>(0, static_cast<VertexId>(vertex_count));
    edge.head = *rc::gen::inRange<VertexId>(0, static_cast<VertexId>(vertex_count));
    edge.length_mm = *rc::gen::inRange<LengthMm>(1, longest);
  }
  return edges;
}

TEST(Dijkstra, FindsTheShorterWayRoundTheBlock) {
  const Graph graph = Graph::from_edges(7, block);
  Dijkstra search(graph);
  EXPECT_THAT(search.one_to_all(0), testing::ElementsAre(0, 5, 8, 3, 7, unreachable, unreachable));
  EXPECT_THAT(search.one_to_all(6),
              testing::ElementsAre(unreachable, unreachable, unreachable, unreachable, unreachable, 7, 0));
}

TEST(Dijkstra, WithinListsByDistanceThenNumberAndIncludesTheRadius) {
  const Graph graph = Graph::from_edges(5, std::vector<Edge>{{0, 4, 5}, {0, 2, 5}, {2, 1, 3}, {4, 3, 4}});
  Dijkstra search(graph);
  std::vector<std::pair<VertexId, DistanceMm>> found;
  for (const Settled& settled : search.within(0, 8)) found.emplace_back(settled.vertex, settled.distance_mm);
  EXPECT_THAT(found, testing::ElementsAre(testing::Pair(0, 0), testing::Pair(2, 5), testing::Pair(4, 5),
                                          testing::Pair(1, 8)));
  EXPECT_EQ(search.within(0, 0).size(), 1U);
  EXPECT_EQ(search.within(0, unreachable).size(), 5U);
}

TEST(Dijkstra, RefusesASourceThatIsNoVertex) {
  const Graph graph = Graph::from_edges(7, block);
  const Graph nothing;
  EXPECT_THROW(Dijkstra(graph).one_to_all(7), InvalidOption);
  EXPECT_THROW(Dijkstra(graph).within(7, 1), InvalidOption);
  EXPECT_THROW(Dijkstra(nothing).one_to_all(0), InvalidOption);
}

TEST(Dijkstra, DistancesBeyond32BitsAreExact) {
  constexpr LengthMm longest = std::numeric_limits<LengthMm>::max();
  std::vector<Edge> chain;
  for (VertexId v = 0; v < 10; ++v) chain.push_back({v, v + 1, longest - v});
  chain.push_back({0, 11, 1});
  const Graph graph = Graph::from_edges(12, chain);
  EXPECT_EQ(Dijkstra(graph).one_to_all(0)[10], DistanceMm{10} * longest - 45);
}

TEST(Dijkstra, AgreesWithBellmanFordWhateverTheLengths) {
  EXPECT_TRUE(rc::check("one_to_all and within against Bellman-Ford, one search reused", [] {
    const auto vertex_count = *rc::gen::inRange<std::size_t>(1, 40);
    const auto longest = *rc::gen::element<LengthMm>(2, 100, 1'000'000, 4'000'000'000);
    const std::vector<Edge> edges = any_edges(vertex_count, longest);
    const Graph graph = Graph::from_edges(vertex_count, edges);
    Dijkstra search(graph);
    for (VertexId source = 0; source < vertex_count; ++source) {
      const std::vector<DistanceMm> expected = by_bellman_ford(vertex_count, edges, source);
      const DistanceMm radius = *rc::gen::inRange<DistanceMm>(0, 3 * DistanceMm{longest});
      std::vector<std::pair<DistanceMm, VertexId>> near;
      for (VertexId v = 0; v < vertex_count; ++v) {
        if (expected[v] <= radius) near.emplace_back(expected[v], v);
      }
      std::sort(near.begin(), near.end());
      const std::span<const Settled> found = search.within(source, radius);
      RC_ASSERT(found.size() == near.size());
      for (std::size_t i = 0; i < near.size(); ++i) {
        RC_ASSERT(found[i].distance_mm == near[i].first && found[i].vertex == near[i].second);
      }
      RC_ASSERT(std::ranges::equal(search.one_to_all(source), expected));
    }
  }));
}

}  // namespace
}  // namespace fogline::graph::dijkstra_test
