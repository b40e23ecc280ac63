// SPDX-License-Identifier: Apache-2.0
#include "roads/cut.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "roads/generated.hpp"

namespace fogline::roads::cut_test {
namespace {

TEST(CutAround, KeepsADiscOfALatticeWithItsNames) {
  //   .  .  x  .  .        100 m apart; within 200 m of the middle
  //   .  x  x  x  .
  //   x  x  x  x  x
  //   .  x  x  x  .
  //   .  .  x  .  .
  const RoadNetwork lattice = make_lattice({.rows = 5, .columns = 5, .side_m = 400});
  const RoadNetwork disc = cut_around(lattice, {0, 0}, 200.001);
  ASSERT_EQ(disc.vertex_count(), 13u);
  EXPECT_EQ(disc.graph.edge_count(), 16u);
  EXPECT_EQ(name_of(disc, 0), "2");
  EXPECT_EQ(name_of(disc, 6), "12");
  EXPECT_EQ(disc.position[6], lattice.position[12]);
  EXPECT_EQ(disc.source, "lattice:5x5:400, 200.001 m around");
}

TEST(CutAround, KeepsTheLargestPieceOnly) {
  // 0---1   2---3---4---5
  RoadNetwork line = make_line({.vertices = 6, .length_m = 500});
  line.roads.erase(line.roads.begin() + 1);
  const RoadNetwork part = cut_around(line, {0, 0}, 1000);
  EXPECT_EQ(part.vertex_count(), 4u);
  EXPECT_EQ(name_of(part, 0), "2");
}

TEST(CutAround, RefusesARadiusThatIsNoneAndAPlaceWithoutRoads) {
  const RoadNetwork line = make_line({.vertices = 3, .length_m = 200});
  EXPECT_THROW(cut_around(line, {0, 0}, 0), InvalidOption);
  EXPECT_THROW(cut_around(line, {0, 0}, std::numeric_limits<double>::quiet_NaN()), InvalidOption);
  EXPECT_THROW(cut_around(line, {1, 1}, 100), DataError);
}

}  // namespace
}  // namespace fogline::roads::cut_test
