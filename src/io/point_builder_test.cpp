// SPDX-License-Identifier: Apache-2.0
#include "io/point_builder.hpp"

#include <limits>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "io/test_text.hpp"

namespace fogline::io::point_builder_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_text::message_of;

std::string refusal(double lon, double lat, bool plane = false) {
  return message_of([&] { PointBuilder("t", {.plane = plane}).add({.lon = lon, .lat = lat, .line = 7}); });
}

TEST(PointBuilder, PositionsOutOfRangeAreRefused) {
  EXPECT_THAT(refusal(39.9, 116.4), HasSubstr("t, line 7: longitude and latitude look swapped"));
  EXPECT_THAT(refusal(-73.9, -95.0), HasSubstr("look swapped"));
  EXPECT_THAT(refusal(100, 95), HasSubstr("latitude lies outside -90 to 90"));
  EXPECT_THAT(refusal(200, 10), HasSubstr("subtract 360"));
  EXPECT_THAT(refusal(-200, 10), HasSubstr("longitude lies outside -180 to 180"));
  EXPECT_THAT(refusal(1e308, 1e308), HasSubstr("latitude lies outside"));
  EXPECT_THAT(refusal(1, std::numeric_limits<double>::quiet_NaN()), HasSubstr("latitude lies outside"));
  EXPECT_THAT(refusal(std::numeric_limits<double>::infinity(), 1), HasSubstr("longitude lies outside"));
  EXPECT_THAT(refusal(1e10, 0, true), HasSubstr("over 10^9 metres"));
  EXPECT_THAT(refusal(0, std::numeric_limits<double>::quiet_NaN(), true), HasSubstr("over 10^9 metres"));
}

TEST(PointBuilder, TheBordersAreInside) {
  PointBuilder builder("t", {});
  builder.add({.lon = -180, .lat = 90, .line = 1});
  builder.add({.lon = 180, .lat = -90, .line = 2});
  EXPECT_EQ(std::move(builder).finish().size(), 2U);
}

TEST(PointBuilder, PositionsOutOfRangeAreDroppedWhenAsked) {
  PointBuilder builder("t", {.outside = OutsidePoints::drop});
  builder.add({.lon = 200, .lat = 0, .line = 1, .traj = "gone"});
  builder.add({.lon = 20, .lat = 0, .line = 2, .traj = "a"});
  const PointTable points = std::move(builder).finish();
  EXPECT_THAT(points.traj_names.names(), ElementsAre("a"));
  EXPECT_EQ(points.warnings.count("position out of range left out"), 1U);
}

TEST(PointBuilder, ColumnsNotEveryPointHasAreSettledWithAWarning) {
  PointBuilder builder("t", {.lines_are_records = true});
  builder.add({.lon = 1, .lat = 1, .line = 1});
  builder.add({.lon = 2, .lat = 2, .line = 2, .t = 5, .traj = "a"});
  builder.add({.lon = 3, .lat = 3, .line = 3, .user = "ada"});
  const PointTable points = std::move(builder).finish();
  EXPECT_FALSE(points.has_time);
  EXPECT_TRUE(points.t.empty());
  EXPECT_EQ(points.traj_names.name(points.traj[0]), "");
  EXPECT_EQ(points.traj_names.name(points.traj[1]), "a");
  EXPECT_EQ(points.user_names.name(points.user[2]), "ada");
  EXPECT_EQ(points.warnings.count("time left out because other points have none"), 1U);
  EXPECT_EQ(points.warnings.count("point that names no trip"), 2U);
  EXPECT_EQ(points.warnings.count("point that names no user"), 2U);
  EXPECT_EQ(to_string(points.spot(1)), "t, record 2");
}

TEST(PointBuilder, NamesAreOneWhateverWhiteSpaceIsAroundThem) {
  PointBuilder builder("t", {});
  builder.add({.lon = 1, .lat = 1, .line = 1, .traj = " a", .user = "ada\xC2\xA0"});
  builder.add({.lon = 2, .lat = 2, .line = 2, .traj = "a\t", .user = " ada"});
  const PointTable points = std::move(builder).finish();
  EXPECT_THAT(points.traj_names.names(), ElementsAre("a"));
  EXPECT_THAT(points.user_names.names(), ElementsAre("ada"));
}

TEST(PointBuilder, NothingAtAllIsRefused) {
  EXPECT_THAT(message_of([] { PointBuilder("t", {}).finish(); }), HasSubstr("t: holds no points"));
}

TEST(PointBuilder, TimesAreReadWithTheirWarnings) {
  PointBuilder builder("t", {});
  EXPECT_EQ(builder.time("2026-11-15T08:00:00.5", 4), 1794729600);
  EXPECT_EQ(builder.warnings().count("fraction of a second left out"), 1U);
  EXPECT_EQ(builder.warnings().count("time without zone read as UTC"), 1U);
  EXPECT_THAT(message_of([&] { builder.time("1794729600000000", 5); }), HasSubstr("divide microseconds"));
}

PointTable with_duplicates(DuplicatePoints policy) {
  PointBuilder builder("t", {.duplicates = policy});
  std::uint64_t line = 1;
  for (const std::int64_t t : {10, 20, 20, 15, 10, 30}) {
    builder.add({.lon = 1, .lat = 1, .line = ++line, .t = t, .traj = "a", .user = "ada"});
  }
  builder.add({.lon = 1, .lat = 1, .line = ++line, .t = 30, .traj = "a", .user = "bob"});
  return std::move(builder).finish();
}

TEST(PointBuilder, DuplicatesAreKeptDroppedOrRefusedAsAsked) {
  EXPECT_EQ(
      with_duplicates(DuplicatePoints::keep).warnings.count("second point of the same trip and time kept"),
      2U);
  EXPECT_EQ(with_duplicates(DuplicatePoints::keep).size(), 7U);
  const PointTable dropped = with_duplicates(DuplicatePoints::drop);
  EXPECT_THAT(dropped.t, ElementsAre(10, 20, 15, 30, 30));
  EXPECT_THAT(dropped.line, ElementsAre(2, 3, 5, 7, 8));
  EXPECT_THAT(message_of([] { with_duplicates(DuplicatePoints::refuse); }),
              HasSubstr("t, line 4: a second point"));
}

TEST(PointBuilder, DroppingDuplicatesLeavesEachMomentOfEachTripOnce) {
  EXPECT_TRUE(rc::check([](const std::vector<std::pair<bool, std::uint8_t>>& moments) {
    RC_PRE(!moments.empty());
    PointBuilder builder("t", {.duplicates = DuplicatePoints::drop});
    for (const auto& [trip, t] : moments) builder.add({.t = t % 16, .traj = trip ? "a" : "b"});
    std::set<std::pair<bool, int>> expected;
    for (const auto& [trip, t] : moments) expected.emplace(trip, t % 16);
    RC_ASSERT(std::move(builder).finish().size() == expected.size());
  }));
}

}  // namespace
}  // namespace fogline::io::point_builder_test
