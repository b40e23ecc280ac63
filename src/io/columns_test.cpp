// SPDX-License-Identifier: Apache-2.0
#include "io/columns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/points.hpp"
#include "io/test_text.hpp"

namespace fogline::io::columns_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing_text::message_of;

PointTable points_of(const std::string& text, const std::string& map = "", bool sequences = false) {
  auto source = TextSource::from_memory("rides.csv", text);
  return read_points(source, {.columns = {.map = ColumnMap::parse(map), .sequences = sequences}});
}

/// What a file of one record with this header gives.
std::string columns_of(const std::string& header, const std::string& values, const std::string& map = "") {
  return to_string(points_of(header + "\n" + values + "\n", map).columns);
}

std::string refusal_of(const std::string& header, const std::string& values, const std::string& map = "") {
  return message_of<Error>([&] { columns_of(header, values, map); });
}

TEST(ColumnMap, TakesRolesByTheirNamesAndByOurs) {
  const ColumnMap map = ColumnMap::parse("trip=ride, user_id=Driver ,t=none,state=-");
  EXPECT_EQ(map.columns().at(Role::trip), "ride");
  EXPECT_EQ(map.columns().at(Role::user), "Driver");
  EXPECT_EQ(map.columns().at(Role::time), "");
  EXPECT_TRUE(map.settles(Role::state));
  EXPECT_FALSE(map.settles(Role::lon));
  EXPECT_TRUE(ColumnMap::parse("").is_empty());
  EXPECT_EQ(ColumnMap::parse("sequence=walk").columns().at(Role::trip), "walk");
}

TEST(ColumnMap, RefusesWhatIsNoMap) {
  const auto refusal = [](const char* text) {
    return message_of<InvalidOption>([&] { ColumnMap::parse(text); });
  };
  EXPECT_THAT(refusal("ride"), HasSubstr("must give a column for each role"));
  EXPECT_THAT(refusal("when=ride"), AllOf(HasSubstr("knows no role \"when\""), HasSubstr("lon, lat, x, y")));
  EXPECT_THAT(refusal("trip="), HasSubstr("gives no column for trip"));
  EXPECT_THAT(refusal("trip=a,sequence=b"), HasSubstr("gives trip twice"));
  EXPECT_THAT(refusal("trip=a,user=a"), HasSubstr("gives \"a\" two roles"));
  EXPECT_THAT(refusal(",trip=a"), HasSubstr("must give a column"));
}

TEST(Columns, SaysWhatWasTakenAndWhatWasLeft) {
  EXPECT_EQ(columns_of("traj_id,user_id,t,lon,lat", "1,u,5,13,52"), "traj_id user_id t lon lat");
  EXPECT_EQ(columns_of("uid,lat,lng,datetime,tid", "u,52,13,2020-01-01 08:00:00,1"),
            "user=uid lat lon=lng time=datetime trip=tid");
  EXPECT_EQ(columns_of("fare,tripId,lon,lat,", "3,1,13,52,"), "trip=tripId lon lat; left: fare, (no name)");
  const ColumnReport report = points_of("fare,lon,lat\n1,13,52\n").columns;
  EXPECT_EQ(to_details(report),
            "column \"lon\" is taken as the longitude\ncolumn \"lat\" is taken as the latitude\n"
            "column \"fare\" is left\n");
}

TEST(Columns, AMapNamesAnything) {
  EXPECT_EQ(columns_of("ride,driver_id,pickup_datetime,lat,lng,fare", "r,d,5,52,13,2",
                       "trip=ride,time=pickup_datetime"),
            "trip=ride user=driver_id time=pickup_datetime lat lon=lng; left: fare");
  EXPECT_EQ(columns_of("easting,northing", "1000,2000", "x=easting,y=northing"), "x=easting y=northing");
  EXPECT_EQ(columns_of("lon,lat,time", "13,52,noon", "time=none"), "lon lat; left: time");
  EXPECT_EQ(columns_of("lon,lat,driver,taxi", "13,52,d,t", "user=taxi"), "lon lat user=taxi; left: driver");
}

TEST(Columns, AMapThatDoesNotFitIsRefused) {
  EXPECT_THAT(refusal_of("lon,lat,a", "13,52,1", "trip=b"), HasSubstr("has no column \"b\""));
  EXPECT_THAT(refusal_of("lon,lat", "13,52", "weight=lon"), HasSubstr("and no weight"));
  EXPECT_THAT(refusal_of("lon,lat,a,A", "13,52,1,2", "trip=a"), HasSubstr("mean the same"));
  auto gpx = TextSource::from_memory("a.gpx", "<gpx/>");
  EXPECT_THAT(
      message_of<InvalidOption>([&] { read_points(gpx, {.columns = {.map = ColumnMap::parse("trip=a")}}); }),
      HasSubstr("GPX has no columns"));
}

