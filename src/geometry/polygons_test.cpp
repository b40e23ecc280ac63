// SPDX-License-Identifier: Apache-2.0
#include "geometry/polygons.hpp"

#include <gtest/gtest.h>

namespace fogline::geometry::polygons_test {
namespace {

Polygons square(double west, double south, double side) {
  return {box_area({west, south}, {west + side, south + side})};
}

TEST(Polygons, AreasOfSetsAreThoseOfTheDrawing) {
  const Polygons a = square(0, 0, 100), b = square(50, 50, 100);
  EXPECT_NEAR(area_m2(unite(std::vector<Polygons>{a, b})), 17'500, 1e-6);
  EXPECT_NEAR(area_m2(intersect(a, b)), 2'500, 1e-6);
  EXPECT_NEAR(area_m2(subtract(a, b)), 7'500, 1e-6);
  EXPECT_TRUE(intersect(a, square(300, 0, 10)).empty());
  EXPECT_TRUE(subtract(a, square(-1, -1, 200)).empty());
  EXPECT_TRUE(unite({}).empty());
  EXPECT_NEAR(area_m2(subtract(a, {})), 10'000, 1e-6);
}

TEST(Polygons, HolesCountAsOutside) {
  const Polygons ring = subtract(square(0, 0, 100), square(40, 40, 20));
  ASSERT_EQ(ring.size(), 1u);
  ASSERT_EQ(ring[0].holes.size(), 1u);
  EXPECT_NEAR(area_m2(ring), 9'600, 1e-6);
  EXPECT_EQ(fault_of(ring), "");
}

TEST(Polygons, EitherWayRoundIsFine) {
  const Polygons clockwise = {{{{0, 0}, {0, 10}, {10, 10}, {10, 0}}}};
  const Polygons counter = {{{{0, 0}, {10, 0}, {10, 10}, {0, 10}}}};
  EXPECT_EQ(fault_of(clockwise), "");
  EXPECT_EQ(fault_of(counter), "");
  EXPECT_NEAR(area_m2(clockwise), area_m2(counter), 1e-9);
}

TEST(Polygons, FaultsAreNamed) {
  EXPECT_EQ(fault_of({{{{0, 0}, {10, 10}, {10, 0}, {0, 10}}}}), "crosses itself");
  EXPECT_EQ(fault_of({{{{0, 0}, {10, 10}}}}), "has fewer than three corners");
  EXPECT_NE(fault_of({{{{0, 0}, {5, 0}, {10, 0}}}}), "");
  EXPECT_EQ(fault_of({{{{0, 0}, {10, 0}, {10, 10}, {0, 10}}, {{{20, 20}, {21, 20}, {21, 21}}}}}),
            "has a hole that lies outside of it");
  EXPECT_EQ(fault_of({box_area({0, 0}, {10, 10}), box_area({5, 5}, {15, 15})}), "has parts that overlap");
}

TEST(Polygons, StripsHoldWhatLiesNearTheLine) {
  const std::vector<PointXY> line = {{0, 0}, {100, 0}, {100, 100}};
  const Polygons strip = strip_along(line, 20);
  EXPECT_EQ(fault_of(strip), "");
  EXPECT_NEAR(area_m2(strip), 2 * 100 * 20 + 314 - 21, 40);
}

TEST(Polygons, LinesAreCutAtABox) {
  const std::vector<PointXY> line = {{-50, 5}, {50, 5}, {50, 20}, {5, 20}, {5, 0}};
  const auto parts = line_within(line, {0, 0}, {10, 10});
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0], (std::vector<PointXY>{{0, 5}, {10, 5}}));
  EXPECT_EQ(parts[1], (std::vector<PointXY>{{5, 10}, {5, 0}}));
}

}  // namespace
}  // namespace fogline::geometry::polygons_test
