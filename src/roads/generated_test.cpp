// SPDX-License-Identifier: Apache-2.0
#include "roads/generated.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "geometry/projection.hpp"
#include "graph/dijkstra.hpp"

namespace fogline::roads::generated_test {
namespace {

TEST(Lattice, IsNumberedRowByRowFromTheSouthWest) {
  //   3 4 5
  //   0 1 2
  const RoadNetwork grid = make_lattice({.rows = 2, .columns = 3, .side_m = 200});
  ASSERT_EQ(grid.vertex_count(), 6U);
  EXPECT_EQ(grid.graph.edge_count(), 7U);
  const geometry::LocalProjection plane({0, 0});
  for (graph::VertexId v = 0; v < 6; ++v) {
    const geometry::PointXY point = plane.forward(grid.position[v]);
    EXPECT_NEAR(point.x_m, -100 + 100.0 * (v % 3), 1e-6);
    EXPECT_NEAR(point.y_m, -50 + 100.0 * (v / 3), 1e-6);
  }
  graph::Dijkstra search(grid.graph);
  EXPECT_THAT(search.one_to_all(0), testing::ElementsAre(0, 100'000, 200'000, 100'000, 200'000, 300'000));
  EXPECT_TRUE(grid.vertex_name.empty());
  EXPECT_TRUE(grid.dropped.empty());
  EXPECT_EQ(grid.source, "lattice:2x3:200");
}

TEST(Lattice, SpacingIsRoundedToMillimetres) {
  const RoadNetwork grid = make_lattice({.rows = 20, .columns = 20, .side_m = 1500});
  EXPECT_EQ(grid.vertex_count(), 400U);
  EXPECT_EQ(grid.graph.arcs(0)[0].length_mm, 78'947U);
}

TEST(Lattice, RefusesAbsurdSizes) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const LatticeOptions& options : {LatticeOptions{0, 5, 10},
                                        {5, 0, 10},
                                        {1, 1, 10},
                                        {100'000, 100'000, 1},
                                        {~0ULL, 2, 10},
                                        {std::uint64_t{1} << 32, std::uint64_t{1} << 32, 10},
                                        {3, 3, 0},
                                        {3, 3, -5},
                                        {3, 3, nan},
                                        {3, 3, infinity},
                                        {3, 3, 2e6},
                                        {2000, 2, 0.5}}) {
    EXPECT_THROW(make_lattice(options), InvalidOption)
        << options.rows << " x " << options.columns << ", " << options.side_m;
  }
}

TEST(Line, IsOneStraightRoad) {
  const RoadNetwork line = make_line({.vertices = 11, .length_m = 1000});
  EXPECT_EQ(line.graph.edge_count(), 10U);
  EXPECT_EQ(graph::Dijkstra(line.graph).one_to_all(0)[10], 1'000'000U);
  EXPECT_NEAR(geometry::LocalProjection({0, 0}).forward(line.position[10]).x_m, 500, 1e-6);
  EXPECT_THROW(make_line({.vertices = 1, .length_m = 5}), InvalidOption);
  EXPECT_THROW(make_line({.vertices = 3, .length_m = 0}), InvalidOption);
}

}  // namespace
}  // namespace fogline::roads::generated_test