TEST(Columns, LookAlikesOfNeededColumnsStopTheReader) {
  const std::string message = refusal_of("ride,pickup_datetime,lat,lng,fare", "r,5,52,13,2");
  EXPECT_THAT(message,
              AllOf(HasSubstr("\"pickup_datetime\" for the time"), HasSubstr("\"ride\" for the trip"),
                    HasSubstr("`columns` time=pickup_datetime,trip=ride"),
                    HasSubstr("`columns` time=none,trip=none"), Not(HasSubstr("fare"))));
  EXPECT_THAT(refusal_of("lon,lat,pickup_datetime,dropoff_datetime", "13,52,1,2"),
              HasSubstr("\"pickup_datetime\" or \"dropoff_datetime\" for the time"));
  for (const char* name : {"created_at", "startTime", "Local Timestamp", "trip_start_timestamp", "date", "ts",
                           "hour", "pickup", "dropoff", "hour_of_day", "message_time"})
    EXPECT_THAT(refusal_of(std::string("lon,lat,") + name, "13,52,1"), HasSubstr("for the time")) << name;
  for (const char* name : {"ride", "journey", "TrajNumber", "sequence", "trip no"})
    EXPECT_THAT(refusal_of(std::string("lon,lat,") + name, "13,52,1"), HasSubstr("for the trip")) << name;
  for (const char* name : {"username", "person", "anonymous_device", "taxi no", "vehicleNumber", "customer",
                           "user_account", "userstage", "medallion", "User Message"})
    EXPECT_THAT(refusal_of(std::string("lon,lat,") + name, "13,52,1"), HasSubstr("for the user")) << name;
}

TEST(Columns, HarmlessColumnsStopNothing) {
  for (const char* name :
       {"fare", "speed", "altitude", "trip_distance", "vehicle_type", "time_zone", "tripDistance",
        "dropoff_longitude", "Passenger Count", "accuracy", "estimate", "latitude_error", "heading"})
    EXPECT_NO_THROW(columns_of(std::string("lon,lat,") + name, "13,52,1")) << name;
  EXPECT_NO_THROW(columns_of("lon,lat,t,update_time", "13,52,1,2")) << "the time is taken already";
}

TEST(Columns, WhatNamesAnythingStopsWhereNothingTellsTripsApart) {
  for (const char* name : {"id", "ID", "name", "order_id", "Rental Number", "shiftNo", "hash"}) {
    const std::string header = std::string("lat,lon,") + name;
    EXPECT_THAT(refusal_of(header, "52,13,1"),
                AllOf(HasSubstr(std::string("\"") + name + "\" for the trip"), HasSubstr("trip=none")))
        << name;
    EXPECT_NO_THROW(columns_of(header, "52,13,1", "trip=none")) << name;
    EXPECT_NO_THROW(columns_of(header + ",traj_id", "52,13,1,2")) << name;
    EXPECT_NO_THROW(columns_of(header + ",user_id", "52,13,1,2")) << name;
    auto source = TextSource::from_memory("a.csv", header + "\n52,13,1\n");
    EXPECT_NO_THROW(read_points(source, {.columns = {.needed = {Role::user}}})) << "no trips are told apart";
  }
}

TEST(Columns, OnePersonIsNotChosenAmongTwo) {
  const auto read = [](const std::string& header, bool one_person, const std::string& map) {
    auto source = TextSource::from_memory("rides.csv", header + "\n1,2,52,13,7\n");
    return to_string(
        read_points(source, {.columns = {.map = ColumnMap::parse(map), .one_person = one_person}}).columns);
  };
  const std::string two = "taxi_id,customer_name,lat,lon,traj_id";
  EXPECT_THAT(message_of([&] { read(two, true, ""); }),
              AllOf(HasSubstr("\"taxi_id\", and \"customer_name\""), HasSubstr("`columns` user=taxi_id or "),
                    HasSubstr("user=customer_name")));
  EXPECT_NO_THROW(read(two, false, ""));
  EXPECT_NO_THROW(read("taxi_id,taxi_type,lat,lon,traj_id", true, ""));
  EXPECT_EQ(read(two, true, "user=customer_name"), "user=customer_name lat lon traj_id; left: taxi_id");
  EXPECT_EQ(read(two, true, "user=taxi_id"), "user=taxi_id lat lon traj_id; left: customer_name");
}

