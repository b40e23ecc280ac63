// SPDX-License-Identifier: Apache-2.0
#include "roads/read_network.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "roads/city.hpp"

namespace fogline::roads::read_network_test {
namespace {

namespace fs = std::filesystem;

// A folder that goes away with the test.
class Folder {
 public:
  explicit Folder(const std::string& name) : path_(fs::path(testing::TempDir()) / name) {
    fs::remove_all(path_);
    fs::create_directory(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }
  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

TEST(ReadNetwork, MakesWhatASpecificationAsksFor) {
  EXPECT_EQ(read_network("lattice:3x4:300").vertex_count(), 12U);
  EXPECT_EQ(read_network("lattice:2x2:0.5").graph.arcs(0)[0].length_mm, 500U);
  EXPECT_EQ(read_network("line:11:1000").graph.edge_count(), 10U);
  EXPECT_EQ(read_network("city:7").position, make_city(7).network.position);
  EXPECT_TRUE(is_specification("line:1:5"));
  EXPECT_FALSE(is_specification("line.csv"));
}

TEST(ReadNetwork, RefusesAbsurdSpecifications) {
  for (const char* absurd : {"lattice:",
                             "lattice:3x4",
                             "lattice:3x4:",
                             "lattice:3:4",
                             "lattice:x:1",
                             "lattice:0x5:10",
                             "lattice:100000x100000:1",
                             "lattice:-3x4:10",
                             "lattice:3x4:-1",
                             "lattice:3x4:nan",
                             "lattice:3x4:inf",
                             "lattice:3x4x5:10",
                             "lattice: 3x4:10",
                             "lattice:99999999999999999999x2:10",
                             "line:",
                             "line:1:5",
                             "line:0:5",
                             "line:5",
                             "line:5:0",
                             "line:2.5:10",
                             "line:1000001:10",
                             "city:",
                             "city:x",
                             "city:-1"}) {
    EXPECT_THROW(read_network(absurd), InvalidOption) << absurd;
  }
}

TEST(ReadNetwork, ASpecificationHasOneSpelling) {
  const auto refusal = [](const std::string& specification) -> std::string {
    try {
      require_specification(specification);
    } catch (const InvalidOption& error) {
      return error.what();
    }
    return "accepted";
  };
  for (const char* other : {"line:09:800", "line:9:8e2", "line:9:800.0", "line:9:0800", "line:9:800."}) {
    EXPECT_THAT(refusal(other), testing::EndsWith("write line:9:800")) << other;
    EXPECT_THROW(read_network(other), InvalidOption) << other;
  }
  EXPECT_THAT(refusal("lattice:1x9:800"), testing::EndsWith("use line:9:800"));
  EXPECT_THAT(refusal("lattice:9x1:8e2"), testing::EndsWith("use line:9:800"));
  EXPECT_THAT(refusal("lattice:03x4:0.50"), testing::EndsWith("write lattice:3x4:0.5"));
  EXPECT_THAT(refusal("city:007"), testing::EndsWith("write city:7"));
  for (const char* shortest : {"line:9:800", "line:9:1000000", "line:2:0.001", "lattice:3x4:0.5", "city:7"}) {
    EXPECT_EQ(refusal(shortest), "accepted") << shortest;
  }
}

TEST(ReadNetwork, FindsTheSecondFileBesideTheFirst) {
  const Folder folder("fogline_network");
  const std::string nodes = folder.write("nodes.csv", "id,lon,lat\n1,1,2\n2,1,3\n");
  const std::string edges = folder.write("edges.csv", "source,target\n1,2\n");
  EXPECT_EQ(read_network(folder.path()).vertex_count(), 2U);
  EXPECT_EQ(read_network(nodes).vertex_count(), 2U);
  fs::rename(edges, edges + ".old");
  EXPECT_THROW(read_network(nodes), FileError);
  EXPECT_EQ(read_network(nodes, {.edges = edges + ".old"}).vertex_count(), 2U);

  const std::string arcs = folder.write("town.gr", "p sp 2 1\na 1 2 5\n");
  EXPECT_THROW(read_network(arcs), FileError);
  const std::string places = folder.write("town.co", "p aux sp co 2\nv 1 0 0\nv 2 5 0\n");
  EXPECT_EQ(read_network(arcs).vertex_count(), 2U);
  fs::rename(places, places + "ordinates");
  EXPECT_EQ(read_network(arcs, {.coordinates = places + "ordinates"}).vertex_count(), 2U);
}

TEST(ReadNetwork, RefusesUnknownNamesAndMissingFiles) {
  EXPECT_THROW(read_network("map.shp"), InvalidOption);
  EXPECT_THROW(read_network(""), InvalidOption);
  EXPECT_THROW(read_network(std::string(100'000, 'x')), InvalidOption);
  for (const char* missing : {"/nowhere/a.osm.pbf", "/nowhere/a.osm", "/nowhere/a.gr", "/nowhere/a.csv"}) {
    EXPECT_THROW(read_network(missing), FileError) << missing;
  }
  const Folder folder("fogline_empty");
  EXPECT_THROW(read_network(folder.path()), FileError);
}

TEST(NetworkFileCount, FollowsFromTheFirstFilesName) {
  for (const char* name : {"x.osm.pbf", "x.osm", "x.osm.gz", "x.osm.bz2"})
    EXPECT_EQ(network_file_count(name), 1U);
  for (const char* name : {"x.gr", "x.gr.gz", "nodes.csv", "x.csv.gz"})
    EXPECT_EQ(network_file_count(name), 2U);
  EXPECT_THROW(network_file_count("x.txt"), InvalidOption);
  EXPECT_THROW(network_file_count("line:3:100"), InvalidOption);
}

}  // namespace
}  // namespace fogline::roads::read_network_test
