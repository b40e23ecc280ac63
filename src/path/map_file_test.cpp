// SPDX-License-Identifier: Apache-2.0
#include "path/map_file.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "io/test_text.hpp"

namespace fogline::path::map_file_test {
namespace {

using io::testing_text::message_of;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// A file that goes away with the test.
class MapText {
 public:
  explicit MapText(const std::string& text, const std::string& name = "net.csv")
      : file_(testing::TempDir() + "fogline_map_" + name) {
    std::ofstream(file_) << text;
  }
  MapText(const MapText&) = delete;
  MapText& operator=(const MapText&) = delete;
  ~MapText() { std::filesystem::remove(file_); }
  const std::string& name() const { return file_; }

 private:
  std::string file_;
};

RouteMap map_of(const std::string& source, const Corridor& corridor = {}) {
  Warnings warnings;
  RouteMap map = read_map(source, {.corridor = corridor}, warnings);
  EXPECT_TRUE(warnings.items().empty());
  return map;
}

TEST(MapFile, ReadsAListOfRoadsWhateverItsOrder) {
  const MapText file("source,target\nb,c\na,b\n");
  const RouteMap map = map_of(file.name());
  EXPECT_THAT(map.names, ElementsAre("a", "b", "c"));
  EXPECT_TRUE(map.roads.joined(0, 1));
  EXPECT_TRUE(map.roads.joined(1, 2));
  EXPECT_FALSE(map.roads.joined(0, 2));
  EXPECT_TRUE(map.position.empty());
}

TEST(MapFile, IgnoresWeightsAndReadsEdgeLists) {
  const MapText weighted("source,target,weight\na,b,-3\nb,c,7\n");
  EXPECT_EQ(map_of(weighted.name()).roads.edge_count(), 2U);
  const MapText plain("10 9\n9 2\n", "net.txt");
  EXPECT_THAT(map_of(plain.name()).names, ElementsAre("2", "9", "10"));
}

TEST(MapFile, RefusesOddRoadsWithTheirLine) {
  const MapText twice("source,target\na,b\nb,c\nb,a\n");
  EXPECT_THAT(message_of([&] { map_of(twice.name()); }),
              HasSubstr("line 4: the edge was given before, from its other end; edges go both ways here"));
  const MapText loop("source,target\na,b\nb,b\n");
  EXPECT_THAT(message_of([&] { map_of(loop.name()); }), HasSubstr("line 3: the edge is a self-loop"));
  const MapText parts("source,target\na,b\nc,d\ne,f\n");
  EXPECT_THAT(message_of([&] { map_of(parts.name()); }),
              AllOf(HasSubstr("net.csv"), HasSubstr("the network falls into 3 parts")));
  EXPECT_THROW(map_of(testing::TempDir() + "fogline_no_such_map.csv"), FileError);
}

TEST(MapFile, ReadsARoadNetworkWithPositions) {
  const RouteMap map = map_of("lattice:3x4:100");
  EXPECT_EQ(map.vertex_count(), 12U);
  EXPECT_EQ(map.roads.edge_count(), 17U);
  EXPECT_EQ(map.position.size(), 12U);
}

TEST(MapFile, ACsvFileWithPositionsIsTheNodesOfANetwork) {
  const std::filesystem::path folder = testing::TempDir() + "fogline_map_town";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "nodes.csv") << "id,lon,lat\nwest,0,0\neast,0.001,0\nnorth,0,0.001\n";
  std::ofstream(folder / "edges.csv") << "source,target\nwest,east\n";
  const std::string nodes = (folder / "nodes.csv").string();
  EXPECT_THAT(message_of([&] { map_of(nodes); }), HasSubstr("the network falls into 2 parts"));
  std::ofstream(folder / "edges.csv") << "source,target\nwest,east\nwest,north\n";
  for (const std::string& source : {nodes, folder.string()}) {
    const RouteMap map = map_of(source);
    EXPECT_THAT(map.names, ElementsAre("east", "north", "west"));
    EXPECT_EQ(map.position.at(1), (geometry::LonLat{0, 0.001}));
  }
  std::filesystem::remove_all(folder);
}

TEST(MapFile, CutsACorridorBetweenTwoEnds) {
  // 0 1 2     A stretch of 1 is the straight line; sqrt(2) brings in the corners beside its middle.
  // 3 4 5
  // 6 7 8
  Corridor corridor{.between = Corridor::Between{.from = "3", .to = "5", .stretch = 1}};
  EXPECT_THAT(map_of("lattice:3x3:100", corridor).names, ElementsAre("3", "4", "5"));
  corridor.between->stretch = 1.415;
  const RouteMap diamond = map_of("lattice:3x3:100", corridor);
  EXPECT_THAT(diamond.names, ElementsAre("1", "3", "4", "5", "7"));
  EXPECT_EQ(diamond.roads.edge_count(), 4U);
  corridor.between->stretch = 100;
  EXPECT_EQ(map_of("lattice:3x3:100", corridor).vertex_count(), 9U);
}

TEST(MapFile, CutsAnAreaThatNeedNotBeConnected) {
  const RouteMap whole = map_of("line:5:400");
  const double south = whole.position[0].lat - 0.1;
  const double north = whole.position[0].lat + 0.1;
  const double middle = whole.position[2].lon;
  const auto area = [&](double west, double east) {
    return Corridor{.area = geometry::BoundingBox{{west, south}, {east, north}}};
  };
  EXPECT_THAT(map_of("line:5:400", area(middle, middle + 1)).names, ElementsAre("2", "3", "4"));
  Corridor both = area(middle - 1, middle + 1);
  both.between = Corridor::Between{.from = "1", .to = "2", .stretch = 1};
  EXPECT_THAT(map_of("line:5:400", both).names, ElementsAre("1", "2"));
  both.area->south_west.lon = middle;
  EXPECT_THAT(message_of<InvalidOption>([&] { map_of("line:5:400", both); }), HasSubstr("both ends"));
}

TEST(MapFile, RefusesAbsurdCorridors) {
  const auto between = [](const std::string& from, const std::string& to, double stretch) {
    return Corridor{.between = Corridor::Between{from, to, stretch}};
  };
  for (const Corridor& absurd :
       {between("0", "99", 2), between("x", "1", 2), between("3", "3", 2), between("0", "1", 0.5),
        between("0", "1", 101), Corridor{.area = geometry::BoundingBox{{100, 40}, {101, 41}}},
        Corridor{.area = geometry::BoundingBox{{1, 1}, {0, 0}}}}) {
    EXPECT_THROW(map_of("lattice:3x3:100", absurd), InvalidOption);
  }
  const MapText list("source,target\na,b\n");
  EXPECT_THAT(message_of<InvalidOption>([&] { map_of(list.name(), between("a", "b", 2)); }),
              HasSubstr("needs a network with positions"));
}

TEST(MapFile, SaysWhatToDoWithANetworkThatIsTooLarge) {
  EXPECT_THAT(message_of<InvalidOption>([] { map_of("lattice:150x150:100"); }),
              AllOf(HasSubstr("22500 vertices"), HasSubstr("10000 at most"), HasSubstr("smaller corridor")));
  const Corridor corridor{.between = Corridor::Between{.from = "0", .to = "10", .stretch = 1.2}};
  EXPECT_LT(map_of("lattice:150x150:100", corridor).vertex_count(), 100U);
}

TEST(MapFile, NamesTheOptionThatIsAtFault) {
  const Corridor swapped{.area = geometry::BoundingBox{{41, -9}, {42, -8}}};
  EXPECT_THAT(message_of<InvalidOption>([&] { map_of("line:5:400", swapped); }),
              AllOf(HasSubstr("area: holds no vertex"), HasSubstr("latitude swapped?")));
  const Corridor unknown{.between = Corridor::Between{"0", "99", 2}};
  EXPECT_THAT(message_of<InvalidOption>([&] { map_of("line:5:400", unknown); }),
              HasSubstr("to: is not a vertex"));
  const Corridor tight{.between = Corridor::Between{"0", "1", 0.5}};
  EXPECT_THAT(message_of<InvalidOption>([&] { map_of("line:5:400", tight); }), HasSubstr("stretch: must be"));
  EXPECT_THAT(message_of<InvalidOption>([] { map_of("line:5:400").vertex("9", "from"); }),
              HasSubstr("from: is not a vertex of the network"));
}

TEST(MapFile, RefusesNamesThatNoRouteFileCanGive) {
  for (const char* name : {"\"b,c\"", "\"b;c\"", "#b", "vertex", "\"b\tc\"", "\"b\nc\""}) {
    const MapText file(std::string("source,target\na,d\na,") + name + "\n");
    EXPECT_THAT(message_of([&] { map_of(file.name()); }), HasSubstr("a name that no route file can give"))
        << name;
  }
}

TEST(MapFile, ReadsAnAreaFromText) {
  EXPECT_EQ(area_from("-8.63, 41.14, -8.60, 41.16"), (geometry::BoundingBox{{-8.63, 41.14}, {-8.60, 41.16}}));
  for (const char* bad :
       {"", "1", "1,2,3", "1,2,3,4,5", "1,2,3,4,", "1,2,x,4", "3,2,1,4", "1,4,3,2", "1,2,300,4", "1,2,,4"})
    EXPECT_THROW(area_from(bad), InvalidOption) << bad;
}

TEST(RouteFile, ReadsARouteByNames) {
  const MapText net("source,target\nb,c\na,b\n");
  const MapText route("vertex\nc\nb\na\n", "route.csv");
  EXPECT_THAT(read_route(route.name(), map_of(net.name()), {}), ElementsAre(2U, 1U, 0U));
}

TEST(RouteFile, RefusesAVertexTwiceInARow) {
  const MapText route("vertex\n0\n1\n\n1\n2\n", "route.csv");
  EXPECT_THAT(message_of([&] { read_route(route.name(), map_of("line:5:400"), {}); }),
              HasSubstr("line 5: gives the same vertex as the line before"));
}

TEST(RouteFile, NamesNoVertexOfTheRouteInAnError) {
  const MapText route("vertex\n0\n1\nclinic\n", "route.csv");
  const RouteMap small = map_of("line:5:400");
  EXPECT_THAT(message_of([&] { read_route(route.name(), small, {}); }),
              AllOf(HasSubstr("line 4: the name on this line is not a vertex of the network; check"),
                    Not(HasSubstr("clinic"))));
  const MapOptions corridor{.corridor = {.between = Corridor::Between{.from = "0", .to = "1", .stretch = 1}}};
  EXPECT_THAT(message_of([&] { read_route(route.name(), small, corridor); }),
              AllOf(HasSubstr("wider corridor"), Not(HasSubstr(", line"))));
}

TEST(MapFile, CutsARealCity) {
  const std::string file = io::testing_text::real_data("maps/monaco-2021.osm.pbf");
  FOGLINE_NEEDS_REAL_DATA(file);
  Warnings warnings;
  const RouteMap whole = read_map(file, {}, warnings);
  const MapOptions options{
      .corridor = {.between = Corridor::Between{whole.names.front(), whole.names.back(), 1.05}}};
  const RouteMap part = read_map(file, options, warnings);
  EXPECT_LT(part.vertex_count(), whole.vertex_count());
  EXPECT_EQ(part.vertex(whole.names.front()), 0U);
}

}  // namespace
}  // namespace fogline::path::map_file_test
