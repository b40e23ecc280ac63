// SPDX-License-Identifier: Apache-2.0
#include "geometry/voronoi_cells.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::geometry::voronoi_cells_test {
namespace {

/// Uniform in a disc of radius 1 m.
const auto disc = [](double r) { return std::min(1.0, r * r); };

TEST(VoronoiCells, HalfADiscFallsOnEachSide) {
  //  o (-1, 0)      x      o (1, 0)
  const VoronoiCells cells(std::vector<PointXY>{{-1, 0}, {1, 0}});
  std::vector<double> share(2);
  cells.shares({0, 0}, 0, {.within = disc, .directions = 1000}, share);
  EXPECT_NEAR(share[0], 0.5, 1e-3);
  EXPECT_NEAR(share[0] + share[1], 1, 1e-12);
}

TEST(VoronoiCells, ASquareCellHasItsArea) {
  // Nine points 1 m apart: the middle cell is the unit square, of 1 / pi of the disc, and those beside it have equal shares.
  std::vector<PointXY> points;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x) points.push_back({static_cast<double>(x), static_cast<double>(y)});
  const VoronoiCells cells(points);
  std::vector<double> share(9);
  cells.shares({0, 0}, 4, {.within = disc, .directions = 4000}, share);
  EXPECT_NEAR(share[4], 1 / 3.14159265358979, 1e-6);
  EXPECT_NEAR(share[1], share[3], 1e-5);
  EXPECT_NEAR(share[0], share[8], 1e-5);
  EXPECT_NEAR(std::accumulate(share.begin(), share.end(), 0.0), 1, 1e-12);
}

TEST(VoronoiCells, OfTwinsTheFirstHasTheCell) {
  const VoronoiCells cells(std::vector<PointXY>{{1, 0}, {1, 0}, {-1, 0}});
  std::vector<double> share(3);
  cells.shares({0.5, 0}, 1, {.within = disc, .directions = 1000}, share);
  EXPECT_GT(share[0], 0.7);
  EXPECT_EQ(share[1], 0);
}

TEST(VoronoiCells, ASinglePointHasEverything) {
  const VoronoiCells cells(std::vector<PointXY>{{5, 5}});
  std::vector<double> share(1);
  cells.shares({0, 0}, 0, {.within = disc}, share);
  EXPECT_NEAR(share[0], 1, 1e-12);
}

TEST(VoronoiCells, PointsOnALineHaveStrips) {
  const VoronoiCells cells(std::vector<PointXY>{{-2, 0}, {0, 0}, {2, 0}});
  std::vector<double> share(3);
  cells.shares({0, 0}, 1, {.within = [](double r) { return std::min(1.0, r * r / 4); }, .directions = 4000},
               share);
  // A disc of radius 2 between the lines x = -1 and x = 1.
  EXPECT_NEAR(share[1], (std::sqrt(3.0) + 4 * std::asin(0.5)) * 2 / (4 * 3.14159265358979), 1e-5);
}

TEST(VoronoiCells, RefusesWhatItCannotHold) {
  EXPECT_THROW(VoronoiCells(std::vector<PointXY>{}), InvalidOption);
  EXPECT_THROW(VoronoiCells(std::vector<PointXY>{{3e6, 0}}), InvalidOption);
  EXPECT_THROW(VoronoiCells(std::vector<PointXY>{{std::nan(""), 0}}), InvalidOption);
}

}  // namespace
}  // namespace fogline::geometry::voronoi_cells_test
