// SPDX-License-Identifier: Apache-2.0
#include "roads/spacing.hpp"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "geometry/geodesic.hpp"
#include "graph/dijkstra.hpp"
#include "roads/contract.hpp"
#include "roads/generated.hpp"
#include "roads/snap_distance.hpp"

namespace fogline::roads::spacing_test {
namespace {

using graph::VertexId;

constexpr double a_millimetre = 1e-8;  // in degrees, and a little more

/// A road over these points, as long as they are.
Road road_over(VertexId tail, VertexId head, const std::vector<geometry::LonLat>& points) {
  Road road{.tail = tail, .head = head};
  road.shape.assign(points.begin() + 1, points.end() - 1);
  std::uint64_t length_mm = 0;
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
    length_mm += geometry::geodesic_mm(points[i], points[i + 1]);
  road.length_mm = static_cast<graph::LengthMm>(length_mm);
  return road;
}

//   0 ------------ 1        300 m apart, over a corner
//   |              .
//   +--------------+        and by a longer road
Draft two_ways() {
  const geometry::LonLat west{0, 0}, corner{0.001, 0}, east{0.001, 0.0018}, south{0, -0.004},
      far{0.001, -0.004};
  Draft draft{.source = "test", .position = {west, east}, .vertex_name = {7, 9}};
  draft.roads = {road_over(0, 1, {west, corner, east}), road_over(1, 0, {east, far, south, west})};
  return draft;
}

TEST(Spacing, CutsARoadOnItsShape) {
  Draft draft = two_ways();
  draft.roads.resize(1);
  const graph::LengthMm length_mm = draft.roads[0].length_mm;
  space_roads(draft, 100'000);
  // 310 m: four pieces of 78 m, the corner within the second.
  ASSERT_EQ(draft.roads.size(), 4u);
  std::uint64_t all_mm = 0;
  for (const Road& piece : draft.roads) {
    EXPECT_LE(piece.length_mm, 100'000u);
    EXPECT_NEAR(piece.length_mm, length_mm / 4.0, 1);
    all_mm += piece.length_mm;
  }
  EXPECT_EQ(all_mm, length_mm);
  EXPECT_TRUE(draft.roads[0].shape.empty());
  EXPECT_THAT(draft.roads[1].shape, testing::ElementsAre(geometry::LonLat{0.001, 0}));
  EXPECT_EQ(draft.position[2].lat, 0);      // before the corner
  EXPECT_EQ(draft.position[3].lon, 0.001);  // behind it
  EXPECT_NEAR(1000 * geometry::geodesic_m(draft.position[0], draft.position[2]), draft.roads[0].length_mm, 1);
  EXPECT_THAT(draft.vertex_label,
              testing::ElementsAre("7", "9", testing::StartsWith("7-9@77."), testing::StartsWith("7-9@155."),
                                   testing::StartsWith("7-9@23")));
}

TEST(Spacing, KeepsParallelRoadsAndLoops) {
  Draft draft = two_ways();
  const geometry::LonLat east = draft.position[1];
  draft.roads.push_back(road_over(1, 1, {east, {0.002, 0.0018}, {0.002, 0.0028}, east}));
  const RoadNetwork coarse = finish(draft, {});
  EXPECT_EQ(coarse.graph.edge_count(), 1u);
  const RoadNetwork fine = finish(draft, {.spacing_mm = 350'000});
  // The shortest whole, the longer one in four pieces; the loop, 380 m, in three.
  EXPECT_EQ(fine.graph.edge_count(), 8u);
  std::set<std::string> names(fine.vertex_label.begin(), fine.vertex_label.end());
  EXPECT_EQ(names.size(), fine.vertex_count());
  EXPECT_TRUE(std::ranges::any_of(names, [](const std::string& name) { return name.starts_with("7-9/2@"); }));
  EXPECT_TRUE(std::ranges::any_of(names, [](const std::string& name) { return name.starts_with("9-9@"); }));
  EXPECT_EQ(graph::Dijkstra(fine.graph).one_to_all(0)[1], graph::Dijkstra(coarse.graph).one_to_all(0)[1]);
}

TEST(Spacing, LeavesShortRoadsAndTheirNamesAlone) {
  const RoadNetwork line = make_line({.vertices = 3, .length_m = 200});
  const RoadNetwork same = spaced(line, 100'000);
  EXPECT_EQ(same.graph.edges(), line.graph.edges());
  EXPECT_TRUE(same.vertex_label.empty());
  EXPECT_EQ(name_of(same, 2), "2");
}

TEST(Spacing, GoesTheShortWayOverTheDateLine) {
  Draft draft{.source = "test", .position = {{179.999, 0}, {-179.998, 0}}};
  draft.roads = {road_over(0, 1, {draft.position[0], draft.position[1]})};
  space_roads(draft, 120'000);
  ASSERT_EQ(draft.position.size(), 4u);
  EXPECT_NEAR(draft.position[2].lon, 180, a_millimetre);
  EXPECT_NEAR(draft.position[3].lon, -179.999, a_millimetre);
}

TEST(Spacing, AFileMayGiveARoadAnotherLengthThanItsShapeHas) {
  Draft draft{.source = "test", .position = {{0, 0}, {0.003, 0}}};
  draft.roads = {{.tail = 0, .head = 1, .length_mm = 900}};
  space_roads(draft, 300);
  EXPECT_NEAR(draft.position[2].lon, 0.001, a_millimetre);
  EXPECT_NEAR(draft.position[3].lon, 0.002, a_millimetre);
  EXPECT_EQ(draft.vertex_label[3], "0-1@0.600");
}

TEST(Spacing, ChoosesTheLargestPieceByItsJunctions) {
  // 0---1---2 of 1 m each, and 3---------4 of 300 m: more vertices once it is cut, and left out all the same.
  Draft draft{.source = "test", .position = {{0, 0}, {0.1, 0}, {0.2, 0}, {1, 0}, {1.003, 0}}};
  draft.roads = {{.tail = 0, .head = 1, .length_mm = 1000},
                 {.tail = 1, .head = 2, .length_mm = 1000},
                 {.tail = 3, .head = 4, .length_mm = 300'000}};
  const RoadNetwork fine = finish(draft, {.spacing_mm = 10'000});
  EXPECT_EQ(fine.vertex_count(), 3u);
  EXPECT_EQ(fine.component_count, 2u);
  EXPECT_THAT(fine.dropped, testing::Contains(testing::HasSubstr("not connected")));
}

TEST(Spacing, RefusesTooManyVerticesAndNamesThatWouldBeTheSame) {
  const RoadNetwork line = make_line({.vertices = 2, .length_m = 1'000'000});
  EXPECT_THROW(spaced(line, 200), DataError);
  EXPECT_EQ(spaced(line, 1'000'000).vertex_count(), 1001u);
  EXPECT_EQ(spaced_vertex_count(line, 1'000'000), 1001u);
  EXPECT_EQ(spaced_vertex_count(line, 200), 5'000'001u);
  Draft words{.source = "test",
              .position = {{0, 0}, {0.001, 0}, {0.002, 0}},
              .vertex_label = {"a", "b", "a-b@0.500"}};
  words.roads = {{.tail = 0, .head = 1, .length_mm = 1000}, {.tail = 1, .head = 2, .length_mm = 1}};
  EXPECT_THROW(space_roads(words, 500), DataError);
  EXPECT_THROW(space_roads(words, 0), InvalidOption);
}

TEST(Spacing, ChangesNoDistanceByAMillimetre) {
  rc::check("distances between given vertices are the same at any spacing", [] {
    const auto vertices = *rc::gen::inRange<VertexId>(2, 12);
    Draft draft{.source = "test"};
    for (VertexId v = 0; v < vertices; ++v)
      draft.position.push_back({*rc::gen::inRange(-1000, 1000) / 1e5, *rc::gen::inRange(-1000, 1000) / 1e5});
    const auto roads = *rc::gen::inRange<std::size_t>(1, 25);
    draft.roads.push_back(road_over(0, 1, {draft.position[0], draft.position[1]}));
    for (std::size_t i = 0; i < roads; ++i) {
      const auto tail = *rc::gen::inRange<VertexId>(0, vertices);
      const auto head = *rc::gen::inRange<VertexId>(0, vertices);
      std::vector<geometry::LonLat> points{draft.position[tail]};
      for (int bends = *rc::gen::inRange(0, 4); bends > 0; --bends)
        points.push_back({*rc::gen::inRange(-1000, 1000) / 1e5, *rc::gen::inRange(-1000, 1000) / 1e5});
      points.push_back(draft.position[head]);
      draft.roads.push_back(road_over(tail, head, points));
    }
    const auto spacing_mm = *rc::gen::inRange<graph::LengthMm>(3'000, 2'000'000);
    const RoadNetwork coarse = finish(draft, {.largest_component = false});
    const RoadNetwork fine = finish(draft, {.largest_component = false, .spacing_mm = spacing_mm});
    graph::Dijkstra before(coarse.graph), after(fine.graph);
    for (VertexId v = 0; v < vertices; ++v) {
      RC_ASSERT(name_of(fine, v) == name_of(coarse, v));
      const auto was = before.one_to_all(v);
      const auto is = after.one_to_all(v);
      for (VertexId w = 0; w < vertices; ++w) RC_ASSERT(was[w] == is[w]);
    }
    RC_ASSERT(
        std::ranges::all_of(fine.roads, [&](const Road& road) { return road.length_mm <= spacing_mm; }));
    RC_ASSERT(snap_distance(fine.graph).largest_m <= spacing_mm / 2e3);
    std::set<std::string> names;
    for (VertexId v = 0; v < fine.vertex_count(); ++v) names.insert(name_of(fine, v));
    RC_ASSERT(names.size() == fine.vertex_count());
  });
}

}  // namespace
}  // namespace fogline::roads::spacing_test
