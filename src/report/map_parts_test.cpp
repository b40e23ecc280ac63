// SPDX-License-Identifier: Apache-2.0
#include "report/map_parts.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "report/graph_layout.hpp"
#include "roads/read_network.hpp"

namespace fogline::report::map_parts_test {
namespace {

TEST(MapParts, RoadsAreLinesInTheirOrder) {
  const roads::RoadNetwork line = roads::make_network("line:5:400");
  const PlaneColumn lines = road_lines(line, plane_of(line));
  EXPECT_EQ(lines.lines(), 4U);
  EXPECT_EQ(lines.size(), 8U);
  const auto box = lines.box();
  EXPECT_NEAR(box[2] - box[0], 440, 1);  // 400 m and a twentieth on each side
}

TEST(MapParts, HistogramCountsEverythingOnce) {
  const std::vector<double> values{-5, 0, 0.5, 1, 1.5, 9, 100};
  const PlotBlock::Series counts = histogram("x", values, 0, 10, 10, false);
  EXPECT_EQ(std::accumulate(counts.y.begin(), counts.y.end(), 0.0), 7);
  EXPECT_EQ(counts.y.front(), 3);  // with what lies below
  EXPECT_EQ(counts.y.back(), 2);   // with what lies above
  EXPECT_EQ(counts.x2.back(), 10);
  const PlotBlock::Series shares = histogram("x", values, 0, 10, 10);
  EXPECT_NEAR(std::accumulate(shares.y.begin(), shares.y.end(), 0.0), 1, 1e-12);
}

TEST(MapParts, AnEmptyColumnHasABox) {
  const auto box = PlaneColumn().box();
  EXPECT_LT(box[0], box[2]);
}

TEST(GraphLayout, LaysNeighboursNearEachOther) {
  // Two triangles joined by one edge.
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> edges{{0, 1}, {1, 2}, {2, 0}, {3, 4},
                                                                   {4, 5}, {5, 3}, {2, 3}};
  const auto places = graph_layout(6, edges);
  ASSERT_EQ(places.size(), 6U);
  const auto apart = [&](std::size_t a, std::size_t b) {
    return std::hypot(places[a].x_m - places[b].x_m, places[a].y_m - places[b].y_m);
  };
  EXPECT_LT(apart(0, 1), apart(0, 4));
  EXPECT_LT(apart(4, 5), apart(1, 5));
  EXPECT_EQ(graph_layout(6, edges)[3].x_m, places[3].x_m);  // the same every time
}

TEST(GraphLayout, TakesSmallAndRefusesLargeGraphs) {
  EXPECT_EQ(graph_layout(0, {}).size(), 0U);
  EXPECT_EQ(graph_layout(1, {}).size(), 1U);
  EXPECT_THROW(graph_layout(most_laid_out + 1, {}), InvalidOption);
}

}  // namespace
}  // namespace fogline::report::map_parts_test
