// SPDX-License-Identifier: Apache-2.0
#include "io/points_write.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "io/point_builder.hpp"

namespace fogline::io::points_write_test {
namespace {

PointTable example() {
  PointBuilder builder("t", {});
  builder.add({.lon = 13.4, .lat = 52.5, .line = 1, .t = 10, .traj = "a,b", .user = "\"x\""});
  builder.add({.lon = -1, .lat = 1.23456789, .line = 2, .t = 20, .traj = "c", .user = "y"});
  return std::move(builder).finish();
}

TEST(PointsWrite, CsvHoldsTheColumnsThereAre) {
  EXPECT_EQ(points_csv(example()),
            "traj_id,user_id,t,lon,lat\n"
            "\"a,b\",\"\"\"x\"\"\",10,13.4000000,52.5000000\n"
            "c,y,20,-1.0000000,1.2345679\n");
  PointBuilder plain("t", {.plane = true});
  plain.add({.lon = 1, .lat = 2.0004, .line = 1});
  EXPECT_EQ(points_csv(std::move(plain).finish()), "x_m,y_m\n1.000,2.000\n");
}

TEST(PointsWrite, GeoJsonHoldsOnePointPerFeature) {
  EXPECT_EQ(points_geojson(example()),
            "{\"type\":\"FeatureCollection\",\"features\":[\n"
            "{\"type\":\"Feature\",\"properties\":{\"traj_id\":\"a,b\",\"user_id\":\"\\\"x\\\"\",\"t\":10},"
            "\"geometry\":{\"type\":\"Point\",\"coordinates\":[13.4000000,52.5000000]}},\n"
            "{\"type\":\"Feature\",\"properties\":{\"traj_id\":\"c\",\"user_id\":\"y\",\"t\":20},"
            "\"geometry\":{\"type\":\"Point\",\"coordinates\":[-1.0000000,1.2345679]}}\n]}\n");
  PointTable plane = example();
  plane.plane = true;
  EXPECT_THROW(points_geojson(plane), InvalidOption);
}

TEST(PointsWrite, BothFormatsReadBackAsTheyWere) {
  EXPECT_TRUE(rc::check([] {
    const auto count = *rc::gen::inRange<std::size_t>(1, 20);
    PointBuilder builder("t", {});
    for (std::size_t i = 0; i < count; ++i) {
      const std::string name =
          *rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::inRange('!', '~')));
      builder.add({.lon = *rc::gen::inRange(-1'800'000'000, 1'800'000'000) * 1e-7,
                   .lat = *rc::gen::inRange(-900'000'000, 900'000'000) * 1e-7,
                   .line = i + 1,
                   .t = static_cast<std::int64_t>(i),
                   .traj = name});
    }
    const PointTable points = std::move(builder).finish();
    for (const auto& [file, text] :
         {std::pair{"a.csv", points_csv(points)}, {"a.json", points_geojson(points)}}) {
      auto source = TextSource::from_memory(file, text);
      const PointTable again = read_points(source, {});
      RC_ASSERT(again.traj_names.names() == points.traj_names.names());
      RC_ASSERT(again.traj == points.traj);
      RC_ASSERT(again.t == points.t);
      for (std::size_t i = 0; i < count; ++i) {
        RC_ASSERT(std::abs(again.lon[i] - points.lon[i]) < 5e-8);
        RC_ASSERT(std::abs(again.lat[i] - points.lat[i]) < 5e-8);
      }
    }
  }));
}

}  // namespace
}  // namespace fogline::io::points_write_test
