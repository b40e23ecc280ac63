// SPDX-License-Identifier: Apache-2.0
#include "roads/city_plane.hpp"

#include <gtest/gtest.h>

#include "random/key.hpp"
#include "roads/city_blocks.hpp"
#include "roads/city_outline.hpp"

namespace fogline::roads::sketch::city_plane_test {
namespace {

TEST(CityPlane, TurnIsARotationAndItsReverse) {
  const Turn quarter = Turn::half_tangent(1);
  EXPECT_EQ(quarter({1, 0}), (Point{0, 1}));
  EXPECT_EQ(quarter.back({0, 1}), (Point{1, 0}));
}

TEST(CityPlane, CrossingIsFoundWithItsPlaceOnBothSegments) {
  const auto hit = crossing({0, 0}, {10, 0}, {4, -1}, {4, 3});
  ASSERT_TRUE(hit.has_value());
  EXPECT_DOUBLE_EQ(hit->along_first, 0.4);
  EXPECT_DOUBLE_EQ(hit->along_second, 0.25);
  EXPECT_FALSE(crossing({0, 0}, {10, 0}, {0, 1}, {10, 1}).has_value());
  EXPECT_FALSE(crossing({0, 0}, {10, 0}, {11, -1}, {11, 1}).has_value());
}

TEST(CityPlane, ResampleKeepsEndsAndStep) {
  const Line even = resample({{0, 0}, {25, 0}, {25, 15}}, 10);
  EXPECT_EQ(even, (Line{{0, 0}, {10, 0}, {20, 0}, {25, 5}, {25, 15}}));
}

TEST(CityPlane, SplinePassesThroughItsControlPoints) {
  const Line control{{0, 0}, {100, 50}, {200, 0}};
  const Line curve = spline(control, 10);
  for (const Point p : control) EXPECT_NE(std::find(curve.begin(), curve.end(), p), curve.end());
}

TEST(CityPlane, SimplifyDropsWhatLiesOnTheWay) {
  EXPECT_EQ(simplify({{0, 0}, {5, 0.5}, {10, 0}, {10, 10}}, 1), (Line{{0, 0}, {10, 0}, {10, 10}}));
}

TEST(CityPlane, NoiseStaysInRangeAndIsSmooth) {
  const Noise noise(7, 100);
  for (int i = 0; i < 1000; ++i) {
    const Point p{i * 3.7 - 900, i * 1.3};
    ASSERT_LE(std::abs(noise(p)), 1);
    ASSERT_LT(std::abs(noise(p) - noise(p + Point{0.1, 0})), 0.01);
  }
}

//   0---1---2
//   |   |   |
//   3---4---5---6
StreetGraph ladder() {
  return cut_at_junctions({{{{0, 100}, {100, 100}, {200, 100}}, RoadClass::primary, false, false, {}},
                           {{{0, 0}, {100, 0}, {200, 0}, {300, 0}}, RoadClass::residential, false, false, {}},
                           {{{0, 101}, {0, 50}, {0, -1}}, RoadClass::residential, false, false, {}},
                           {{{100, 101}, {100, 50}, {100, -1}}, RoadClass::residential, false, false, {}},
                           {{{200, 101}, {200, 50}, {200, -1}}, RoadClass::residential, false, false, {}}});
}

//       1    a stub near 2
//   2---0---|---3
//       4
TEST(CityBlocks, StreetsAreCutWhereTheyMeetAndStubsGo) {
  StreetGraph graph =
      cut_at_junctions({{{{-200, 0}, {0, 0}, {200, 0}}, RoadClass::residential, false, false, {}},
                        {{{0, 200}, {0, 1}, {0, -200}}, RoadClass::tertiary, false, false, {}},
                        {{{100, -1}, {100, 30}}, RoadClass::residential, false, false, {}}});
  EXPECT_EQ(graph.pieces.size(), 6u);
  tidy(graph);
  ASSERT_EQ(graph.nodes.size(), 5u);
  ASSERT_EQ(graph.pieces.size(), 4u);
  for (const Piece& piece : graph.pieces) EXPECT_NEAR(length_m(piece.line), 200, 0.02);
}

TEST(CityBlocks, AreTheFacesBetweenStreets) {
  StreetGraph graph = ladder();
  const auto rings = blocks(graph);
  ASSERT_EQ(rings.size(), 2u);
  for (const Line& ring : rings) EXPECT_NEAR(signed_area_m2(ring), 10'000, 300);
}

TEST(CityBlocks, RaisedRoadsMeetOthersOnlyAtTheirRamps) {
  const StreetGraph graph =
      cut_at_junctions({{{{0, 0}, {100, 0}, {200, 0}}, RoadClass::motorway, true, true, {1}},
                        {{{50, -50}, {50, 50}}, RoadClass::residential, false, false, {}},
                        {{{100, 0}, {100, 80}}, RoadClass::motorway, true, false, {}}});
  EXPECT_EQ(graph.pieces.size(), 4u);
}

TEST(CityOutline, GoesRoundAHillAndItsHole) {
  const auto ring_hill = [](Point p) {
    const double r = norm(p);
    return r < 500 ? r - 200 : 800 - r;
  };
  const auto rings = outlines(ring_hill, 20);
  ASSERT_EQ(rings.size(), 2u);
  const double pi = 3.14159265358979;
  const double first = signed_area_m2(rings[0]);
  const double second = signed_area_m2(rings[1]);
  EXPECT_NEAR(std::max(first, second), pi * 800 * 800, 5000);
  EXPECT_NEAR(std::min(first, second), -pi * 200 * 200, 1500);
}

}  // namespace
}  // namespace fogline::roads::sketch::city_plane_test
