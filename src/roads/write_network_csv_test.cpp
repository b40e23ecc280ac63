// SPDX-License-Identifier: Apache-2.0
#include "roads/write_network_csv.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "roads/generated.hpp"
#include "roads/read_network.hpp"

namespace fogline::roads::write_network_csv_test {
namespace {

std::filesystem::path scratch() {
  const auto folder = std::filesystem::path(testing::TempDir()) / "fogline_write_network_csv";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  return folder;
}

TEST(WriteNetworkCsv, ReadsBackTheSame) {
  const auto folder = scratch();
  RoadNetwork lattice = make_lattice({.rows = 3, .columns = 4, .side_m = 100});
  write_network_csv(draft_of(lattice), (folder / "nodes.csv").string(), {});
  const RoadNetwork back = read_network(folder.string());
  EXPECT_EQ(back.graph.edges(), lattice.graph.edges());
  EXPECT_EQ(back.position, lattice.position);
  EXPECT_EQ(name_of(back, 7), "7");
}

TEST(WriteNetworkCsv, KeepsOneWayStreets) {
  const auto folder = scratch();
  RoadNetwork line = make_line({.vertices = 4, .length_m = 30});
  line.roads[0].direction = Direction::forward;
  line.roads[1].direction = Direction::backward;
  write_network_csv(draft_of(line), (folder / "line.csv").string(), {});
  const RoadNetwork back = read_network((folder / "line.csv").string());
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(back.roads[i].direction, line.roads[i].direction) << i;
}

TEST(WriteNetworkCsv, TwoPartsLieInOneFolder) {
  const auto folder = scratch();
  write_network_csv(draft_of(make_line({.vertices = 2, .length_m = 10})), (folder / "a.csv").string(), {});
  write_network_csv(draft_of(make_line({.vertices = 3, .length_m = 10})), (folder / "b.csv").string(), {});
  EXPECT_EQ(read_network((folder / "a.csv").string()).vertex_count(), 2U);
  EXPECT_EQ(read_network((folder / "b.csv").string()).vertex_count(), 3U);
  // As it was called before.
  std::filesystem::rename(folder / "a_edges.csv", folder / "edges.csv");
  EXPECT_EQ(read_network((folder / "a.csv").string()).vertex_count(), 2U);
}

TEST(WriteNetworkCsv, QuotesNamesThatNeedIt) {
  const auto folder = scratch();
  RoadNetwork line = make_line({.vertices = 2, .length_m = 10});
  line.vertex_label = {"at, the \"mill\"", "b"};
  write_network_csv(draft_of(line), (folder / "part.csv").string(), {});
  EXPECT_EQ(name_of(read_network((folder / "part.csv").string()), 0), "at, the \"mill\"");
}

TEST(WriteNetworkCsv, RefusesToReplaceAndNamesThatItCannotGive) {
  const auto folder = scratch();
  const Draft line = draft_of(make_line({.vertices = 2, .length_m = 10}));
  write_network_csv(line, (folder / "nodes.csv").string(), {});
  EXPECT_THROW(write_network_csv(line, (folder / "nodes.csv").string(), {}), FileError);
  std::ofstream(folder / "other_edges.csv") << "of somebody";
  EXPECT_THROW(write_network_csv(line, (folder / "other.csv").string(), {}), FileError);
  EXPECT_NO_THROW(write_network_csv(line, (folder / "nodes.csv").string(), {.overwrite = true}));
  EXPECT_THROW(write_network_csv(line, (folder / "edges.csv").string(), {.overwrite = true}), InvalidOption);
  EXPECT_THROW(write_network_csv(line, (folder / "nodes.txt").string(), {}), InvalidOption);
}

}  // namespace
}  // namespace fogline::roads::write_network_csv_test
