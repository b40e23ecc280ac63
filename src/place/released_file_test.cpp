// SPDX-License-Identifier: Apache-2.0
#include "place/released_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "place/positions.hpp"
#include "roads/read_network.hpp"

namespace fogline::place::released_file_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

ReleasedFile read(const std::string& text, ReleasedFormat format,
                  ReleasedPlaces places = ReleasedPlaces::vertices) {
  auto source = io::TextSource::from_memory("safe", text);
  return read_released(source, format, places);
}

io::PointTable three_points() {
  auto source =
      io::TextSource::from_memory("p", "user_id,t,lon,lat\nann,1,0,0\n\"b,\nb\",2,0,0\nann,3,0,0\n");
  return io::read_points(source, {.format = io::PointFormat::csv});
}

class ReleasedFileTest : public testing::Test {
 protected:
  roads::RoadNetwork line_ = roads::make_network("line:5:400");
  io::PointTable points_ = three_points();
  std::vector<graph::VertexId> safe_{4, 0, 4};
};

TEST_F(ReleasedFileTest, BothFormatsReadWhatWasWritten) {
  for (const KeptColumns& kept : {KeptColumns{}, KeptColumns{.user_id = true, .t = true}}) {
    for (const ReleasedFile& file :
         {read(released_csv(points_, line_, safe_, kept), ReleasedFormat::csv),
          read(released_geojson(points_, line_, safe_, kept), ReleasedFormat::geojson)}) {
      EXPECT_EQ(file.records(), 3U);
      EXPECT_THAT(file.vertices, ElementsAre("4", "0", "4"));
      if (kept.t) {
        EXPECT_THAT(file.copied_columns, ElementsAre("t", "user_id"));
      } else {
        EXPECT_THAT(file.copied_columns, IsEmpty());
      }
    }
  }
}

TEST_F(ReleasedFileTest, WhatWasWrittenIsWrittenAnew) {
  for (const KeptColumns& kept : {KeptColumns{}, KeptColumns{.user_id = true, .t = true}}) {
    const std::string csv = released_csv(points_, line_, safe_, kept);
    EXPECT_EQ(written_anew(read(csv, ReleasedFormat::csv), line_), csv);
    const std::string geojson = released_geojson(points_, line_, safe_, kept);
    EXPECT_EQ(written_anew(read(geojson, ReleasedFormat::geojson), line_), geojson);
  }
}

TEST_F(ReleasedFileTest, OtherPositionsAreNotWrittenAnew) {
  const std::string csv = "record,vertex,lon,lat\n1,4,0.0017000,0.0001000\n";
  const std::string anew = written_anew(read(csv, ReleasedFormat::csv), line_);
  EXPECT_EQ(anew, released_csv(points_, line_, std::vector<graph::VertexId>{4}, {}));
  EXPECT_NE(anew, csv);
  EXPECT_THROW(written_anew(read("record,vertex,lon,lat\n1,5,0,0\n", ReleasedFormat::csv), line_), DataError);
}

TEST_F(ReleasedFileTest, PointsAreWrittenAnewInBothFormats) {
  const std::vector<geometry::LonLat> safe{{-0.0000000001, 0.5}, {179.12345678, -89.9}, {0, 1e-7}};
  for (const KeptColumns& kept : {KeptColumns{}, KeptColumns{.user_id = true, .t = true}}) {
    const std::string csv = released_csv(points_, safe, kept);
    const ReleasedFile read_csv = read(csv, ReleasedFormat::csv, ReleasedPlaces::points);
    EXPECT_EQ(read_csv.records(), 3U);
    EXPECT_EQ(read_csv.copied_columns.size(), kept.t ? 2U : 0U);
    EXPECT_EQ(points_written_anew(read_csv), csv);
    const std::string geojson = released_geojson(points_, safe, kept);
    EXPECT_EQ(points_written_anew(read(geojson, ReleasedFormat::geojson, ReleasedPlaces::points)), geojson);
  }
  EXPECT_EQ(released_csv(points_, {safe.data() + 1, 1}, {}), "record,lon,lat\n1,179.1234568,-89.9000000\n");
}

TEST_F(ReleasedFileTest, PointsWithMoreDecimalsAreNotWrittenAnew) {
  for (const char* lon : {"0.50000001", "0.5", "5e-1", "0.50000000", "+0.5000000", "00.5000000"}) {
    const std::string csv = std::string("record,lon,lat\n1,") + lon + ",0.1000000\n";
    try {
      EXPECT_NE(points_written_anew(read(csv, ReleasedFormat::csv, ReleasedPlaces::points)), csv) << lon;
    } catch (const DataError&) {  // refused by the reader already
    }
  }
  const std::string wordy =
      R"({"type":"FeatureCollection","features":[
{"type":"Feature","properties":{"record":1},"geometry":{"type":"Point","coordinates":[0.12345678,0.1000000]}}
]}
)";
  EXPECT_NE(points_written_anew(read(wordy, ReleasedFormat::geojson, ReleasedPlaces::points)), wordy);
}

