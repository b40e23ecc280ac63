// SPDX-License-Identifier: Apache-2.0
#include "io/points_geojson.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/test_text.hpp"

namespace fogline::io::points_geojson_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_text::message_of;

PointTable read(const std::string& text) {
  auto source = TextSource::from_memory("t.geojson", text);
  return read_points_geojson(source, {});
}

std::string refusal(const std::string& text) {
  return message_of([&] { read(text); });
}

std::string feature(const std::string& properties, const std::string& type, const std::string& coordinates) {
  return fmt::format(R"({{"type":"Feature","properties":{},"geometry":{{"type":"{}","coordinates":{}}}}})",
                     properties, type, coordinates);
}

std::string collection(const std::string& features) {
  return R"({"type":"FeatureCollection","features":[)" + features + "]}";
}

std::vector<std::string> trips_of(const PointTable& points) {
  std::vector<std::string> names;
  for (const auto traj : points.traj) names.push_back(points.traj_names.name(traj));
  return names;
}

TEST(PointsGeoJson, ReadsPointsWithTheirProperties) {
  const PointTable points = read(collection(
      feature(R"({"trip_id":7,"User":"ada","time":"2026-11-15T08:00:00Z"})", "Point", "[13.4,52.5,30]") +
      "," + feature(R"({"traj_id":"7","uid":"ada","t":1794729615})", "Point", "[13.5,52.5]")));
  EXPECT_THAT(points.lon, ElementsAre(13.4, 13.5));
  EXPECT_THAT(points.t, ElementsAre(1794729600, 1794729615));
  EXPECT_THAT(trips_of(points), ElementsAre("7", "7"));
  EXPECT_THAT(points.user_names.names(), ElementsAre("ada"));
  EXPECT_THAT(points.line, ElementsAre(1, 2));
  EXPECT_TRUE(points.lines_are_records);
}

TEST(PointsGeoJson, ALineIsATrip) {
  const PointTable points = read(
      collection(feature(R"({"times":[10,20]})", "LineString", "[[1,2],[3,4]]") + "," +
                 feature(R"({"traj_id":"b","coordinateProperties":{"times":[["1970-01-01T00:00:05Z"],[6]]}})",
                         "MultiLineString", "[[[5,6]],[[7,8]]]")));
  EXPECT_THAT(trips_of(points), ElementsAre("feature-1", "feature-1", "b.1", "b.2"));
  EXPECT_THAT(points.t, ElementsAre(10, 20, 5, 6));
}

TEST(PointsGeoJson, ANumberIsOneNameInEverySpelling) {
  const PointTable points =
      read(collection(feature(R"({"user_id":1,"traj_id":-0.0})", "Point", "[1,2]") + "," +
                      feature(R"({"user_id":1.0,"traj_id":0})", "Point", "[1,2]") + "," +
                      feature(R"({"user_id":"1","traj_id":" 0"})", "Point", "[1,2]") + "," +
                      feature(R"({"user_id":1e0,"traj_id":0.0})", "Point", "[1,2]")));
  EXPECT_THAT(points.user_names.names(), ElementsAre("1"));
  EXPECT_THAT(points.traj_names.names(), ElementsAre("0"));
  // These were rounded when they were read: two people might have become one.
  for (const char* number : {"1.5", "1e300", "12345678901234567890123"})
    EXPECT_THAT(refusal(feature(fmt::format(R"({{"user_id":{}}})", number), "Point", "[1,2]")),
                HasSubstr("write names as text"))
        << number;
  EXPECT_THAT(read(feature(R"({"user_id":9007199254740993})", "Point", "[1,2]")).user_names.names(),
              ElementsAre("9007199254740993"));
}

TEST(PointsGeoJson, BlankNamesAreNone) {
  const PointTable points = read(collection(
      R"({"type":"Feature","id":" ","properties":{"traj_id":"","user_id":" "},"geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}})"));
  EXPECT_THAT(trips_of(points), ElementsAre("feature-1", "feature-1"));
  EXPECT_TRUE(points.user.empty());
}

TEST(PointsGeoJson, ReadsAFeatureOrABareGeometry) {
  EXPECT_EQ(read(feature("null", "MultiPoint", "[[1,2],[3,4]]")).size(), 2U);
  EXPECT_EQ(read(R"({"type":"Point","coordinates":[1,2]})").size(), 1U);
  EXPECT_EQ(
      read(R"({"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]}]})").size(),
      1U);
}

TEST(PointsGeoJson, WhatIsLeftOutIsCounted) {
  const PointTable points =
      read(collection(R"({"type":"Feature","properties":{},"geometry":null},)" +
                      feature("{}", "Polygon", "[]") + "," + feature(R"({"t":5})", "LineString", "[[1,2]]")));
  EXPECT_EQ(points.warnings.count("feature without geometry left out"), 1U);
  EXPECT_EQ(points.warnings.count("geometry that is neither point nor line left out"), 1U);
  EXPECT_EQ(points.warnings.count("one time for a whole line left out"), 1U);
}

TEST(PointsGeoJson, BadFilesAreRefused) {
  EXPECT_THAT(refusal(""), HasSubstr("t.geojson, line 1: is not valid JSON"));
  EXPECT_THAT(refusal(collection("")), HasSubstr("holds no points"));
  EXPECT_THAT(refusal("[1]"), HasSubstr("is not a JSON object"));
  EXPECT_THAT(refusal(R"({"type":"FeatureCollection"})"), HasSubstr("field \"features\" is missing"));
  EXPECT_THAT(refusal(collection("{}")), HasSubstr("record 1: field \"type\" is missing"));
  EXPECT_THAT(refusal(collection(R"({"type":"Point"})")), HasSubstr("record 1: is not a Feature"));
  EXPECT_THAT(refusal(feature("{}", "Point", "[1]")),
              HasSubstr("record 1: a position is not an array of two numbers"));
  EXPECT_THAT(refusal(feature("{}", "Point", R"(["1","2"])")), HasSubstr("a position is not"));
  EXPECT_THAT(refusal(feature("{}", "Point", "[39.9,116.5]")), HasSubstr("look swapped"));
  EXPECT_THAT(refusal(feature("{}", "MultiLineString", "[1]")), HasSubstr("not an array"));
  EXPECT_THAT(refusal(feature(R"({"times":[1]})", "LineString", "[[1,2],[3,4]]")),
              HasSubstr("times do not match"));
  EXPECT_THAT(refusal(feature(R"({"t":{}})", "Point", "[1,2]")), HasSubstr("a time is neither"));
  // A name that nameless features are given would join trips that are two.
  EXPECT_THAT(refusal(collection(feature("{}", "LineString", "[[1,2],[3,4]]") + "," +
                                 feature(R"({"traj_id":"feature-1"})", "LineString", "[[5,6],[7,8]]"))),
              HasSubstr("without a name"));
  EXPECT_THAT(refusal(feature(R"({"traj_id":[]})", "Point", "[1,2]")), HasSubstr("the trip is neither"));
  EXPECT_THAT(refusal(feature(R"({"traj_id":"\u0000"})", "Point", "[1,2]")), HasSubstr("NUL"));
  EXPECT_THAT(refusal(collection(feature("{}", "Point", "[1,2]")).substr(0, 90)),
              HasSubstr("is not valid JSON"));
}

}  // namespace
}  // namespace fogline::io::points_geojson_test
