// SPDX-License-Identifier: Apache-2.0
#include "io/points_csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/test_text.hpp"

namespace fogline::io::points_csv_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing_text::message_of;

PointTable read(const std::string& text, const PointReadOptions& options = {}) {
  auto source = TextSource::from_memory("t.csv", text);
  return read_points_csv(source, options);
}

std::string refusal(const std::string& text) {
  return message_of([&] { read(text); });
}

TEST(PointsCsv, ReadsEveryColumn) {
  const PointTable points = read(
      "traj_id,user_id,t,lon,lat\n"
      "7,ada,1794729600,13.377,52.516\n"
      "7,ada,2026-11-15T08:00:15Z,13.378,52.517\n"
      "8,bob,1794729600,-8.61,41.14\n");
  EXPECT_THAT(points.lon, ElementsAre(13.377, 13.378, -8.61));
  EXPECT_THAT(points.lat, ElementsAre(52.516, 52.517, 41.14));
  EXPECT_THAT(points.t, ElementsAre(1794729600, 1794729615, 1794729600));
  EXPECT_THAT(points.traj, ElementsAre(0, 0, 1));
  EXPECT_THAT(points.traj_names.names(), ElementsAre("7", "8"));
  EXPECT_THAT(points.user_names.names(), ElementsAre("ada", "bob"));
  EXPECT_THAT(points.line, ElementsAre(2, 3, 4));
  EXPECT_TRUE(points.has_time);
  EXPECT_FALSE(points.plane);
  EXPECT_TRUE(points.warnings.items().empty());
}

TEST(PointsCsv, OnlyThePositionIsRequired) {
  const PointTable points = read("lat,lon\n52.5,13.4\n");
  EXPECT_THAT(points.lon, ElementsAre(13.4));
  EXPECT_FALSE(points.has_time);
  EXPECT_TRUE(points.t.empty() && points.traj.empty() && points.user.empty());
}

TEST(PointsCsv, AcceptsTheUsualSpellings) {
  for (const char* header :
       {"lng,latitude,taxi_id,timestamp,trip_id", "Longitude,Latitude,User,DateTime,Trajectory",
        "x,y,uid,time,track_id", "long,lat,Vehicle ID,Date Time,Trip ID"}) {
    const PointTable points = read(std::string(header) + "\n13.4,52.5,u,5,t\n");
    EXPECT_EQ(points.lon[0], 13.4) << header;
    EXPECT_EQ(points.t[0], 5) << header;
    EXPECT_EQ(points.user_names.name(0), "u") << header;
    EXPECT_EQ(points.traj_names.name(0), "t") << header;
  }
}

TEST(PointsCsv, MetresHaveTheirOwnColumns) {
  const PointTable points = read("x_m;y_m\n14361.5;-26097.7\n");
  EXPECT_TRUE(points.plane);
  EXPECT_EQ(points.lat[0], -26097.7);
}

TEST(PointsCsv, AHeaderCanBeGiven) {
  const PointTable points = read("1,5,116.5,39.9\n", {.csv_header = "user_id,t,lon,lat"});
  EXPECT_EQ(points.lon[0], 116.5);
  EXPECT_EQ(points.line[0], 1U);
}

TEST(PointsCsv, BadFilesAreRefused) {
  EXPECT_THAT(refusal(""), HasSubstr("the file is empty"));
  EXPECT_THAT(refusal("lon,lat\n"), HasSubstr("holds no points"));
  EXPECT_THAT(refusal("116.5,39.9\n116.6,39.9\n"), HasSubstr("header such as traj_id,user_id,t,lon,lat"));
  EXPECT_THAT(refusal("lon,height\n1,2\n"), HasSubstr("has no column for the latitude"));
  EXPECT_THAT(refusal("lon,lng,lat\n1,2,3\n"), HasSubstr("columns 1 and 2 of the header mean the same"));
}

