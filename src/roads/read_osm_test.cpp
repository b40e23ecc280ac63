// SPDX-License-Identifier: Apache-2.0
#include "roads/read_osm.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <ostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "base/error.hpp"
#include "base/testing.hpp"
#include "geometry/geodesic.hpp"

namespace fogline::roads::read_osm_test {
namespace {

//   1 - 2 - 3 - 4        5 - 6, apart
//           |
//           7 - (8 is missing) - 9 - 10
constexpr std::string_view town = R"(<?xml version='1.0'?>
<osm version="0.6">
  <node id="1" version="1" lat="0" lon="0.000"/>
  <node id="2" version="1" lat="0" lon="0.001"/>
  <node id="3" version="1" lat="0" lon="0.002"/>
  <node id="4" version="1" lat="0" lon="0.003"/>
  <node id="5" version="1" lat="1" lon="0"/>
  <node id="6" version="1" lat="1" lon="0.001"/>
  <node id="7" version="1" lat="-0.001" lon="0.002"/>
  <node id="9" version="1" lat="-0.003" lon="0.002"/>
  <node id="10" version="1" lat="-0.004" lon="0.002"/>
  <way id="20" version="1"><nd ref="1"/><nd ref="2"/><nd ref="3"/><nd ref="4"/>
    <tag k="highway" v="primary"/></way>
  <way id="21" version="1"><nd ref="5"/><nd ref="6"/><tag k="highway" v="service"/></way>
  <way id="22" version="1"><nd ref="3"/><nd ref="7"/><nd ref="8"/><nd ref="9"/><nd ref="10"/>
    <tag k="highway" v="residential"/><tag k="oneway" v="yes"/></way>
  <way id="23" version="1"><nd ref="1"/><nd ref="7"/><tag k="highway" v="footway"/></way>
  <way id="24" version="1"><nd ref="1"/><nd ref="9"/><tag k="building" v="yes"/></way>
</osm>
)";

RoadNetwork read_town(const ReadOptions& options) {
  return read_osm_memory(town, "osm", "town.osm", options);
}

TEST(ReadOsm, ContractsToJunctionsOfTheLargestComponent) {
  const RoadNetwork network = read_town({});
  EXPECT_THAT(network.vertex_name, testing::ElementsAre(1, 3, 4, 7));
  ASSERT_EQ(network.roads.size(), 3U);
  EXPECT_EQ(network.roads[0].length_mm, 2 * geometry::geodesic_mm({0, 0}, {0.001, 0}));
  EXPECT_THAT(network.roads[0].shape, testing::ElementsAre(geometry::LonLat{0.001, 0}));
  EXPECT_EQ(network.roads[0].road_class, RoadClass::primary);
  EXPECT_EQ(network.roads[2].direction, Direction::forward);
  EXPECT_EQ(network.component_count, 3U);
  EXPECT_EQ(network.source, "town.osm");
  EXPECT_THAT(network.dropped,
              testing::ElementsAre("2 ways that are not drivable roads", "1 node missing from the file",
                                   "2 components not connected with the largest component (4 vertices)"));
}

TEST(ReadOsm, KeepsShapePointsComponentsAndFootwaysWhenAsked) {
  const RoadNetwork points = read_town({.detail = Detail::shape_points, .largest_component = false});
  EXPECT_EQ(points.vertex_count(), 9U);
  EXPECT_EQ(points.graph.edge_count(), 6U);
  const RoadNetwork all = read_town({.mode = TravelMode::all, .detail = Detail::shape_points});
  EXPECT_EQ(all.graph.edge_count(), 5U);
  EXPECT_EQ(read_town({.mode = TravelMode::walkable}).roads[0].direction, Direction::both);
}

TEST(ReadOsm, ANodeOutOfRangeCountsAsMissingAndARepeatedOneWarns) {
  std::string text(town);
  text.replace(text.find("lon=\"0.003\""), 11, "lon=\"200.0\"");
  const RoadNetwork clipped = read_osm_memory(text, "osm", "town.osm");
  EXPECT_THAT(clipped.dropped, testing::Contains("2 nodes missing from the file"));
  text = town;
  text.insert(text.find("  <way"), "<node id=\"4\" version=\"2\" lat=\"0\" lon=\"0.004\"/>");
  const RoadNetwork repeated = read_osm_memory(text, "osm", "town.osm");
  EXPECT_EQ(repeated.warnings.count("a node occurs twice; its last position is taken"), 1U);
  EXPECT_EQ(repeated.position[2], (geometry::LonLat{0.004, 0}));
}

TEST(ReadOsm, RefusesDamagedEmptyAndCutFiles) {
  EXPECT_THROW(read_osm_memory("", "osm", "x.osm"), DataError);
  EXPECT_THROW(read_osm_memory("", "pbf", "x.osm.pbf"), DataError);
  EXPECT_THROW(read_osm_memory("not OSM", "osm", "x.osm"), DataError);
  EXPECT_THROW(read_osm_memory("not OSM at all, but long enough", "pbf", "x.osm.pbf"), DataError);
  EXPECT_THROW(read_osm_memory(town.substr(0, town.size() - 20), "osm", "x.osm"), DataError);
  EXPECT_THROW(read_osm_memory("<osm version='0.6'></osm>", "osm", "x.osm"), DataError);
  EXPECT_THROW(read_osm_memory("<osm version='0.6'><node id='1' lat='x' lon='2'/></osm>", "osm", "x.osm"),
               DataError);
  EXPECT_THROW(read_osm_memory(town, "osm.gz", "x.osm.gz"), DataError);
  EXPECT_THROW(read_osm_memory(town, "osm.bz2", "x.osm.bz2"), DataError);
  EXPECT_THROW(read_osm_file("/nowhere/x.osm.pbf"), FileError);
  EXPECT_THROW(read_osm_file("/"), FileError);
}

TEST(ReadOsm, ReadsGzipAndNoticesWhenItIsCut) {
  const std::string file = testing::TempDir() + "fogline_town.osm.gz";
  const gzFile packed = gzopen(file.c_str(), "wb");
  gzwrite(packed, town.data(), static_cast<unsigned>(town.size()));
  gzclose(packed);
  EXPECT_EQ(read_osm_file(file).vertex_count(), 4U);
  std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  EXPECT_THROW(read_osm_file(file), DataError);
  std::filesystem::remove(file);
}

TEST(ReadOsm, RefusesPackedNothing) {
  const std::string nothing = "<osm version='0.6'>" + std::string(100'000'000, ' ') + "</osm>";
  const std::string file = testing::TempDir() + "fogline_nothing.osm.gz";
  const gzFile packed = gzopen(file.c_str(), "wb9");
  gzwrite(packed, nothing.data(), static_cast<unsigned>(nothing.size()));
  gzclose(packed);
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  for (const auto& read : {std::function([&] { read_osm_file(file); }),
                           std::function([&] { read_osm_memory(bytes, "osm.gz", "x.osm.gz"); })}) {
    try {
      read();
      ADD_FAILURE() << "was read";
    } catch (const DataError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("unpacks to more than 200 times its size"));
    }
  }
  std::filesystem::remove(file);
}

