// SPDX-License-Identifier: Apache-2.0
#include "roads/city_geojson.hpp"

#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/json.hpp"

namespace fogline::roads::city_geojson_test {
namespace {

City two_areas() {
  City city;
  city.areas.push_back(
      {AreaKind::park, {{0, 0}, {0, 1}, {1, 1}, {1, 0}}, {{{0.2, 0.2}, {0.4, 0.2}, {0.4, 0.4}}}});
  city.areas.push_back({AreaKind::water, {{2, 0}, {3, 0}, {3, 1}}, {}});
  city.footpaths.push_back({{0, 0}, {0.5, 0.25}});
  city.network.position = {{0, 0}, {0.5, 0.25}};
  city.home_weight = {3, 0};
  city.work_weight = {0, 7};
  return city;
}

TEST(CityGeojson, ClosesRingsAndTurnsThemTheRightWay) {
  const auto json = io::parse_json(city_geojson(two_areas()), "ground");
  ASSERT_EQ(json["features"].size(), 3u);
  const auto& park = json["features"][0];
  EXPECT_EQ(park["properties"]["kind"], "park");
  // Given clockwise, written counter-clockwise and closed; the hole the other way round.
  EXPECT_EQ(park["geometry"]["coordinates"][0].dump(), "[[1.0,0.0],[1.0,1.0],[0.0,1.0],[0.0,0.0],[1.0,0.0]]");
  EXPECT_EQ(park["geometry"]["coordinates"][1].dump(), "[[0.4,0.4],[0.4,0.2],[0.2,0.2],[0.4,0.4]]");
  EXPECT_EQ(json["features"][1]["properties"]["kind"], "water");
  EXPECT_EQ(json["features"][2]["geometry"]["type"], "LineString");
}

TEST(CityGeojson, WritesNothingForAnEmptyCity) {
  EXPECT_TRUE(io::parse_json(city_geojson(City{}), "ground")["features"].empty());
}

TEST(CityGeojson, LandUseHasALinePerVertex) {
  EXPECT_EQ(land_use_csv(two_areas()),
            "vertex,lon,lat,home_weight,work_weight\n"
            "0,0.0000000,0.0000000,3,0\n"
            "1,0.5000000,0.2500000,0,7\n");
}

}  // namespace
}  // namespace fogline::roads::city_geojson_test
