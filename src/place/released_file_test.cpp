// SPDX-License-Identifier: Apache-2.0
#include "place/released_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "place/positions.hpp"
#include "roads/read_network.hpp"

namespace fogline::place {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

ReleasedFile read(const std::string& text, ReleasedFormat format) {
  auto source = io::TextSource::from_memory("safe", text);
  return read_released(source, format);
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
      EXPECT_EQ(file.records, 3U);
      EXPECT_THAT(file.vertices, ElementsAre("0", "4"));
      if (kept.t) {
        EXPECT_THAT(file.copied_columns, ElementsAre("t", "user_id"));
      } else {
        EXPECT_THAT(file.copied_columns, IsEmpty());
      }
    }
  }
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
}  // namespace fogline::place