TEST(Columns, OnlyNeededRolesStop) {
  auto source = TextSource::from_memory("a.csv", "lon,lat,pickup_datetime\n13,52,x\n");
  EXPECT_EQ(to_string(read_points(source, {.columns = {.needed = {Role::user}}}).columns),
            "lon lat; left: pickup_datetime");
}

TEST(Columns, TwoForOneRoleAreRefusedByName) {
  EXPECT_THAT(
      refusal_of("lon,lat,driver_id,customer_id", "13,52,1,2"),
      AllOf(HasSubstr("columns 3 and 4"), HasSubstr("\"driver_id\" and \"customer_id\" are both the user"),
            HasSubstr("`columns` user=driver_id")));
  EXPECT_THAT(refusal_of("lon,lon,lat", "13,13,52"), HasSubstr("rename one of them"));
}

TEST(Columns, ASequenceIsATripWhereStatesAreRead) {
  EXPECT_EQ(to_string(points_of("sequence,lon,lat\na,13,52\n", "", true).columns), "sequence lon lat");
  EXPECT_EQ(points_of("seq,lon,lat\na,13,52\nb,13,52\n", "", true).traj_names.size(), 2U);
}

TEST(Columns, OddHeaders) {
  EXPECT_EQ(columns_of("\xEF\xBB\xBFlon,\"lat\"", "13,52"), "lon lat") << "a byte order mark, quotes";
  EXPECT_EQ(columns_of("fare,fare,lon,lat", "1,2,13,52"), "lon lat; left: fare") << "twice, and not needed";
  EXPECT_EQ(columns_of("\"a\x1b[2J\nb\",lon,lat", "1,13,52"), "lon lat; left: a?[2J?b") << "no escapes";
  std::string header = "lon,lat", values = "13,52";
  for (int i = 0; i < 20; ++i) {
    header += ",c" + std::to_string(i);
    values += ",1";
  }
  EXPECT_EQ(columns_of(header, values), "lon lat; left: c0, c1, c2, c3, c4, c5, c6, c7 and 12 more");
  for (int i = 0; i < 10'000; ++i) header += ",d" + std::to_string(i);
  EXPECT_THAT(refusal_of(header, values), HasSubstr("has more than 4,096 columns"));
}

TEST(Columns, AFirstLineThatIsDataIsNeverShown) {
  EXPECT_THAT(refusal_of("ride 17,driver 4,13.4,52.5", "ride 18,driver 5,13.4,52.5"),
              AllOf(HasSubstr("has no column for the longitude"), Not(HasSubstr("17"))));
}

TEST(Columns, PropertiesOfGeoJsonHaveTheSameNames) {
  const auto read = [](const std::string& properties, const std::string& geometry, const std::string& map) {
    auto source = TextSource::from_memory("a.geojson", R"({"type":"Feature","properties":{)" + properties +
                                                           R"(},"geometry":)" + geometry + "}");
    return read_points(source, {.columns = {.map = ColumnMap::parse(map)}});
  };
  const std::string point = R"({"type":"Point","coordinates":[13,52]})";
  const std::string line = R"({"type":"LineString","coordinates":[[13,52],[13,52.1]]})";
  const PointTable mapped =
      read(R"("ride":"r","pickup_time":5,"fare":2)", point, "trip=ride,time=pickup_time");
  EXPECT_EQ(to_string(mapped.columns), "time=pickup_time trip=ride; left: fare");
  EXPECT_THAT(mapped.t, ElementsAre(5));
  EXPECT_EQ(mapped.traj_names.name(0), "r");
  EXPECT_THAT(message_of([&] { read(R"("ride":"r")", point, ""); }), HasSubstr("\"ride\" for the trip"));
  EXPECT_EQ(to_string(read(R"("ride":"r")", line, "").columns), "none; left: ride") << "a line is a trip";
  EXPECT_THAT(message_of([&] { read(R"("uid":"r","driver":"s")", point, ""); }),
              HasSubstr("two properties for the user"));
  EXPECT_THAT(message_of([&] { read(R"("a":1)", point, "trip=b"); }), HasSubstr("has no column \"b\""));
  EXPECT_THAT(read(R"("moments":[1,2])", line, "time=moments").t, ElementsAre(1, 2));
}

}  // namespace
}  // namespace fogline::io::columns_test
