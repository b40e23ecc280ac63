// SPDX-License-Identifier: Apache-2.0
#include "path/sample_route.hpp"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "random/key.hpp"
#include "roads/read_network.hpp"

namespace fogline::path::sample_route_test {
namespace {

using testing::ElementsAre;

SampleRoute make_sample(const SampleRouteOptions& options, std::uint64_t seed) {
  random::Stream choice = random::SeededKey(seed).stream("sample path");
  return sample_route(options, choice);
}

bool has_step(const Route& route, VertexId u, VertexId v) {
  for (std::size_t i = 1; i < route.size(); ++i)
    if (std::minmax(route[i - 1], route[i]) == std::minmax(u, v)) return true;
  return false;
}

TEST(SampleRoute, IsARouteThroughAllVertices) {
  EXPECT_TRUE(rc::check("every size, every number of roads, with and without a vertex visited twice", [] {
    const auto vertices = *rc::gen::inRange<std::uint32_t>(3, 40);
    const bool cyclic = *rc::gen::arbitrary<bool>();
    const std::uint64_t steps = cyclic ? vertices : vertices - 1;
    const auto roads =
        *rc::gen::inRange<std::uint64_t>(steps, std::uint64_t{vertices} * (vertices - 1) / 2 + 1);
    const SampleRoute made = make_sample({vertices, roads, cyclic}, *rc::gen::arbitrary<std::uint64_t>());
    RC_ASSERT(made.map.vertex_count() == vertices);
    RC_ASSERT(made.map.roads.edge_count() == roads);
    RC_ASSERT(made.route.size() == steps + 1);
    require_route(made.map, made.route, cyclic ? 2 : 1);
    RC_ASSERT(std::set<VertexId>(made.route.begin(), made.route.end()).size() == vertices);
    RC_ASSERT(has_step(made.route, 1, 2));
    RC_ASSERT(std::is_sorted(made.map.names.begin(), made.map.names.end(), name_before));
  }));
}

TEST(SampleRoute, IsTheSameForTheSameSeed) {
  const SampleRoute made = make_sample({}, 1);
  EXPECT_EQ(made.route, make_sample({}, 1).route);
  EXPECT_EQ(made.map.roads, make_sample({}, 1).map.roads);
  EXPECT_NE(made.route, make_sample({}, 2).route);
  EXPECT_THAT(made.map.names, ElementsAre("a", "b", "c", "d", "e", "f", "g", "h"));
}

TEST(SampleRoute, CountsManyVertices) {
  const SampleRoute made = make_sample({.vertices = 2000, .roads = 3000}, 1);
  EXPECT_EQ(made.map.names.back(), "2000");
  EXPECT_EQ(make_sample({.vertices = 2, .roads = 1}, 1).route.size(), 2U);
}

TEST(SampleRoute, DrawsEveryOtherRoadEquallyOften) {
  // Of 5 vertices 10 pairs, 4 steps and 3 other roads: of each pair that is no step, half have a road. 4,000 draws; a share off by
  // .05 is 6 standard deviations away, one in 10^9.
  double roads_at_ends = 0, pairs = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const SampleRoute made = make_sample({.vertices = 5, .roads = 7}, seed);
    pairs += 1;
    roads_at_ends += made.map.roads.joined(made.route.front(), made.route.back()) ? 1 : 0;
  }
  EXPECT_NEAR(roads_at_ends / pairs, 0.5, 0.05);
}

TEST(SampleRoute, RefusesAbsurdOptions) {
  for (const SampleRouteOptions& absurd :
       {SampleRouteOptions{1, 0, false}, SampleRouteOptions{8, 6, false}, SampleRouteOptions{8, 29, false},
        SampleRouteOptions{2, 1, true}, SampleRouteOptions{8, 7, true},
        SampleRouteOptions{20'001, 30'000, false}})
    EXPECT_THROW(make_sample(absurd, 1), InvalidOption);
}

TEST(ShortestRoute, GoesTheShortestWay) {
  //  0 -5- 1 -5- 2     The way along the top is 10, the way below 4 + 4 + 4.
  //  4     |     4
  //  3 ----4---- 4
  const auto graph = graph::Graph::from_edges(
      5, std::vector<graph::Edge>{{0, 1, 5}, {1, 2, 5}, {0, 3, 4}, {3, 4, 4}, {2, 4, 4}});
  EXPECT_THAT(shortest_route(graph, 0, 2), ElementsAre(0U, 1U, 2U));
  EXPECT_THAT(shortest_route(graph, 0, 4), ElementsAre(0U, 3U, 4U));
  EXPECT_THROW(shortest_route(graph, 1, 1), InvalidOption);
  const auto parts = graph::Graph::from_edges(4, std::vector<graph::Edge>{{0, 1, 5}, {2, 3, 5}});
  EXPECT_THROW(shortest_route(parts, 0, 3), InvalidOption);
  EXPECT_EQ(shortest_route(roads::read_network("lattice:5x5:100").graph, 0, 24).size(), 9U);
}

}  // namespace
}  // namespace fogline::path::sample_route_test
