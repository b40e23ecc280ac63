// SPDX-License-Identifier: Apache-2.0
#include "graph/graph.hpp"

#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"

namespace fogline::graph::graph_test {
namespace {

TEST(Graph, StoresEachEdgeAsTwoArcsSortedByHead) {
  const Graph graph = Graph::from_edges(4, std::vector<Edge>{{2, 1, 700}, {0, 1, 500}, {1, 3, 9}});
  EXPECT_EQ(graph.vertex_count(), 4U);
  EXPECT_EQ(graph.edge_count(), 3U);
  std::vector<std::pair<VertexId, LengthMm>> arcs;
  for (const Arc& arc : graph.arcs(1)) arcs.emplace_back(arc.head, arc.length_mm);
  EXPECT_THAT(arcs, testing::ElementsAre(testing::Pair(0, 500), testing::Pair(2, 700), testing::Pair(3, 9)));
  EXPECT_EQ(graph.degree(1), 3U);
  EXPECT_EQ(graph.degree(0), 1U);
  EXPECT_THAT(graph.edges(), testing::ElementsAre(Edge{0, 1, 500}, Edge{1, 2, 700}, Edge{1, 3, 9}));
}

TEST(Graph, KeepsTheShortestOfParallelEdgesAndNoSelfLoop) {
  const Graph graph = Graph::from_edges(2, std::vector<Edge>{{0, 1, 8}, {1, 0, 3}, {0, 0, 1}, {0, 1, 5}});
  EXPECT_THAT(graph.edges(), testing::ElementsAre(Edge{0, 1, 3}));
}

TEST(Graph, MayBeEmptyOrWithoutEdges) {
  EXPECT_EQ(Graph().vertex_count(), 0U);
  EXPECT_EQ(Graph::from_edges(0, {}).vertex_count(), 0U);
  const Graph lonely = Graph::from_edges(3, {});
  EXPECT_EQ(lonely.vertex_count(), 3U);
  EXPECT_EQ(lonely.edge_count(), 0U);
  EXPECT_TRUE(lonely.arcs(2).empty());
}

TEST(Graph, RefusesUnknownVerticesAndLengthZero) {
  EXPECT_THROW(Graph::from_edges(2, std::vector<Edge>{{0, 2, 1}}), InvalidOption);
  EXPECT_THROW(Graph::from_edges(2, std::vector<Edge>{{5, 0, 1}}), InvalidOption);
  EXPECT_THROW(Graph::from_edges(2, std::vector<Edge>{{0, 1, 0}}), InvalidOption);
  EXPECT_THROW(Graph::from_edges(std::numeric_limits<VertexId>::max(), {}), InvalidOption);
}

TEST(Graph, EdgesRebuildTheSameGraph) {
  EXPECT_TRUE(rc::check("from_edges(edges()) is the identity", [] {
    const auto vertex_count = *rc::gen::inRange<VertexId>(1, 30);
    std::vector<Edge> edges(*rc::gen::inRange<std::size_t>(0, 90));
    for (Edge& edge : edges) {
      edge = {*rc::gen::inRange<VertexId>(0, vertex_count), *rc::gen::inRange<VertexId>(0, vertex_count),
              *rc::gen::inRange<LengthMm>(1, 1000)};
    }
    const Graph graph = Graph::from_edges(vertex_count, edges);
    const std::vector<Edge> kept = graph.edges();
    RC_ASSERT(Graph::from_edges(vertex_count, kept).edges() == kept);
    std::size_t arcs = 0;
    for (VertexId v = 0; v < vertex_count; ++v) arcs += graph.degree(v);
    RC_ASSERT(arcs == 2 * graph.edge_count());
  }));
}

}  // namespace
}  // namespace fogline::graph::graph_test
