// SPDX-License-Identifier: Apache-2.0
#include "io/points.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/test_text.hpp"

namespace fogline::io::points_test {
namespace {

using testing::HasSubstr;
using testing_text::gzip;
using testing_text::message_of;
using testing_text::real_data;

TEST(Points, TheSuffixTellsTheFormat) {
  EXPECT_EQ(point_format_of("a/trips.csv"), PointFormat::csv);
  EXPECT_EQ(point_format_of("trips.TSV.gz"), PointFormat::csv);
  EXPECT_EQ(point_format_of("trips.geojson"), PointFormat::geojson);
  EXPECT_EQ(point_format_of("trips.json.gz"), PointFormat::geojson);
  EXPECT_EQ(point_format_of("trips.gpx"), PointFormat::gpx);
  EXPECT_EQ(point_format_of("trips.dat.gz"), PointFormat::dat);
  EXPECT_THAT(message_of<InvalidOption>([] { point_format_of("trips.xlsx"); }), HasSubstr(".geojson"));
}

TEST(Points, AForcedFormatBeatsTheSuffix) {
  auto source = TextSource::from_memory("standard input", gzip("#0:\n>0:1,2;\n"));
  const PointTable points = read_points(source, {.format = PointFormat::dat});
  EXPECT_TRUE(points.plane);
  EXPECT_EQ(points.size(), 1U);
}

TEST(Points, ATextTellsItsFormatByItsBeginning) {
  EXPECT_EQ(point_format_of_text("lon,lat\n"), PointFormat::csv);
  EXPECT_EQ(point_format_of_text("\xEF\xBB\xBF\n {\"type\":"), PointFormat::geojson);
  EXPECT_EQ(point_format_of_text("<?xml version"), PointFormat::gpx);
  EXPECT_EQ(point_format_of_text("#0:\n>0:1,2;"), PointFormat::dat);
  EXPECT_EQ(point_format_of_text("# lon,lat"), PointFormat::csv);
  EXPECT_EQ(point_format_of_text("#"), PointFormat::csv);
  EXPECT_EQ(point_format_of_text(" \n"), PointFormat::csv);
  EXPECT_EQ(point_format_of_text(""), PointFormat::csv);
}

TEST(Points, ThoseNotKeptLeaveEveryColumn) {
  auto source = TextSource::from_memory("p.csv", "traj_id,t,lon,lat\na,1,1,2\nb,2,3,4\nc,3,5,6\n");
  PointTable points = read_points(source, {});
  keep_points(points, {true, false, true});
  EXPECT_EQ(points.lon, (std::vector<double>{1, 5}));
  EXPECT_EQ(points.t, (std::vector<std::int64_t>{1, 3}));
  EXPECT_EQ(points.traj_names.name(points.traj.at(1)), "c");
  EXPECT_EQ(points.line, (std::vector<std::uint64_t>{2, 4}));
  EXPECT_TRUE(points.user.empty());
  keep_points(points, {false, false});
  EXPECT_EQ(points.size(), 0U);
}

TEST(Points, ReadsTaxisOfRealLife) {
  const std::string file = real_data("traces/tdrive599_raw.csv.gz");
  FOGLINE_NEEDS_REAL_DATA(file);
  const std::string header = "user_id,t,lon,lat";
  EXPECT_THROW(read_points(file, {.csv_header = header}), DataError);  // the receivers were not always right
  const PointTable points = read_points(file, {.outside = OutsidePoints::drop, .csv_header = header});
  const std::uint64_t outside = points.warnings.count("position out of range left out");
  EXPECT_GT(outside, 0U);
  EXPECT_EQ(points.size() + outside, 848'964U);
  EXPECT_EQ(points.user_names.size(), 598U);
  EXPECT_TRUE(points.has_time);
  EXPECT_GT(points.warnings.count("second point of the same trip and time kept"), 0U);
}

TEST(Points, ReadsCheckInsOfRealLife) {
  const std::string file = real_data("streams/gowalla_nyc_checkins.tsv.gz");
  FOGLINE_NEEDS_REAL_DATA(file);
  const PointTable points = read_points(file, {.csv_header = "user,time,lat,lon,venue"});
  EXPECT_EQ(points.size(), 138'957U);
  EXPECT_EQ(points.user_names.size(), 7'115U);
}

TEST(Points, ReadsTripsOfRealLife) {
  const std::string file = real_data("traces/geolife_beijing_m.dat.gz");
  FOGLINE_NEEDS_REAL_DATA(file);
  const PointTable points = read_points(file, {});
  EXPECT_EQ(points.size(), 1'642'707U);
  EXPECT_EQ(points.traj_names.size(), 16'010U);
}

}  // namespace
}  // namespace fogline::io::points_test
