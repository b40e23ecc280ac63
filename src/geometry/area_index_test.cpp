// SPDX-License-Identifier: Apache-2.0
#include "geometry/area_index.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"

namespace fogline::geometry::area_index_test {
namespace {

/// A star with as many corners as radii: never crosses itself.
Polygon star(const PointXY& centre, const std::vector<double>& radii) {
  Polygon result;
  for (std::size_t i = 0; i < radii.size(); ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(radii.size());
    result.outer.push_back(
        {centre.x_m + radii[i] * std::cos(angle), centre.y_m + radii[i] * std::sin(angle)});
  }
  return result;
}

bool inside_by_ray(const Polygons& area, const PointXY& p) {
  bool inside = false;
  const auto look = [&](const Ring& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const PointXY &a = ring[i], &b = ring[(i + 1) % ring.size()];
      if ((a.y_m > p.y_m) == (b.y_m > p.y_m)) continue;
      if (p.x_m < a.x_m + (p.y_m - a.y_m) * (b.x_m - a.x_m) / (b.y_m - a.y_m)) inside = !inside;
    }
  };
  for (const Polygon& polygon : area) {
    look(polygon.outer);
    for (const Ring& hole : polygon.holes) look(hole);
  }
  return inside;
}

const AreaIndex::Options hundred = {.south_west = {0, 0}, .north_east = {100, 100}, .cells = 16};

TEST(AreaIndex, KnowsASquareWithAHole) {
  const Polygons ring = subtract({box_area({10, 10}, {90, 90})}, {box_area({40, 40}, {60, 60})});
  const AreaIndex index(std::vector<Polygons>{ring}, hundred);
  EXPECT_TRUE(index.contains(0, {20, 50}));
  EXPECT_FALSE(index.contains(0, {50, 50}));
  EXPECT_FALSE(index.contains(0, {5, 50}));
  EXPECT_TRUE(index.empty_at({1, 1}));
  EXPECT_TRUE(index.near_border(0, {10.4, 50}, 0.5));
  EXPECT_FALSE(index.near_border(0, {11, 50}, 0.5));
  EXPECT_TRUE(index.crosses(0, {5, 50}, {20, 50}));
  EXPECT_FALSE(index.crosses(0, {12, 12}, {88, 15}));
}

TEST(AreaIndex, CrossingsComeInOrderWithTheAreaOnTheLeftOfTheirEdges) {
  const Polygons ring = subtract({box_area({10, 10}, {90, 90})}, {box_area({40, 40}, {60, 60})});
  const AreaIndex index(std::vector<Polygons>{ring}, hundred);
  std::vector<AreaIndex::Crossing> found;
  index.crossings(0, {0, 50}, {100, 50}, found);
  ASSERT_EQ(found.size(), 4u);
  const std::vector<double> shares = {0.1, 0.4, 0.6, 0.9};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(found[i].share, shares[i], 1e-12);
    // The step enters where the edge runs down, since the area lies on the left of the edge.
    const AreaIndex::Edge& edge = index.edge(found[i].edge);
    EXPECT_EQ(edge.to.y_m < edge.from.y_m, i % 2 == 0);
  }
  EXPECT_EQ(index.edges_of(0).size(), 8u);
}

TEST(AreaIndex, TellsSeveralAreasApart) {
  const std::vector<Polygons> areas = {{box_area({0, 0}, {50, 50})}, {}, {box_area({25, 25}, {75, 75})}};
  const AreaIndex index(areas, hundred);
  std::vector<std::uint32_t> found;
  const auto keep = [&](std::uint32_t area) { found.push_back(area); };
  index.at({30, 30}, 0, keep);
  EXPECT_EQ(found, (std::vector<std::uint32_t>{0, 2}));
  found.clear();
  index.at({60, 60}, 0, keep);
  EXPECT_EQ(found, (std::vector<std::uint32_t>{2}));
  found.clear();
  index.at({50.4, 24.8}, 0.5, keep);
  EXPECT_EQ(found, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(index.size(), 3u);
}

TEST(AreaIndex, AgreesWithARayOnStarsWhereverTheyLie) {
  EXPECT_TRUE(rc::check([] {
    const auto radii = *rc::gen::container<std::vector<double>>(
        7, rc::gen::map(rc::gen::inRange(20, 900), [](int tenth) { return tenth / 10.0; }));
    const PointXY centre{static_cast<double>(*rc::gen::inRange(-20, 120)),
                         static_cast<double>(*rc::gen::inRange(-20, 120))};
    const Polygons area = {star(centre, radii)};
    const AreaIndex index(std::vector<Polygons>{area}, hundred);
    for (int i = 0; i < 400; ++i) {
      const PointXY p{(i % 20) * 5.0137 + 0.03, (i / 20) * 4.9871 + 0.07};
      RC_ASSERT(index.contains(0, p) == inside_by_ray(area, p));
      const PointXY q{100 - p.y_m * 0.9, p.x_m};
      RC_ASSERT(index.contains(0, p) == index.contains(0, q) || index.crosses(0, p, q));
    }
  }));
}

TEST(AreaIndex, RefusesABoxWithoutExtent) {
  EXPECT_THROW(AreaIndex({}, {.south_west = {0, 0}, .north_east = {0, 1}}), InvalidOption);
  EXPECT_THROW(AreaIndex({}, {.south_west = {0, 0}, .north_east = {1, 1}, .cells = 0}), InvalidOption);
}

}  // namespace
}  // namespace fogline::geometry::area_index_test
