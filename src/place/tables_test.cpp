// SPDX-License-Identifier: Apache-2.0
#include "place/tables.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "place/gem.hpp"
#include "roads/read_network.hpp"

namespace fogline::place::tables_test {
namespace {

TEST(Tables, RoadAndStraightDistancesOfALattice) {
  //  0 - 1 - 2      100 m from one to the next
  //  3 - 4 - 5
  //  6 - 7 - 8
  const roads::RoadNetwork map = roads::read_network("lattice:3x3:200");
  const kernel::Table road = road_table_m(map.graph), straight = straight_table_m(map);
  EXPECT_EQ(road(0, 0), 0);
  EXPECT_DOUBLE_EQ(road(0, 8), 400);
  EXPECT_DOUBLE_EQ(road(2, 6), 400);
  EXPECT_NEAR(straight(0, 8), 200 * std::sqrt(2.0), 0.01);
  EXPECT_NEAR(straight(3, 5), 200, 0.01);
  EXPECT_EQ(straight(4, 4), 0);
}

TEST(Tables, LikelihoodsAreThoseOfTheMechanism) {
  const roads::RoadNetwork map = roads::read_network("line:5:400");
  const Gem gem(map.graph, {.epsilon = {1, 100}, .range = {4, 0, 2}});
  const kernel::Table table = likelihood_table(gem, {.threads = 2});
  ASSERT_EQ(table.rows(), 5);
  ASSERT_EQ(table.cols(), 3);
  for (graph::VertexId v = 0; v < 5; ++v) {
    EXPECT_NEAR(table.row(v).sum(), 1, 1e-12);
    for (int o = 0; o < 3; ++o)
      EXPECT_NEAR(std::log(table(v, o)), gem.log_weight(gem.range()[static_cast<std::size_t>(o)], v), 1e-12);
  }
}

TEST(Tables, RefuseLargeNetworksAndPieces) {
  const roads::RoadNetwork large = roads::read_network("lattice:80x80:8000");
  EXPECT_THROW(road_table_m(large.graph), InvalidOption);
  EXPECT_THROW(straight_table_m(large), InvalidOption);
  EXPECT_THROW(likelihood_table(Gem(large.graph, {.epsilon = {1, 100}})), InvalidOption);
  const auto pieces = graph::Graph::from_edges(4, std::vector<graph::Edge>{{0, 1, 5}, {2, 3, 5}});
  EXPECT_THROW(road_table_m(pieces), InvalidOption);
}

TEST(Tables, APriorIsADistributionOverAllVertices) {
  EXPECT_EQ(prior_or_uniform({}, 4), (std::vector<double>{0.25, 0.25, 0.25, 0.25}));
  EXPECT_EQ(prior_or_uniform({0, 1}, 2), (std::vector<double>{0, 1}));
  EXPECT_THROW(prior_or_uniform({1}, 2), InvalidOption);
  EXPECT_THROW(prior_or_uniform({0.5, 0.4}, 2), InvalidOption);
  EXPECT_THROW(prior_or_uniform({1.5, -0.5}, 2), InvalidOption);
  EXPECT_THROW(prior_or_uniform({std::nan(""), 1}, 2), InvalidOption);
}

}  // namespace
}  // namespace fogline::place::tables_test
