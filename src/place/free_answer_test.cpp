// SPDX-License-Identifier: Apache-2.0
#include "place/free_answer.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/dijkstra.hpp"
#include "roads/read_network.hpp"

namespace fogline::place::free_answer_test {
namespace {

/// The least mean distance from one vertex to all, from every vertex in turn.
double best_of_all_m(const roads::RoadNetwork& map) {
  graph::Dijkstra search(map.graph);
  double best = 1e300;
  for (graph::VertexId v = 0; v < map.vertex_count(); ++v) {
    double sum = 0;
    for (const graph::DistanceMm d : search.one_to_all(v)) sum += static_cast<double>(d) / 1000;
    best = std::min(best, sum / static_cast<double>(map.vertex_count()));
  }
  return best;
}

const ExpectedError hopeless{.q_loss_m = 1e9};

TEST(FreeAnswer, IsTheBestVertexForEverybody) {
  for (const char* spec : {"line:7:100", "lattice:5x9:200", "city:1"}) {
    const roads::RoadNetwork map = roads::make_network(spec);
    const double best = best_of_all_m(map);
    const auto found = free_error_m(map, {}, hopeless);
    ASSERT_TRUE(found) << spec;
    EXPECT_GE(*found, best * (1 - 1e-12)) << spec;
    EXPECT_LE(*found, best * 1.02)
        << spec;  // from the middle, downhill: next to the best where it is not the best
  }
}

TEST(FreeAnswer, FollowsThePrior) {
  const roads::RoadNetwork map = roads::make_network("line:5:400");
  EXPECT_NEAR(free_error_m(map, {}, hopeless).value(), 120, 1e-9);
  const std::vector<double> nearly_known{0.9, 0.1, 0, 0, 0};
  EXPECT_NEAR(free_error_m(map, nearly_known, hopeless).value(), 10, 1e-9);
}

TEST(FreeAnswer, IsStraightWhereTheErrorIs) {
  const roads::RoadNetwork map = roads::make_network("lattice:9x9:100");
  const double by_road = free_error_m(map, {}, hopeless).value();
  const double straight = free_error_m(map, {}, {.q_loss_m = 1e9, .straight = true}).value();
  EXPECT_LT(straight, by_road);
  EXPECT_GT(straight, by_road / 1.5);
}

TEST(FreeAnswer, IsNoneWhereSomebodyCannotBeReached) {
  roads::RoadNetwork map = roads::make_network("line:4:100");
  map.graph = graph::Graph::from_edges(4, std::vector<graph::Edge>{{0, 1, 100'000}, {2, 3, 100'000}});
  EXPECT_FALSE(free_error_m(map, {}, hopeless));
  EXPECT_FALSE(free_error_m(roads::RoadNetwork{}, {}, hopeless));
}

TEST(FreeAnswer, TakesOneSearchWhereAReleaseIsWorthItByFar) {
  const roads::RoadNetwork map = roads::make_network("lattice:41x41:100");
  const double looked_at_once = free_error_m(map, {}, {.q_loss_m = 1}).value();
  EXPECT_GE(looked_at_once, free_error_m(map, {}, hopeless).value());
}

}  // namespace
}  // namespace fogline::place::free_answer_test
