// SPDX-License-Identifier: Apache-2.0
#include "roads/write_osm.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "io/held_files.hpp"
#include "roads/city.hpp"
#include "roads/read_osm.hpp"

namespace fogline::roads::write_osm_test {
namespace {

std::string scratch(const std::string& name) {
  return (std::filesystem::path(testing::TempDir()) / ("fogline_write_osm_" + name)).string();
}

void expect_same(const RoadNetwork& a, const RoadNetwork& b) {
  EXPECT_EQ(a.graph.edges(), b.graph.edges());
  EXPECT_EQ(a.position, b.position);
  ASSERT_EQ(a.roads.size(), b.roads.size());
  for (std::size_t i = 0; i < a.roads.size(); ++i) {
    ASSERT_EQ(a.roads[i].tail, b.roads[i].tail);
    ASSERT_EQ(a.roads[i].head, b.roads[i].head);
    ASSERT_EQ(a.roads[i].length_mm, b.roads[i].length_mm);
    ASSERT_EQ(a.roads[i].road_class, b.roads[i].road_class);
    ASSERT_EQ(a.roads[i].direction, b.roads[i].direction);
    ASSERT_EQ(a.roads[i].shape, b.roads[i].shape);
  }
}

/// Four dead ends round one junction, with every direction and a bent road.
///
///         1
///         |
///     4---0---2
///          \ .
///           3
RoadNetwork star() {
  RoadNetwork network;
  network.position = {{10, 50}, {10, 50.001}, {10.001, 50}, {10.0005, 49.999}, {9.999, 50}};
  network.roads = {{0, 1, 111, RoadClass::motorway, Direction::both, {}},
                   {0, 2, 72, RoadClass::residential, Direction::forward, {}},
                   {0, 3, 120, RoadClass::service, Direction::backward, {{10.0004, 49.9995}}},
                   {0, 4, 72, RoadClass::other, Direction::both, {}}};
  return network;
}

TEST(WriteOsm, CityReadsBackTheSameFromEveryFormat) {
  const City city = make_city(1);
  for (const char* suffix : {"city.osm.pbf", "city.osm", "city.osm.gz", "city.osm.bz2"}) {
    const std::string file = scratch(suffix);
    write_osm(city.network, file, {.overwrite = true, .footpaths = city.footpaths});
    const RoadNetwork back = read_osm_file(file);
    expect_same(city.network, back);
    EXPECT_EQ(back.component_count, 1u);
    EXPECT_FALSE(std::filesystem::exists(file + ".part"));
    std::filesystem::remove(file);
  }
}

TEST(WriteOsm, KeepsClassesDirectionsShapesAndNames) {
  RoadNetwork network = star();
  network.vertex_name = {100, 101, 102, 103, 104};
  const std::string file = scratch("star.osm");
  write_osm(network, file, {.overwrite = true});
  const RoadNetwork back = read_osm_file(file);
  EXPECT_EQ(back.vertex_name, network.vertex_name);
  ASSERT_EQ(back.roads.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(back.roads[i].road_class, network.roads[i].road_class);
    EXPECT_EQ(back.roads[i].direction, network.roads[i].direction);
    EXPECT_EQ(back.roads[i].shape, network.roads[i].shape);
  }
  std::filesystem::remove(file);
}

/// Maps are read by a library that opens files itself: what is hashed must be what it reads.
TEST(WriteOsm, AHeldMapIsReadThroughItsHandleInEveryFormat) {
  for (const char* suffix : {"held=1,a.osm.pbf", "held.osm.gz", "held.osm.bz2", "held.osm"}) {
    const std::string file = scratch(suffix), other = scratch(std::string("other_") + suffix);
    RoadNetwork smaller = star();
    smaller.roads.pop_back();
    write_osm(star(), file, {.overwrite = true});
    write_osm(smaller, other, {.overwrite = true});
    const io::HeldFiles held({file});
    const std::size_t roads = read_osm_file(file).roads.size();
    std::filesystem::rename(other, file);
    EXPECT_EQ(read_osm_file(file).roads.size(), roads) << suffix;
    EXPECT_THROW(held.require_unchanged(), DataError);
    std::filesystem::remove(file);
  }
}

TEST(WriteOsm, RefusesToReplaceAFileUnlessAsked) {
  const std::string file = scratch("kept.osm");
  std::ofstream(file) << "mine";
  EXPECT_THROW(write_osm(star(), file, {}), FileError);
  std::ifstream in(file);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "mine");
  std::filesystem::remove(file);
}

TEST(WriteOsm, RefusesUnknownSuffixAndMissingFolder) {
  EXPECT_THROW(write_osm(star(), scratch("city.txt"), {}), InvalidOption);
  EXPECT_THROW(write_osm(star(), scratch("no_such_folder/city.osm"), {}), FileError);
}

}  // namespace
}  // namespace fogline::roads::write_osm_test
