// SPDX-License-Identifier: Apache-2.0
#include "traces/rules/constraints.hpp"

#include <chrono>
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "random/key.hpp"
#include "traces/rules/constraints_file.hpp"

namespace fogline::traces::constraints_test {
namespace {

using ::testing::HasSubstr;

Frame rules_plane() {
  return Frame::parse("0,0,1000,1000", Frame::Unit::metres);
}

std::string rules_box(double west, double south, double east, double north) {
  return fmt::format(
      R"({{"type":"Polygon","coordinates":[[[{0},{1}],[{2},{1}],[{2},{3}],[{0},{3}],[{0},{1}]]]}})", west,
      south, east, north);
}

std::string rules_feature(const std::string& properties, const std::string& geometry) {
  return R"({"type":"Feature","properties":)" + properties + R"(,"geometry":)" + geometry + "}";
}

Constraints read_rules(const std::vector<std::string>& features, bool timed = true,
                       const Frame& frame = rules_plane()) {
  std::string text = R"({"type":"FeatureCollection","features":[)";
  for (std::size_t i = 0; i < features.size(); ++i) text += (i > 0 ? "," : "") + features[i];
  auto source = io::TextSource::from_memory("rules.geojson", text + "]}");
  Warnings warnings;
  return read_constraints(source, frame, {.timed = timed}, warnings);
}

std::string rules_complaint(const std::vector<std::string>& features, bool timed = true) {
  try {
    read_rules(features, timed);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TripSet rules_trip(const std::vector<PlanePoint>& points, const std::vector<std::int64_t>& times) {
  TripSet set;
  set.point = points;
  set.t = times;
  set.end_trip();
  return set;
}

TEST(Constraints, ClosedAreasAndBoundsDecideWhatIsAllowed) {
  const Constraints rules =
      read_rules({rules_feature(R"({"rule":"closed"})", rules_box(400, 400, 600, 600)),
                  rules_feature(R"({"rule":"bounds"})", rules_box(100, 100, 900, 900))});
  EXPECT_TRUE(rules.allowed({200, 200}));
  EXPECT_FALSE(rules.allowed({500, 500}));
  EXPECT_FALSE(rules.allowed({50, 500}));
  EXPECT_TRUE(rules.segment_allowed({200, 200}, {200, 800}));
  EXPECT_FALSE(rules.segment_allowed({200, 500}, {800, 500}));
  EXPECT_FALSE(rules.segment_allowed({200, 500}, {50, 500}));
  EXPECT_NEAR(rules.open_share(), 0.6, 0.01);
  const PlanePoint out = rules.nearest_open({410, 500});
  EXPECT_NEAR(out.x, 399, 1e-3);
  EXPECT_NEAR(out.y, 500, 1e-3);
}

TEST(Constraints, HolesAndSeveralPolygonsCount) {
  const std::string ring =
      R"({"type":"MultiPolygon","coordinates":[
        [[[100,100],[500,100],[500,500],[100,500],[100,100]],[[200,200],[300,200],[300,300],[200,300],[200,200]]],
        [[[600,600],[700,600],[700,700],[600,600]]]]})";
  const Constraints rules = read_rules({rules_feature(R"({"rule":"closed","name":"two"})", ring)});
  EXPECT_FALSE(rules.allowed({150, 150}));
  EXPECT_TRUE(rules.allowed({250, 250}));
  EXPECT_FALSE(rules.allowed({690, 650}));
  EXPECT_TRUE(rules.allowed({610, 690}));
}

TEST(Constraints, HoursCloseAnAreaForAWhileOnly) {
  const Constraints rules = read_rules({rules_feature(
      R"({"rule":"closed","hours":"22:00-06:00, 12:00-13:30"})", rules_box(400, 400, 600, 600))});
  EXPECT_TRUE(rules.allowed({500, 500}));
  const auto at = [](int hour, int minute) { return (hour * 60 + minute) * 60; };
  EXPECT_FALSE(rules.allowed({500, 500}, at(23, 0)));
  EXPECT_FALSE(rules.allowed({500, 500}, at(0, 0)));
  EXPECT_FALSE(rules.allowed({500, 500}, at(5, 59)));
  EXPECT_TRUE(rules.allowed({500, 500}, at(6, 0)));
  EXPECT_FALSE(rules.allowed({500, 500}, at(12, 0)));
  EXPECT_TRUE(rules.allowed({500, 500}, at(13, 30)));
  EXPECT_TRUE(rules.allowed({100, 100}, at(23, 0)));
  EXPECT_EQ(second_of_day(-1), 86'399);
}

TEST(Constraints, WithoutTimesWhatIsClosedAtSomeHourIsClosed) {
  const Constraints rules = read_rules(
      {rules_feature(R"({"rule":"closed","hours":"22:00-06:00"})", rules_box(400, 400, 600, 600))}, false);
  EXPECT_FALSE(rules.allowed({500, 500}));
  EXPECT_THAT(rules_complaint({rules_feature(R"({"rule":"speed","km_h":50})", "null")}, false),
              HasSubstr("no times"));
  EXPECT_THAT(
      rules_complaint({rules_feature(R"({"rule":"stop","seconds":5})", rules_box(1, 1, 9, 9))}, false),
      HasSubstr("no times"));
}

TEST(Constraints, HoursAreParsedAndJoined) {
  EXPECT_EQ(parse_hours("22:00-06:00"), (std::vector<DayPart>{{0, 21'600}, {79'200, 86'400}}));
  EXPECT_EQ(parse_hours("08:00-09:00,08:30-10:00"), (std::vector<DayPart>{{28'800, 36'000}}));
  EXPECT_EQ(parse_hours("00:00-24:00"), (std::vector<DayPart>{{0, 86'400}}));
  for (const char* bad :
       {"", "8-9", "08:00", "24:30-01:00", "08:60-09:00", "08:00-08:00", "08:00-09:00,", "aa:bb-cc:dd"})
    EXPECT_THROW(parse_hours(bad), InvalidOption) << bad;
}

TEST(Constraints, LookUpSpeedOneWayAndStops) {
  const Constraints rules = read_rules({
      rules_feature(R"({"rule":"speed","km_h":90})", "null"),
      rules_feature(R"({"rule":"speed","km_h":36})", rules_box(0, 0, 500, 500)),
      rules_feature(R"({"rule":"one-way","bearing":90})", rules_box(500, 500, 1000, 1000)),
      rules_feature(R"({"rule":"one-way","width_m":20})",
                    R"({"type":"LineString","coordinates":[[100,800],[300,800],[300,600]]})"),
      rules_feature(R"({"rule":"stop","seconds":30})", rules_box(800, 100, 900, 200)),
  });
  EXPECT_NEAR(*rules.speed_limit_m_s({100, 100}), 10, 1e-9);
  EXPECT_NEAR(*rules.speed_limit_m_s({700, 100}), 25, 1e-9);
  EXPECT_FALSE(rules.against_one_way({600, 600}, {700, 600}));
  EXPECT_TRUE(rules.against_one_way({700, 600}, {600, 650}));
  EXPECT_FALSE(rules.against_one_way({700, 100}, {600, 100}));
  EXPECT_FALSE(rules.against_one_way({150, 800}, {250, 800}));
  EXPECT_TRUE(rules.against_one_way({250, 800}, {150, 800}));
  EXPECT_TRUE(rules.against_one_way({300, 650}, {300, 700}));
  EXPECT_EQ(rules.stop_s({850, 150}), 30);
  EXPECT_EQ(rules.stop_s({100, 150}), std::nullopt);
}

TEST(Constraints, CountsEachKindOfViolation) {
  const Constraints rules = read_rules({
      rules_feature(R"({"rule":"closed"})", rules_box(400, 400, 600, 600)),
      rules_feature(R"({"rule":"closed","hours":"00:00-01:00"})", rules_box(0, 900, 100, 1000)),
      rules_feature(R"({"rule":"bounds"})", rules_box(0, 0, 1000, 990)),
      rules_feature(R"({"rule":"speed","km_h":36})", rules_box(0, 0, 300, 100)),
      rules_feature(R"({"rule":"one-way","bearing":0})", rules_box(700, 0, 1000, 300)),
      rules_feature(R"({"rule":"stop","seconds":30})", rules_box(700, 700, 800, 800)),
  });
  // Through the closed area: one point in it, one step that only crosses it.
  Violations found =
      count(rules_trip({{300, 500}, {500, 500}, {700, 500}, {300, 510}}, {0, 100, 200, 300}), rules);
  EXPECT_EQ(found.closed, 1u);
  EXPECT_EQ(found.crossings, 1u);
  EXPECT_EQ(found.hard(), 1u);
  // Closed in the first hour of the day only.
  found = count(rules_trip({{50, 950}, {60, 950}}, {3599, 3600}), rules);
  EXPECT_EQ(found.closed, 1u);
  found = count(rules_trip({{500, 995}, {500, 900}}, {0, 60}), rules);
  EXPECT_EQ(found.outside, 1u);
  // 10 m/s: 100 m in 10 s is fine, in 9 s it is not.
  found = count(rules_trip({{10, 50}, {110, 50}, {210, 50}}, {0, 10, 19}), rules);
  EXPECT_EQ(found.speed, 1u);
  found = count(rules_trip({{850, 200}, {850, 100}, {900, 110}}, {0, 60, 90}), rules);
  EXPECT_EQ(found.one_way, 1u);
  // In and out with 10 s in it; the second passage has no point in it at all; ending there is fine.
  found = count(rules_trip({{650, 750}, {720, 750}, {780, 750}, {850, 750}, {650, 760}, {750, 760}},
                           {0, 10, 20, 30, 60, 90}),
                rules);
  EXPECT_EQ(found.stop, 2u);
  EXPECT_EQ(found.trips, 1u);
  EXPECT_THROW(count(rules_trip({{1, 1}, {2, 2}}, {}), rules), InvalidOption);
}

TEST(Constraints, RefuseWhatLeavesNoLegalPlace) {
  EXPECT_THAT(rules_complaint({rules_feature(R"({"rule":"closed"})", rules_box(-10, -10, 1010, 1010))}),
              HasSubstr("no legal place"));
  EXPECT_THAT(rules_complaint({rules_feature(R"({"rule":"closed"})", rules_box(-10, -10, 500, 1010)),
                               rules_feature(R"({"rule":"closed"})", rules_box(499, -10, 1010, 1010))}),
              HasSubstr("no legal place"));
  EXPECT_THAT(rules_complaint({rules_feature(R"({"rule":"bounds"})", rules_box(200, 200, 300, 300)),
                               rules_feature(R"({"rule":"closed"})", rules_box(100, 100, 400, 400))}),
              HasSubstr("no legal place"));
  EXPECT_THAT(rules_complaint({rules_feature(R"({"rule":"bounds"})", rules_box(2000, 200, 3000, 300))}),
              HasSubstr("no legal place"));
  // Closed by day and closed by night is closed; closed by night is not, unless the trips know no hour.
  const std::string by_day =
      rules_feature(R"({"rule":"closed","hours":"06:00-22:00"})", rules_box(-9, -9, 1009, 1009));
  const std::string by_night =
      rules_feature(R"({"rule":"closed","hours":"22:00-06:00"})", rules_box(-9, -9, 1009, 1009));
  EXPECT_THAT(rules_complaint({by_day, by_night}), HasSubstr("no legal place"));
  EXPECT_EQ(rules_complaint({by_night}), "");
  EXPECT_THAT(rules_complaint({by_night}, false), HasSubstr("no legal place"));
}

TEST(Constraints, RefuseBadFilesWithTheFeatureAndTheProperty) {
  const std::string fine = rules_feature(R"({"rule":"closed"})", rules_box(1, 1, 9, 9));
  const auto complaint = [&](const std::string& properties, const std::string& geometry) {
    return rules_complaint({fine, rules_feature(properties, geometry)});
  };
  const std::string box = rules_box(10, 10, 20, 20);
  const std::string bow = R"({"type":"Polygon","coordinates":[[[0,0],[10,10],[10,0],[0,10],[0,0]]]})";
  const std::string open = R"({"type":"Polygon","coordinates":[[[0,0],[10,0],[10,10],[0,10]]]})";
  EXPECT_THAT(complaint(R"({"rule":"closed"})", bow), HasSubstr("rules.geojson, record 2"));
  EXPECT_THAT(complaint(R"({"rule":"closed"})", bow), HasSubstr("crosses itself"));
  EXPECT_THAT(complaint(R"({"rule":"closed"})", open), HasSubstr("not closed"));
  EXPECT_THAT(complaint(R"({"rule":"shut"})", box), HasSubstr("not known"));
  EXPECT_THAT(complaint(R"({})", box), HasSubstr("rule"));
  EXPECT_THAT(complaint(R"({"rule":"speed"})", box), HasSubstr("km_h"));
  EXPECT_THAT(complaint(R"({"rule":"speed","km_h":0})", box), HasSubstr("km_h"));
  EXPECT_THAT(complaint(R"({"rule":"speed","km_h":"50"})", box), HasSubstr("km_h"));
  EXPECT_THAT(complaint(R"({"rule":"one-way"})", box), HasSubstr("bearing"));
  EXPECT_THAT(complaint(R"({"rule":"one-way","bearing":400})", box), HasSubstr("bearing"));
  EXPECT_THAT(complaint(R"({"rule":"one-way","bearing":40,"width_m":3})", box), HasSubstr("width_m"));
  EXPECT_THAT(complaint(R"({"rule":"one-way"})", R"({"type":"LineString","coordinates":[[1,1],[2,2]]})"),
              HasSubstr("width_m"));
  EXPECT_THAT(complaint(R"({"rule":"stop"})", box), HasSubstr("seconds"));
  EXPECT_THAT(complaint(R"({"rule":"stop","seconds":0})", box), HasSubstr("seconds"));
  EXPECT_THAT(complaint(R"({"rule":"closed","hours":"25:00-26:00"})", box), HasSubstr("hours"));
  EXPECT_THAT(complaint(R"({"rule":"speed","km_h":50,"hours":"01:00-02:00"})", box), HasSubstr("hours"));
  EXPECT_THAT(complaint(R"({"rule":"closed"})", "null"), HasSubstr("geometry"));
  EXPECT_THAT(complaint(R"({"rule":"closed"})", R"({"type":"Point","coordinates":[1,1]})"),
              HasSubstr("Polygon"));
  EXPECT_THAT(rules_complaint({}), HasSubstr("no feature"));
}

TEST(Constraints, AreasOutsideOfTheFrameAndUnknownPropertiesAreWarnedOf) {
  auto source = io::TextSource::from_memory(
      "rules.geojson",
      R"({"type":"FeatureCollection","features":[)" +
          rules_feature(R"({"rule":"closed","colour":"red"})", rules_box(5000, 5000, 6000, 6000)) + "]}");
  Warnings warnings;
  const Constraints rules = read_constraints(source, rules_plane(), {}, warnings);
  EXPECT_EQ(warnings.items().size(), 2u);
  EXPECT_TRUE(rules.allowed({500, 500}));
}

TEST(Constraints, DegreesAreStraightLinesOfLongitudeAndLatitude) {
  const Frame frame = Frame::parse("116.15,39.75,116.60,40.10", Frame::Unit::degrees);
  const Constraints rules =
      read_rules({rules_feature(R"({"rule":"closed"})", rules_box(110, 39.9, 120, 50))}, true, frame);
  for (const double lon : {116.16, 116.375, 116.59}) {
    const geometry::PointXY north = frame.inward({lon, 39.9 + 0.00002}),
                            south = frame.inward({lon, 39.9 - 0.00002});
    EXPECT_FALSE(rules.allowed({static_cast<float>(north.x_m), static_cast<float>(north.y_m)}));
    EXPECT_TRUE(rules.allowed({static_cast<float>(south.x_m), static_cast<float>(south.y_m)}));
  }
  EXPECT_NEAR(rules.open_share(), 0.15 / 0.35, 0.002);
}

}  // namespace
}  // namespace fogline::traces::constraints_test