TEST(PointsCsv, BadRecordsAreRefusedWithTheirLine) {
  const std::string good = "t,lon,lat\n5,13.4,52.5\n";
  EXPECT_THAT(refusal(good + "6,52.5\n"), HasSubstr("t.csv, line 3: has 2 fields where the header has 3"));
  EXPECT_THAT(refusal(good + "6,nan,52.5\n"), HasSubstr("line 3: column \"lon\" is not a finite number"));
  EXPECT_THAT(refusal(good + "6,,52.5\n"), HasSubstr("line 3: column \"lon\" is empty"));
  EXPECT_THAT(refusal(good + "6,1e999,52.5\n"), HasSubstr("line 3: column \"lon\" is not a finite number"));
  EXPECT_THAT(refusal(good + "6,1e99,52.5\n"), HasSubstr("line 3: longitude lies outside"));
  EXPECT_THAT(refusal(good + "6,39.9,116.5\n"), HasSubstr("line 3: longitude and latitude look swapped"));
  EXPECT_THAT(refusal(good + ",13.4,52.5\n"), HasSubstr("line 3: column \"t\" is empty"));
  EXPECT_THAT(refusal(good + "noon,13.4,52.5\n"), HasSubstr("line 3: the time is neither"));
}

TEST(PointsCsv, MessagesNeverHoldTheValue) {
  for (const char* line : {"5,39.987,116.543", "5,116.543x,39.987", "116543,39987,1", "116.543x,1,1"}) {
    const std::string message = refusal(std::string("t,lon,lat\n") + line + "\n");
    EXPECT_THAT(message, Not(HasSubstr("543"))) << message;
    EXPECT_THAT(message, Not(HasSubstr("987"))) << message;
  }
}

TEST(PointsCsv, AnEmptyTripIsNoTrip) {
  const PointTable points = read("trip,lon,lat\na,1,1\n,2,2\n");
  EXPECT_EQ(points.warnings.count("point that names no trip"), 1U);
  // A column that is there and empty is not one that is absent: whoever needs trips must not take all points for one.
  const PointTable blank = read("trip,user,lon,lat\n, ,1,1\n");
  EXPECT_THAT(blank.traj_names.names(), ElementsAre(""));
  EXPECT_THAT(blank.user_names.names(), ElementsAre(""));
  EXPECT_EQ(blank.warnings.count("point that names no user"), 1U);
  EXPECT_TRUE(read("trip,lon,lat\na,1,1\n").user.empty());
}

TEST(PointsCsv, ReadsThePolylinesOfPorto) {
  const PointTable points = read(
      "\"TRIP_ID\",\"CALL_TYPE\",\"TAXI_ID\",\"TIMESTAMP\",\"MISSING_DATA\",\"POLYLINE\"\n"
      "\"7\",\"C\",\"20\",\"1372636858\",\"False\",\"[[-8.618643,41.141412],[-8.618499,41.141376]]\"\n"
      "\"8\",\"C\",\"21\",\"1372637303\",\"False\",\"[]\"\n"
      "\"9\",\"C\",\"20\",\"1372637303\",\"False\",\"[ [-8.6, 41.1] ]\"\n");
  EXPECT_THAT(points.lon, ElementsAre(-8.618643, -8.618499, -8.6));
  EXPECT_THAT(points.t, ElementsAre(1372636858, 1372636873, 1372637303));
  EXPECT_THAT(points.traj_names.names(), ElementsAre("7", "9"));
  EXPECT_THAT(points.user, ElementsAre(0, 0, 0));
  EXPECT_EQ(points.warnings.count("trip without positions left out"), 1U);
  EXPECT_EQ(points.warnings.count("polyline read as a position every 15 s"), 1U);
}

TEST(PointsCsv, APolylineIsATripByItself) {
  const PointTable points = read("polyline\n\"[[1,2],[3,4]]\"\n\"[[1,2]]\"\n");
  EXPECT_THAT(points.traj, ElementsAre(0, 0, 1));
  EXPECT_FALSE(points.has_time);
}

TEST(PointsCsv, BadPolylinesAreRefused) {
  for (const char* text : {"", "x", "[", "[[1,2]", "[[1,2],]", "[1,2]", "[[1,2]]x", "[[1;2]]", "[[1,2,3]]",
                           "[[1]]", "[[nan,2]]", "[[1,2][3,4]]"})
    EXPECT_THAT(refusal(std::string("trip_id,polyline\n1,\"") + text + "\"\n"), HasSubstr("line 2: column"))
        << text;
  EXPECT_THAT(refusal("trip_id,polyline\n1,\"[[1,200]]\"\n"), HasSubstr("line 2: latitude"));
}

}  // namespace
}  // namespace fogline::io::points_csv_test
