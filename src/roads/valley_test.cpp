// SPDX-License-Identifier: Apache-2.0
#include "roads/valley.hpp"

#include <filesystem>

#include <gtest/gtest.h>

#include "roads/read_network.hpp"
#include "roads/read_osm.hpp"
#include "roads/snap_distance.hpp"
#include "roads/write_osm.hpp"

namespace fogline::roads::valley_test {
namespace {

TEST(Valley, HasFewJunctionsAndLongRoads) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const RoadNetwork valley = make_valley(seed);
    EXPECT_GE(valley.vertex_count(), 200u) << seed;
    EXPECT_LE(valley.vertex_count(), specified_vertices("valley:1")) << seed;
    EXPECT_EQ(valley.component_count, 1u) << seed;
    EXPECT_TRUE(valley.dropped.empty()) << seed;
    for (graph::VertexId v = 0; v < valley.vertex_count(); ++v) EXPECT_NE(valley.graph.degree(v), 2u) << seed;
    // As on the sparse maps that were measured: the mean way to a junction is as far as the noise.
    EXPECT_GT(snap_distance(valley.graph).mean_m, 200) << seed;
    EXPECT_GT(snap_distance(valley.graph).largest_m, 500) << seed;
  }
}

TEST(Valley, IsTheSameForTheSameSeed) {
  EXPECT_EQ(make_valley(3).graph.edges(), make_network("valley:3").graph.edges());
  EXPECT_NE(make_valley(3).graph.edges(), make_valley(4).graph.edges());
  EXPECT_EQ(make_valley(3).source, "valley:3");
}

TEST(Valley, ReadsBackFromAnOsmFile) {
  const RoadNetwork valley = make_valley(1);
  const auto file = std::filesystem::path(testing::TempDir()) / "fogline_valley.osm.pbf";
  write_osm(valley, file.string(), {.overwrite = true});
  const RoadNetwork back = read_osm_file(file.string());
  EXPECT_EQ(back.graph.edges(), valley.graph.edges());
  EXPECT_EQ(back.position, valley.position);
}

}  // namespace
}  // namespace fogline::roads::valley_test
