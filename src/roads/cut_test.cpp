// SPDX-License-Identifier: Apache-2.0
#include "roads/cut.hpp"

#include <filesystem>
#include <limits>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "geometry/geodesic.hpp"
#include "roads/generated.hpp"
#include "roads/read_osm.hpp"
#include "roads/write_osm.hpp"

namespace fogline::roads::cut_test {
namespace {

using testing::ElementsAre;

TEST(CutAround, KeepsADiscOfALatticeWithItsNames) {
  //   .  .  x  .  .        100 m apart; within 200 m of the middle
  //   .  x  x  x  .
  //   x  x  x  x  x
  //   .  x  x  x  .
  //   .  .  x  .  .
  const RoadNetwork lattice = make_lattice({.rows = 5, .columns = 5, .side_m = 400});
  const RoadNetwork disc = cut_around(lattice, {0, 0}, 200.001);
  ASSERT_EQ(disc.vertex_count(), 13u);
  EXPECT_EQ(disc.graph.edge_count(), 16u);
  EXPECT_EQ(name_of(disc, 0), "2");
  EXPECT_EQ(name_of(disc, 6), "12");
  EXPECT_EQ(disc.position[6], lattice.position[12]);
  EXPECT_EQ(disc.source, "lattice:5x5:400, 200.001 m around");
}

TEST(CutAround, KeepsTheLargestPieceOnly) {
  // 0---1   2---3---4---5
  RoadNetwork line = make_line({.vertices = 6, .length_m = 500});
  line.roads.erase(line.roads.begin() + 1);
  const RoadNetwork part = cut_around(line, {0, 0}, 1000);
  EXPECT_EQ(part.vertex_count(), 4u);
  EXPECT_EQ(name_of(part, 0), "2");
}

TEST(CutAround, RefusesARadiusThatIsNoneAndAPlaceWithoutRoads) {
  const RoadNetwork line = make_line({.vertices = 3, .length_m = 200});
  EXPECT_THROW(cut_around(line, {0, 0}, 0), InvalidOption);
  EXPECT_THROW(cut_around(line, {0, 0}, std::numeric_limits<double>::quiet_NaN()), InvalidOption);
  EXPECT_THROW(cut_around(line, {1, 1}, 100), DataError);
}

std::vector<std::int64_t> names(Draft draft) {
  return std::move(draft.vertex_name);
}

//   20 21 22 23 24        100 m apart
//   15 16 17 18 19
//   10 11 12 13 14
//    5  6  7  8  9
//    0  1  2  3  4
Draft lattice() {
  return draft_of(make_lattice({.rows = 5, .columns = 5, .side_m = 400}));
}

/// The nine in the middle, and 30 m more.
geometry::BoundingBox inner_box() {
  return {{-0.0012, -0.0012}, {0.0012, 0.0012}};
}

TEST(Cut, TakesABoxACircleAndAnOutline) {
  const geometry::BoundingBox box = inner_box();
  EXPECT_THAT(names(cut(lattice(), box, {})), ElementsAre(6, 7, 8, 11, 12, 13, 16, 17, 18));
  EXPECT_THAT(names(cut(lattice(), Circle{{0, 0}, 101}, {})), ElementsAre(7, 11, 12, 13, 17));
  const Outline triangle{{{{-0.0019, -0.0019}, {0.0019, -0.0019}, {-0.0019, 0.0002}, {-0.0019, -0.0019}}}};
  EXPECT_THAT(names(cut(lattice(), triangle, {})), ElementsAre(0, 1, 2, 3, 5, 6, 7, 10));
  EXPECT_EQ(cut(lattice(), box, {}).roads.size(), 12u);
}

TEST(Cut, TakesTheVerticesNearestByRoad) {
  EXPECT_THAT(names(cut(lattice(), Around{{0.00001, 0}, 5}, {})), ElementsAre(7, 11, 12, 13, 17));
  EXPECT_THAT(names(cut(lattice(), Around{{0, 0}, 100}, {})), testing::SizeIs(25));
}

TEST(Cut, JoinsRoadsWhereNoJunctionIsLeft) {
  // Within the box 6..18 the corners have two roads each; a reader would take them for shape points.
  const Draft part = cut(lattice(), inner_box(), {.contracts = true});
  EXPECT_THAT(part.vertex_name, ElementsAre(7, 11, 12, 13, 17));
  EXPECT_EQ(part.roads.size(), 8u);
  std::uint64_t length_mm = 0;
  for (const Road& road : part.roads) length_mm += road.length_mm;
  EXPECT_EQ(length_mm, 12 * 100'000u);
}

TEST(Cut, CountsTheVerticesThatAReaderWouldSee) {
  for (const std::uint64_t most : {5U, 9U, 13U, 20U}) {
    const Draft part = cut(lattice(), Around{{0, 0}, most}, {.contracts = true});
    EXPECT_LE(part.position.size(), most);
    EXPECT_GE(part.position.size() + 4, most);
  }
}

TEST(Cut, KeepsLoopsAndParallelRoadsInAFile) {
  // 1===2---3 with a loop at 3, all with shapes
  Draft map{.source = "test", .position = {{0, 0}, {0.001, 0}, {0.002, 0}}, .vertex_name = {1, 2, 3}};
  const auto over = [&](graph::VertexId tail, graph::VertexId head, std::vector<geometry::LonLat> shape) {
    Road road{.tail = tail, .head = head, .shape = shape};
    shape.insert(shape.begin(), map.position[tail]);
    shape.push_back(map.position[head]);
    std::uint64_t length_mm = 0;
    for (std::size_t i = 0; i + 1 < shape.size(); ++i)
      length_mm += geometry::geodesic_mm(shape[i], shape[i + 1]);
    road.length_mm = static_cast<graph::LengthMm>(length_mm);
    map.roads.push_back(road);
  };
  over(0, 1, {});
  over(0, 1, {{0.0005, 0.0005}});
  over(0, 0, {{-0.0005, 0.0005}, {-0.0005, -0.0005}});
  over(1, 2, {});
  over(2, 2, {{0.0025, 0.0005}, {0.0025, -0.0005}});
  const Draft part = cut(map, Circle{{0, 0}, 10'000}, {.contracts = true});
  ASSERT_EQ(part.roads.size(), 5u);
  const std::string file = (std::filesystem::path(testing::TempDir()) / "fogline_cut.osm").string();
  write_osm(part, file, {.overwrite = true});
  EXPECT_EQ(draft_osm_file(file).roads.size(), 5u);
  EXPECT_EQ(read_osm_file(file).graph.edge_count(), 2u);
  EXPECT_EQ(read_osm_file(file, {.spacing_mm = 50'000}).vertex_count(), 3u + 2 + 3 + 5 + 2 + 5);
}

TEST(Cut, RefusesAPartWithoutRoads) {
  EXPECT_THROW(cut(lattice(), Circle{{1, 1}, 10}, {}), DataError);
  EXPECT_THROW(cut(lattice(), Circle{{0, 0}, 10}, {}), DataError);
}

TEST(Cut, AroundAPlaceThatIsOnTheMap) {
  const RoadNetwork lattice = make_lattice({.rows = 5, .columns = 5, .side_m = 400});
  const auto around = [&](const geometry::LonLat& place) {
    return cut(draft_of(lattice), Around{place, 4}, {}).position.size();
  };
  EXPECT_EQ(around({0, 0}), 4U);
  EXPECT_EQ(around({0.01, 0}), 4U) << "900 m beyond its shore";
  try {
    around({0.02, 0});
    FAIL() << "a place beyond the map was taken";
  } catch (const InvalidOption& error) {
    EXPECT_EQ(error.problem().field, "around");
    EXPECT_THAT(error.what(), testing::HasSubstr("is 2 km from the nearest vertex"));
  }
}

}  // namespace
}  // namespace fogline::roads::cut_test
