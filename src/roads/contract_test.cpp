// SPDX-License-Identifier: Apache-2.0
#include "roads/contract.hpp"

#include <algorithm>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "graph/dijkstra.hpp"

namespace fogline::roads::contract_test {
namespace {

Draft draft_of(std::size_t vertices, std::vector<Road> segments) {
  Draft draft{.source = "test"};
  for (std::size_t v = 0; v < vertices; ++v) {
    draft.position.push_back({static_cast<double>(v % 180), 0});
    draft.vertex_name.push_back(static_cast<std::int64_t>(v));
  }
  draft.roads = std::move(segments);
  simplify(draft.roads);
  return draft;
}

Road segment(graph::VertexId tail, graph::VertexId head, graph::LengthMm length_mm,
             Direction direction = Direction::both, RoadClass road_class = RoadClass::service) {
  return {
      .tail = tail, .head = head, .length_mm = length_mm, .road_class = road_class, .direction = direction};
}

//   0 - 1 - 2 - 3         6 - 7
//           |             |   |      a ring without a junction
//           4 - 5         8 - 9
TEST(Contract, JoinsSegmentsBetweenJunctionsAndKeepsDeadEnds) {
  Draft draft = draft_of(10, {segment(0, 1, 10), segment(1, 2, 20, Direction::both, RoadClass::primary),
                              segment(2, 3, 5), segment(2, 4, 7), segment(5, 4, 8), segment(6, 7, 1),
                              segment(7, 9, 1), segment(9, 8, 1), segment(8, 6, 1)});
  contract_to_junctions(draft);
  EXPECT_THAT(draft.vertex_name, testing::ElementsAre(0, 2, 3, 5));
  simplify(draft.roads);
  ASSERT_EQ(draft.roads.size(), 3U);
  EXPECT_EQ(draft.roads[0].length_mm, 30U);
  EXPECT_EQ(draft.roads[0].road_class, RoadClass::primary);
  EXPECT_THAT(draft.roads[0].shape, testing::ElementsAre(geometry::LonLat{1, 0}));
  EXPECT_TRUE(draft.roads[1].shape.empty());
  EXPECT_EQ(draft.roads[2].length_mm, 15U);
  EXPECT_THAT(draft.dropped, testing::ElementsAre("1 ring road without a junction"));
}

TEST(Contract, ALoopAtAJunctionEndsWhereItBegins) {
  //   0 - 1 - 2
  //       | /
  //       3
  Draft draft = draft_of(4, {segment(0, 1, 10), segment(1, 2, 1), segment(2, 3, 2), segment(3, 1, 4)});
  contract_to_junctions(draft);
  EXPECT_THAT(draft.vertex_name, testing::ElementsAre(0, 1));
  ASSERT_EQ(draft.roads.size(), 2U);
  EXPECT_EQ(draft.roads[1].tail, draft.roads[1].head);
  EXPECT_EQ(draft.roads[1].length_mm, 7U);
}

TEST(Contract, TrafficGoesWhereEverySegmentLetsIt) {
  const auto along = [](Direction first, Direction second) {
    // The second segment runs against the walk, so its direction is given from the far end.
    Draft draft = draft_of(3, {segment(0, 1, 1, first), segment(2, 1, 1, second)});
    contract_to_junctions(draft);
    return draft.roads.at(0).direction;
  };
  EXPECT_EQ(along(Direction::both, Direction::both), Direction::both);
  EXPECT_EQ(along(Direction::forward, Direction::both), Direction::forward);
  EXPECT_EQ(along(Direction::forward, Direction::backward), Direction::forward);
  EXPECT_EQ(along(Direction::both, Direction::forward), Direction::backward);
  EXPECT_EQ(along(Direction::forward, Direction::forward), Direction::both);
}

TEST(Contract, ARoadLongerThanAnEdgeMayBeIsLeftOutAndCounted) {
  constexpr graph::LengthMm longest = std::numeric_limits<graph::LengthMm>::max();
  Draft draft = draft_of(3, {segment(0, 1, longest), segment(1, 2, 1)});
  contract_to_junctions(draft);
  EXPECT_TRUE(draft.roads.empty());
  EXPECT_THAT(draft.dropped, testing::ElementsAre("1 road longer than 4,294 km"));
}

TEST(Contract, DistancesBetweenJunctionsStayTheSame) {
  EXPECT_TRUE(rc::check("one_to_all before and after contraction", [] {
    const auto count = *rc::gen::inRange<graph::VertexId>(2, 40);
    std::vector<Road> segments(*rc::gen::inRange<std::size_t>(1, 50));
    for (Road& road : segments) {
      road =
          segment(*rc::gen::inRange<graph::VertexId>(0, count), *rc::gen::inRange<graph::VertexId>(0, count),
                  *rc::gen::inRange<graph::LengthMm>(1, 100));
    }
    Draft draft = draft_of(count, segments);
    drop_isolated(draft);
    if (draft.roads.empty()) return;
    const RoadNetwork before = finish(draft, {.largest_component = false});
    contract_to_junctions(draft);
    if (std::ranges::all_of(draft.roads, [](const Road& road) { return road.tail == road.head; })) return;
    const RoadNetwork after = finish(draft, {.largest_component = false});
    graph::Dijkstra old_search(before.graph);
    graph::Dijkstra new_search(after.graph);
    const auto old_vertex = [&](graph::VertexId v) {
      const auto found = std::ranges::lower_bound(before.vertex_name, after.vertex_name[v]);
      return static_cast<graph::VertexId>(found - before.vertex_name.begin());
    };
    for (graph::VertexId v = 0; v < after.vertex_count(); ++v) {
      const auto far = new_search.one_to_all(v);
      const auto old_far = old_search.one_to_all(old_vertex(v));
      for (graph::VertexId w = 0; w < after.vertex_count(); ++w) RC_ASSERT(far[w] == old_far[old_vertex(w)]);
    }
  }));
}

}  // namespace
}  // namespace fogline::roads::contract_test
