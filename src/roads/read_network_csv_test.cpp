// SPDX-License-Identifier: Apache-2.0
#include "roads/read_network_csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "geometry/geodesic.hpp"

namespace fogline::roads::read_network_csv_test {
namespace {

constexpr const char* nodes = "id,lon,lat\n10,13.3770,52.5160\n20,13.3790,52.5160\n-3,13.3790,52.5170\n";
constexpr const char* edges = "source,target,length_m\n10,20,140.5\n20,-3,\n";

RoadNetwork read(const std::string& node_text, const std::string& edge_text,
                 const ReadOptions& options = {}) {
  auto node_source = io::TextSource::from_memory("nodes.csv", node_text);
  auto edge_source = io::TextSource::from_memory("edges.csv", edge_text);
  return read_network_csv(node_source, edge_source, options);
}

TEST(ReadNetworkCsv, TakesGivenLengthsAndMeasuresTheOthers) {
  const RoadNetwork network = read(nodes, edges);
  EXPECT_THAT(network.vertex_name, testing::ElementsAre(10, 20, -3));
  ASSERT_EQ(network.roads.size(), 2U);
  EXPECT_EQ(network.roads[0].length_mm, 140'500U);
  EXPECT_EQ(network.roads[1].length_mm, geometry::geodesic_mm({13.3790, 52.5160}, {13.3790, 52.5170}));
  EXPECT_EQ(read(nodes, "from;to\n10;20\n20;-3\n").roads[1].length_mm, network.roads[1].length_mm);
}

TEST(ReadNetworkCsv, PlacesMayBeCalledByWords) {
  const RoadNetwork network = read("node,longitude,latitude\nmarket,1,2\n007,1,3\n", "from,to\nmarket,007\n");
  EXPECT_TRUE(network.vertex_name.empty());
  EXPECT_THAT(network.vertex_label, testing::ElementsAre("market", "007"));
}

TEST(ReadNetworkCsv, KnowsWhereTrafficMayGo) {
  const auto direction = [](const std::string& word) {
    return read("id,lon,lat\n1,1,2\n2,1,3\n", "u,v,oneway\n1,2," + word + "\n").roads[0].direction;
  };
  for (const char* word : {"yes", "True", "1"}) EXPECT_EQ(direction(word), Direction::forward) << word;
  for (const char* word : {"-1", "reverse"}) EXPECT_EQ(direction(word), Direction::backward) << word;
  for (const char* word : {"no", "FALSE", "0", ""}) EXPECT_EQ(direction(word), Direction::both) << word;
  const RoadNetwork unknown = read("id,lon,lat\n1,1,2\n2,1,3\n", "u,v,one_way\n1,2,sometimes\n");
  EXPECT_EQ(unknown.roads[0].direction, Direction::both);
  EXPECT_EQ(unknown.warnings.count("what oneway says is none of yes, no and -1, and taken for both ways"),
            1U);
}

TEST(ReadNetworkCsv, CallsTheFileOfRoadsByTheFileOfPlaces) {
  EXPECT_EQ(edges_file_of("town/nodes.csv"), "town/edges.csv");
  EXPECT_EQ(edges_file_of("nodes.csv.gz"), "edges.csv");
  EXPECT_EQ(edges_file_of("town/centre.csv"), "town/centre_edges.csv");
  EXPECT_EQ(edges_file_of("a.b.csv.gz"), "a.b_edges.csv");
}

TEST(ReadNetworkCsv, AWordOutsideTheLargestComponentGoesWithIt) {
  const RoadNetwork network = read("id,lon,lat\nlone,9,9\na,1,2\nb,1,3\n", "u,v\na,b\n");
  EXPECT_THAT(network.vertex_label, testing::ElementsAre("a", "b"));
  EXPECT_EQ(
      read("id,lon,lat\nlone,9,9\na,1,2\nb,1,3\n", "u,v\na,b\n", {.largest_component = false}).vertex_count(),
      3U);
}

TEST(ReadNetworkCsv, APlaceGivenTwiceAlikeWarns) {
  const RoadNetwork network = read("id,lon,lat\n1,1,2\n2,1,3\n1,1,2\n", "u,v\n1,2\n");
  EXPECT_EQ(network.vertex_count(), 2U);
  EXPECT_EQ(network.warnings.count("a place is given twice"), 1U);
}

TEST(ReadNetworkCsv, PointsAtTheLineThatIsWrong) {
  const auto line = [](const std::string& node_text, const std::string& edge_text) -> std::uint64_t {
    try {
      read(node_text, edge_text);
    } catch (const DataError& error) {
      return error.spot().line;
    }
    ADD_FAILURE() << "no DataError for " << node_text << edge_text;
    return 0;
  };
  const std::string header = "id,lon,lat\n1,1,2\n";
  for (const char* bad :
       {"2,1,91", "2,181,0", "2,nan,0", "2,,0", "2,inf,0", "1,1,3", ",1,2", "2,52.5,113.4", "2,1"}) {
    EXPECT_EQ(line(header + bad + "\n", edges), 3U) << bad;
  }
  for (const char* bad : {"10,20,0", "10,20,-1", "10,20,nan", "10,20,4294968", "10,20,1e300", "10,30,5",
                          "10,,5", "10,20,five"}) {
    EXPECT_EQ(line(nodes, std::string("source,target,length_m\n20,-3,1\n") + bad + "\n"), 3U) << bad;
  }
  EXPECT_EQ(line("id,lon,lat\na,0,0\nb,180,0\n", "source,target\na,b\n"), 2U);
}

TEST(ReadNetworkCsv, RefusesEmptyFilesAndMissingColumns) {
  EXPECT_THROW(read("", edges), DataError);
  EXPECT_THROW(read(nodes, ""), DataError);
  EXPECT_THROW(read("id,lon\n1,2\n", edges), DataError);
  EXPECT_THROW(read(nodes, "source,length_m\n10,5\n"), DataError);
  EXPECT_THROW(read("id,lon,lat\n", "source,target\n"), DataError);
  EXPECT_THROW(read(nodes, "source,target\n"), DataError);
  EXPECT_THROW(read(nodes, "source,target\n10,10\n"), DataError);
}

}  // namespace
}  // namespace fogline::roads::read_network_csv_test
