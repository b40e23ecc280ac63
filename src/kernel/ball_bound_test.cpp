// SPDX-License-Identifier: Apache-2.0
#include "kernel/ball_bound.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "graph/dijkstra.hpp"

namespace fogline::kernel::ball_bound_test {
namespace {

using graph::Edge;
using graph::Graph;
using graph::VertexId;

TEST(BallBound, CountsAroundTheCentre) {
  // 0 -1- 1 -1- 2 -1- 3 -1- 4     5: within 1 of a vertex, counted within 2 of its centre, which are 0, 2 and 4.
  const Graph map = Graph::from_edges(6, std::vector<Edge>{{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}});
  EXPECT_THAT(ball_bounds(map, 1, std::vector<std::uint8_t>(6, 1)), testing::ElementsAre(3, 3, 5, 5, 3, 1));
  EXPECT_THAT(ball_bounds(map, 1, std::vector<std::uint8_t>{1, 0, 0, 0, 0, 0}),
              testing::ElementsAre(1, 1, 1, 1, 0, 0));
}

TEST(BallBound, IsNeverTooSmall) {
  EXPECT_TRUE(rc::check([] {
    const auto n = *rc::gen::inRange<VertexId>(2, 60);
    std::vector<Edge> edges;
    std::vector<std::uint8_t> marked(n);
    for (std::uint8_t& mark : marked) mark = *rc::gen::inRange<std::uint8_t>(0, 2);
    for (VertexId v = 1; v < n; ++v)
      edges.push_back({*rc::gen::inRange<VertexId>(0, v), v, *rc::gen::inRange<graph::LengthMm>(1, 1000)});
    const Graph map = Graph::from_edges(n, edges);
    const auto radius = *rc::gen::inRange<graph::DistanceMm>(0, 3000);
    const auto bounds = ball_bounds(map, radius, marked);
    graph::Dijkstra search(map);
    for (VertexId v = 0; v < n; ++v) {
      std::uint32_t count = 0;
      for (const auto& near : search.within(v, radius)) count += marked[near.vertex];
      RC_ASSERT(count <= bounds[v]);
    }
  }));
}

}  // namespace
}  // namespace fogline::kernel::ball_bound_test
