// SPDX-License-Identifier: Apache-2.0
#include "graph/components.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "graph/dijkstra.hpp"

namespace fogline::graph::components_test {
namespace {

//   0 --- 3     1 --- 2 --- 5     4
const std::vector<Edge> three_parts = {{0, 3, 7}, {1, 2, 4}, {2, 5, 6}};

TEST(Components, AreNumberedByTheirLowestVertex) {
  const Components parts = components(Graph::from_edges(6, three_parts));
  EXPECT_EQ(parts.count(), 3U);
  EXPECT_THAT(parts.of_vertex, testing::ElementsAre(0, 1, 1, 0, 2, 1));
  EXPECT_THAT(parts.vertex_count, testing::ElementsAre(2, 3, 1));
  EXPECT_EQ(parts.largest(), 1U);
  EXPECT_THAT(parts.members(1), testing::ElementsAre(1, 2, 5));
}

TEST(Components, LargestIsRenumberedInOrderAndKeepsLengths) {
  const Subgraph core = largest_component(Graph::from_edges(6, three_parts));
  EXPECT_THAT(core.old_vertex, testing::ElementsAre(1, 2, 5));
  EXPECT_THAT(core.graph.edges(), testing::ElementsAre(Edge{0, 1, 4}, Edge{1, 2, 6}));
}

TEST(Components, TheLowestVertexWinsATieAndNothingIsFine) {
  EXPECT_THAT(largest_component(Graph::from_edges(3, {})).old_vertex, testing::ElementsAre(0));
  EXPECT_EQ(components(Graph()).count(), 0U);
  EXPECT_EQ(largest_component(Graph()).graph.vertex_count(), 0U);
}

TEST(Components, AreWhatASearchReaches) {
  EXPECT_TRUE(rc::check("same component exactly where one_to_all finds a way", [] {
    const auto count = *rc::gen::inRange<VertexId>(1, 30);
    std::vector<Edge> edges(*rc::gen::inRange<std::size_t>(0, 30));
    for (Edge& edge : edges) {
      edge = {*rc::gen::inRange<VertexId>(0, count), *rc::gen::inRange<VertexId>(0, count), 1};
    }
    const Graph graph = Graph::from_edges(count, edges);
    const Components parts = components(graph);
    Dijkstra search(graph);
    const VertexId source = *rc::gen::inRange<VertexId>(0, count);
    const auto reached = search.one_to_all(source);
    for (VertexId v = 0; v < count; ++v) {
      RC_ASSERT((reached[v] != unreachable) == (parts.of_vertex[v] == parts.of_vertex[source]));
    }
  }));
}

}  // namespace
}  // namespace fogline::graph::components_test
