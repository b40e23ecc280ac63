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

TEST(Graph, IsTheSameFromItsRows) {
  const Graph graph = Graph::from_edges(4, std::vector<Edge>{{0, 1, 500}, {1, 2, 700}, {2, 3, 1}});
  const Graph same = Graph::from_rows(graph.rows(), nullptr);
  EXPECT_EQ(same.edges(), graph.edges());
  EXPECT_TRUE(same.is_sound());
  EXPECT_EQ(Graph::from_rows(Graph().rows(), nullptr).vertex_count(), 0U);
  std::vector<LengthMm> length;
  for (const Arc& arc : graph.rows().arcs) length.push_back(2 * arc.length_mm);
  EXPECT_EQ(graph.with_arc_lengths(length).edges(),
            (std::vector<Edge>{{0, 1, 1000}, {1, 2, 1400}, {2, 3, 2}}));
}

TEST(Graph, KnowsRowsThatAreOfNoGraph) {
  const std::vector<std::uint32_t> first{0, 1, 2};
  const auto is_sound = [&](const std::vector<Arc>& arcs, const std::vector<std::uint32_t>& begins) {
    return Graph::from_rows({begins, arcs}, nullptr).is_sound();
  };
  EXPECT_TRUE(is_sound({{1, 5}, {0, 5}}, first));
  EXPECT_FALSE(is_sound({{1, 5}, {0, 6}}, first));  // longer on the way back
  EXPECT_FALSE(is_sound({{1, 0}, {0, 0}}, first));
  EXPECT_FALSE(is_sound({{7, 5}, {0, 5}}, first));
  EXPECT_FALSE(is_sound({{0, 5}, {0, 5}}, first));  // a road from a vertex to itself
  EXPECT_FALSE(is_sound({{1, 5}, {0, 5}}, {0, 9, 2}));
  EXPECT_FALSE(is_sound({{1, 5}, {1, 5}}, {0, 2, 2}));
  EXPECT_THROW(is_sound({{1, 5}, {0, 5}}, {0, 1, 3}), InvalidOption);
}

}  // namespace
}  // namespace fogline::graph::graph_test