TEST(ReleasedFile, PointsHaveAPositionAndNoVertex) {
  const auto points = ReleasedPlaces::points;
  for (const char* position : {"x,0", "181,0", "0,91", "nan,0", ",", "inf,0"}) {
    EXPECT_THROW(read(std::string("record,lon,lat\n1,") + position + "\n", ReleasedFormat::csv, points),
                 DataError)
        << position;
  }
  EXPECT_THROW(read("record,lon\n1,0\n", ReleasedFormat::csv, points), DataError);
  EXPECT_THAT(read("record,vertex,lon,lat\n1,4,0,0\n", ReleasedFormat::csv, points).copied_columns,
              ElementsAre("vertex"));
  for (const char* at : {"[0]", "[0,0,0]", "[\"0\",0]", "[0,99]", "7"}) {
    EXPECT_THROW(
        read(std::string(
                 R"({"type":"FeatureCollection","features":[{"type":"Feature","properties":{"record":1},)") +
                 R"("geometry":{"type":"Point","coordinates":)" + at + "}}]}",
             ReleasedFormat::geojson, points),
        DataError)
        << at;
  }
}

TEST(ReleasedFile, RecordsCountFromOne) {
  for (const char* record : {"ann", "2", "01", "1 ", ""}) {
    EXPECT_THROW(read(std::string("record,vertex,lon,lat\n") + record + ",0,0,0\n", ReleasedFormat::csv),
                 DataError)
        << record;
  }
}

TEST(ReleasedFile, CopiedColumnsAreWhole) {
  EXPECT_THROW(read("record,t,vertex,lon,lat\n1,noon,0,0,0\n", ReleasedFormat::csv), DataError);
  EXPECT_THROW(read("record,t,t,vertex,lon,lat\n1,1,1,0,0,0\n", ReleasedFormat::csv), DataError);
}

TEST_F(ReleasedFileTest, GeoJsonHoldsNothingElse) {
  using Json = nlohmann::ordered_json;
  const Json honest = Json::parse(released_geojson(points_, line_, safe_, {.user_id = true}));
  const auto refuse = [&](const char* at, const Json& value) {
    Json forged = honest;
    forged[Json::json_pointer(at)] = value;
    EXPECT_THROW(read(forged.dump(), ReleasedFormat::geojson), DataError) << at;
  };
  EXPECT_NO_THROW(read(honest.dump(), ReleasedFormat::geojson));
  refuse("/truth", 1);
  refuse("/type", "Feature");
  refuse("/features/0/id", "ann");
  refuse("/features/0/geometry/bbox", 1);
  refuse("/features/0/geometry/type", "LineString");
  refuse("/features/1/properties/record", 1);
  refuse("/features/1/properties/record", "ann");
  refuse("/features/1/properties/t", 5);
  Json forged = honest;
  forged["features"][0]["properties"]["lon"] = 0.5;
  EXPECT_THAT(read(forged.dump(), ReleasedFormat::geojson).copied_columns, ElementsAre("lon", "user_id"));
}

TEST(ReleasedFile, OtherFilesAreRefused) {
  EXPECT_THROW(read("lon,lat\n0,0\n", ReleasedFormat::csv), DataError);
  EXPECT_THROW(read("record,vertex,vertex,lon,lat\n1,0,0,0,0\n", ReleasedFormat::csv), DataError);
  EXPECT_THROW(read("{}", ReleasedFormat::geojson), DataError);
  EXPECT_THROW(read(R"({"features":[{"properties":{"vertex":1}}]})", ReleasedFormat::geojson), DataError);
  EXPECT_THROW(read(R"({"features":[1]})", ReleasedFormat::geojson), DataError);
}

TEST(ReleasedFile, TheSuffixTellsTheFormat) {
  EXPECT_EQ(released_format("a.geojson"), ReleasedFormat::geojson);
  EXPECT_EQ(released_format("a.json"), ReleasedFormat::geojson);
  EXPECT_EQ(released_format("a.csv"), ReleasedFormat::csv);
  EXPECT_EQ(released_format("-"), ReleasedFormat::csv);
}

}  // namespace
}  // namespace fogline::place::released_file_test