// A tag with a NUL inside once led the library past the end of its list.
TEST(ReadOsm, RefusesATagWithANulInside) {
  const char* project = std::getenv("FOGLINE_SOURCE");
  if (project == nullptr) GTEST_SKIP() << "skipped: FOGLINE_SOURCE does not name the project's folder";
  const std::string file = std::string(project) + "/fuzz/corpus/osm_pbf/nul_in_tag.osm.pbf";
  ASSERT_TRUE(std::filesystem::exists(file)) << file;
  EXPECT_THROW(read_osm_file(file), DataError);
}

struct MapCounts {
  const char* file;
  TravelMode mode;
  std::size_t points;
  std::size_t edges;
  std::size_t junctions;
  std::size_t core;  // junctions of the largest component
};

// Counted independently. Helsinki is clipped: 328 nodes of its roads are not in the file.
constexpr MapCounts maps[] = {
    {"monaco-2021", TravelMode::drivable, 5'536, 5'761, 757, 731},
    {"tokyo-shibuya-roads", TravelMode::drivable, 2'415, 2'642, 589, 583},
    {"tokyo-shibuya-roads", TravelMode::all, 4'699, 5'523, 1'712, 1'690},
    {"helsinki", TravelMode::drivable, 5'586 - 328 - 4, 5'533, 1'065, 1'001},
    {"porto", TravelMode::drivable, 276'032, 297'022, 58'066, 57'850},
};

/// How GoogleTest names a case in its listing.
void PrintTo(const MapCounts& counts, std::ostream* out) {
  *out << counts.file;
}

class RealMap : public testing::TestWithParam<MapCounts> {};

TEST_P(RealMap, HasTheCountsWeCounted) {
  const MapCounts& map = GetParam();
  const std::string file = testing_support::real_data(std::string("maps/") + map.file + ".osm.pbf");
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "skipped: no real data at " << file;
  const RoadNetwork points =
      read_osm_file(file, {.mode = map.mode, .detail = Detail::shape_points, .largest_component = false});
  EXPECT_EQ(points.vertex_count(), map.points);
  EXPECT_EQ(points.graph.edge_count(), map.edges);
  const RoadNetwork junctions = read_osm_file(file, {.mode = map.mode, .largest_component = false});
  EXPECT_EQ(junctions.vertex_count(), map.junctions);
  const RoadNetwork core = read_osm_file(file, {.mode = map.mode});
  EXPECT_EQ(core.vertex_count(), map.core);
  EXPECT_EQ(core.roads.size(), core.graph.edge_count());
}

INSTANTIATE_TEST_SUITE_P(ReadOsm, RealMap, testing::ValuesIn(maps), [](const auto& instance) {
  std::string name = instance.param.file + std::string(instance.param.mode == TravelMode::all ? "All" : "");
  std::erase(name, '-');
  return name;
});

TEST(ReadOsm, NoticesAPbfCutShort) {
  const std::string file = testing_support::real_data("maps/monaco-2021.osm.pbf");
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "skipped: no real data at " << file;
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_EQ(read_osm_memory(bytes, "pbf", "monaco").vertex_count(), 731U);
  for (const std::size_t size : {bytes.size() - 1, bytes.size() / 2, std::size_t{3}}) {
    EXPECT_THROW(read_osm_memory(std::string_view(bytes).substr(0, size), "pbf", "monaco"), DataError);
  }
}

}  // namespace
}  // namespace fogline::roads::read_osm_test
