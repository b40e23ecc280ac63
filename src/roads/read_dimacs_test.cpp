// SPDX-License-Identifier: Apache-2.0
#include "roads/read_dimacs.hpp"

#include <cmath>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/testing.hpp"
#include "geometry/geodesic.hpp"
#include "roads/read_network.hpp"

namespace fogline::roads::read_dimacs_test {
namespace {

constexpr const char* places =
    "c four places\np aux sp co 4\nv 1 0 0\nv 2 1000 0\nv 4 2000 1000\nv 3 2000 0\n";
constexpr const char* arcs =
    "c arcs\np sp 4 6\na 1 2 1113\na 2 1 1113\na 2 3 1113\na 3 4 1100\na 4 3 1200\na 3 3 5\n";

RoadNetwork read(const std::string& gr, const std::string& co, const ReadOptions& options = {}) {
  auto arc_source = io::TextSource::from_memory("x.gr", gr);
  auto place_source = io::TextSource::from_memory("x.co", co);
  return read_dimacs(arc_source, place_source, options);
}

std::uint64_t failing_line(const std::string& gr, const std::string& co) {
  try {
    read(gr, co);
  } catch (const DataError& error) {
    return error.spot().line;
  }
  ADD_FAILURE() << "no DataError";
  return 0;
}

TEST(ReadDimacs, MergesArcsToRoadsWithTheirDirections) {
  const RoadNetwork network = read(arcs, places);
  ASSERT_EQ(network.vertex_count(), 4U);
  EXPECT_THAT(network.vertex_name, testing::ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(network.position[3], (geometry::LonLat{0.002, 0.001}));
  ASSERT_EQ(network.roads.size(), 3U);
  EXPECT_EQ(network.roads[0].direction, Direction::both);
  EXPECT_EQ(network.roads[0].length_mm, 111'300U);
  EXPECT_EQ(network.roads[1].direction, Direction::forward);
  EXPECT_EQ(network.roads[2].direction, Direction::both);
  EXPECT_EQ(network.roads[2].length_mm, 110'000U);
  EXPECT_THAT(network.dropped, testing::ElementsAre("1 arc that ends where it begins"));
  EXPECT_EQ(network.warnings.items().size(), 1U);
}

TEST(ReadDimacs, VerticesJoinedByAnArcOfLengthZeroAreOne) {
  //  1 --111 m-- 2 ==0== 3 --110 m-- 4      and a way round from 2 to 3, which leads nowhere else then
  const RoadNetwork network = read("p sp 4 5\na 1 2 1113\na 2 3 0\na 3 2 0\na 2 3 50\na 3 4 1100\n", places);
  EXPECT_THAT(network.vertex_name, testing::ElementsAre(1, 2, 4));
  EXPECT_EQ(network.position[1], (geometry::LonLat{0.001, 0}));
  ASSERT_EQ(network.roads.size(), 2U);
  EXPECT_EQ(network.roads[0].length_mm, 111'300U);
  EXPECT_EQ(network.roads[1].tail, 1U);
  EXPECT_EQ(network.roads[1].head, 2U);
  EXPECT_EQ(network.roads[1].length_mm, 110'000U);
  EXPECT_THAT(network.dropped, testing::ElementsAre("1 vertex joined to another by an arc of length 0",
                                                    "1 arc that ends where it begins"));
  ASSERT_EQ(network.warnings.items().size(), 1U);
  EXPECT_EQ(network.warnings.items()[0].count, 2U);
}

TEST(ReadDimacs, AVertexJoinedToItselfAndChainsOfJoinsAreNoTrouble) {
  const RoadNetwork chain = read("p sp 4 4\na 4 3 0\na 3 2 0\na 2 2 0\na 1 2 1113\n", places);
  EXPECT_THAT(chain.vertex_name, testing::ElementsAre(1, 2));
  EXPECT_THROW(read("p sp 4 3\na 1 2 0\na 2 3 0\na 3 4 0\n", places), DataError) << "no road is left";
  EXPECT_EQ(failing_line("p sp 4 1\na 1 2 -1\n", places), 2U);
}

TEST(ReadDimacs, TheUnitOfLengthIsAnOption) {
  EXPECT_EQ(read(arcs, places, {.length_unit_m = 1}).roads[0].length_mm, 1'113'000U);
  EXPECT_THROW(read(arcs, places, {.length_unit_m = 0}), InvalidOption);
  EXPECT_THROW(read(arcs, places, {.length_unit_m = std::nan("")}), InvalidOption);
  EXPECT_THROW(read(arcs, places, {.length_unit_m = 1e6}), DataError);
}

TEST(ReadDimacs, PointsAtTheLineThatIsWrong) {
  EXPECT_EQ(failing_line("p sp 4 1\na 1 5 3\n", places), 2U);
  EXPECT_EQ(failing_line("p sp 4 1\na 0 1 3\n", places), 2U);
  EXPECT_EQ(failing_line("p sp 4 1\na 1 2 -7\n", places), 2U);
  EXPECT_EQ(failing_line("p sp 4 1\na 1 2 99999999999\n", places), 2U);
  EXPECT_EQ(failing_line("p sp 4 1\na 1 2 nan\n", places), 2U);
  EXPECT_EQ(failing_line("p sp 4 1\na 1 2\n", places), 2U);
  EXPECT_EQ(failing_line("p sp 4 1\na 1 2 3 4\n", places), 2U);
  EXPECT_EQ(failing_line("p sp 4 1\nhello\n", places), 2U);
  EXPECT_EQ(failing_line("a 1 2 3\n", places), 1U);
  EXPECT_EQ(failing_line("p sp 5 1\na 1 2 3\n", places), 1U);
  EXPECT_EQ(failing_line(arcs, "p aux sp co 1\nv 1 0 91000000\n"), 2U);
  EXPECT_EQ(failing_line(arcs, "p aux sp co 1\nv 1 0 120000000\n"), 2U);
  EXPECT_EQ(failing_line(arcs, "p aux sp co 2\nv 1 0 0\nv 1 0 0\n"), 3U);
  EXPECT_EQ(failing_line(arcs, "p aux sp co 2\nv 1 0 0\nv 3 0 0\n"), 3U);
}

TEST(ReadDimacs, NoticesFilesThatAreEmptyCutOrPromiseTooMuch) {
  for (const char* gr : {"", "c nothing\n", "p sp 4 7\na 1 2 3\n", "p sp 4 0\n"}) {
    EXPECT_THROW(read(gr, places), DataError) << gr;
  }
  for (const char* co : {"", "p aux sp co 4000000000\nv 1 0 0\n", "p aux sp co -1\n", "p aux sp co 0\n"}) {
    EXPECT_THROW(read(arcs, co), DataError) << co;
  }
}

TEST(ReadDimacs, SuspectsSwappedCoordinates) {
  try {
    read(arcs, "p aux sp co 1\nv 1 41000000 -120000000\n");
    FAIL() << "no error";
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("swapped"));
  }
}

TEST(ReadDimacs, NewYorkIsInTenthsOfAMetre) {
  const std::string file = testing_support::real_data("maps/USA-road-d.NY.gr.gz");
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "skipped: no real data at " << file;
  const RoadNetwork city = read_network(file);
  EXPECT_EQ(city.vertex_count(), 264'346U);
  EXPECT_EQ(city.component_count, 1U);
  EXPECT_TRUE(city.warnings.items().empty());
  double geodesic_m = 0;
  double length_m = 0;
  for (const Road& road : city.roads) {
    geodesic_m += geometry::geodesic_m(city.position[road.tail], city.position[road.head]);
    length_m += road.length_mm / 1000.0;
  }
  // Roads bend, so they are a little longer than the straight line; a wrong unit would be far off.
  EXPECT_GT(length_m / geodesic_m, 0.99);
  EXPECT_LT(length_m / geodesic_m, 1.1);
}

}  // namespace
}  // namespace fogline::roads::read_dimacs_test
