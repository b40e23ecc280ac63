// SPDX-License-Identifier: Apache-2.0
#include "roads/region.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::roads::region_test {
namespace {

Outline read(const std::string& text) {
  auto source = io::TextSource::from_memory("area.geojson", text);
  return read_polygons(source);
}

constexpr const char* square = R"({"type":"Polygon","coordinates":[[[0,0],[2,0],[2,2],[0,2],[0,0]],
                                                               [[0.5,0.5],[1.5,0.5],[1.5,1.5],[0.5,1.5],[0.5,0.5]]]})";

TEST(Region, ReadsPolygonsWithHoles) {
  for (const std::string& text :
       {std::string(square), R"({"type":"Feature","properties":{},"geometry":)" + std::string(square) + "}",
        R"({"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":)" +
            std::string(square) + "}]}"}) {
    const Outline outline = read(text);
    EXPECT_TRUE(contains(outline, {0.2, 0.2}));
    EXPECT_FALSE(contains(outline, {1, 1}));
    EXPECT_FALSE(contains(outline, {3, 1}));
  }
  const Outline two = read(
      R"({"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[0,1],[0,0]]],[[[5,5],[6,5],[5,6],[5,5]]]]})");
  EXPECT_TRUE(contains(two, {0.1, 0.1}));
  EXPECT_TRUE(contains(two, {5.1, 5.1}));
  EXPECT_FALSE(contains(two, {2, 2}));
}

TEST(Region, RefusesWhatIsNoArea) {
  for (const char* text :
       {"{}", "[]", R"({"type":"Point","coordinates":[0,0]})", R"({"type":"Polygon","coordinates":[]})",
        R"({"type":"Polygon","coordinates":[[[0,0],[1,0],[0,0]]]})",
        R"({"type":"Polygon","coordinates":[[[0,0],[1,0],[0,91],[0,0]]]})",
        R"({"type":"Polygon","coordinates":[[[0,0],[1,0],["0",1],[0,0]]]})",
        R"({"type":"MultiPolygon","coordinates":[7]})", R"({"type":"FeatureCollection","features":[]})"})
    EXPECT_THROW(read(text), DataError) << text;
}

TEST(Region, ReadsNumbersBetweenCommas) {
  EXPECT_EQ(parse_box("-8.63,41.14,-8.59,41.16").north_east, (geometry::LonLat{-8.59, 41.16}));
  EXPECT_EQ(parse_circle("-8.611,41.147,1500").radius_m, 1500);
  EXPECT_EQ(parse_place("around", "-8.611,41.147"), (geometry::LonLat{-8.611, 41.147}));
}

TEST(Region, RefusesNumbersThatAreNoRegion) {
  for (const char* text :
       {"", "1,2,3", "1,2,3,4,5", "a,b,c,d", "3,2,1,4", "1,4,3,2", "1,2,1,4", "-181,0,0,1", "0,0,nan,1"})
    EXPECT_THROW(parse_box(text), InvalidOption) << text;
  for (const char* text : {"", "1,2", "1,2,0", "1,2,-5", "1,91,5", "1,2,inf"})
    EXPECT_THROW(parse_circle(text), InvalidOption) << text;
  for (const char* text : {"", "1", "1,2,3", "200,2"})
    EXPECT_THROW(parse_place("around", text), InvalidOption) << text;
}

}  // namespace
}  // namespace fogline::roads::region_test
