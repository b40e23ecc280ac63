// SPDX-License-Identifier: Apache-2.0
#include "roads/draft.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::roads::draft_test {
namespace {

Draft draft_of(std::size_t vertices, std::vector<Road> roads) {
  Draft draft{.source = "test"};
  for (std::size_t v = 0; v < vertices; ++v) {
    draft.position.push_back({static_cast<double>(v), 0});
    draft.vertex_name.push_back(static_cast<std::int64_t>(100 + v));
  }
  draft.roads = std::move(roads);
  return draft;
}

TEST(Draft, SimplifyTurnsRoadsAndKeepsTheShortestOpenAllWays) {
  std::vector<Road> roads = {
      {.tail = 2, .head = 1, .length_mm = 9, .direction = Direction::forward, .shape = {{1, 1}, {2, 2}}},
      {.tail = 1, .head = 2, .length_mm = 12, .direction = Direction::forward},
      {.tail = 1, .head = 1, .length_mm = 3},
      {.tail = 1, .head = 0, .length_mm = 4, .direction = Direction::backward}};
  const Simplified simplified = simplify(roads);
  EXPECT_EQ(simplified.self_loops, 1U);
  EXPECT_EQ(simplified.parallel_roads, 1U);
  EXPECT_EQ(simplified.of_other_length, 1U);
  ASSERT_EQ(roads.size(), 2U);
  EXPECT_EQ(roads[0].direction, Direction::forward);
  EXPECT_EQ(roads[1].tail, 1U);
  EXPECT_EQ(roads[1].length_mm, 9U);
  EXPECT_EQ(roads[1].direction, Direction::both);
  EXPECT_THAT(roads[1].shape, testing::ElementsAre(geometry::LonLat{2, 2}, geometry::LonLat{1, 1}));
}

TEST(Draft, FinishKeepsTheLargestComponentAndSaysWhatWentAway) {
  //  0 -- 3      1 -- 2 -- 4 (twice)      5
  const std::vector<Road> roads = {{.tail = 0, .head = 3, .length_mm = 5},
                                   {.tail = 1, .head = 2, .length_mm = 6},
                                   {.tail = 2, .head = 4, .length_mm = 7},
                                   {.tail = 4, .head = 2, .length_mm = 8},
                                   {.tail = 4, .head = 4, .length_mm = 8}};
  const RoadNetwork core = finish(draft_of(6, roads), {});
  EXPECT_THAT(core.vertex_name, testing::ElementsAre(101, 102, 104));
  EXPECT_EQ(core.graph.edge_count(), 2U);
  EXPECT_EQ(core.roads.size(), 2U);
  EXPECT_EQ(core.component_count, 3U);
  EXPECT_EQ(core.position[2], (geometry::LonLat{4, 0}));
  EXPECT_THAT(
      core.dropped,
      testing::ElementsAre("1 road that ends where it begins", "1 road parallel to a shorter or equal one",
                           "2 components not connected with the largest component (3 vertices)"));
  const RoadNetwork all = finish(draft_of(6, roads), {.largest_component = false});
  EXPECT_EQ(all.vertex_count(), 6U);
  EXPECT_EQ(all.graph.edge_count(), 3U);
}

TEST(Draft, IsolatedVerticesCanBeLeftOut) {
  Draft draft = draft_of(4, {{.tail = 1, .head = 3, .length_mm = 5}});
  EXPECT_EQ(drop_isolated(draft), 2U);
  EXPECT_THAT(draft.vertex_name, testing::ElementsAre(101, 103));
  EXPECT_EQ(draft.roads[0].head, 1U);
  EXPECT_EQ(drop_isolated(draft), 0U);
}

TEST(Draft, ANetworkWithoutRoadsIsRefused) {
  EXPECT_THROW(finish(draft_of(0, {}), {}), DataError);
  EXPECT_THROW(finish(draft_of(2, {{.tail = 1, .head = 1, .length_mm = 5}}), {}), DataError);
}

TEST(Network, NamesVerticesByLabelThenNameThenNumber) {
  RoadNetwork network;
  network.position.resize(2);
  EXPECT_EQ(name_of(network, 1), "1");
  network.vertex_name = {7, -8};
  EXPECT_EQ(name_of(network, 1), "-8");
  network.vertex_label = {"market", "harbour"};
  EXPECT_EQ(name_of(network, 1), "harbour");
  EXPECT_EQ(to_string(RoadClass::living_street), "living_street");
  EXPECT_EQ(to_string(RoadClass::other), "other");
}

}  // namespace
}  // namespace fogline::roads::draft_test
