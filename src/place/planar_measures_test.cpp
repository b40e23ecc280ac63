// SPDX-License-Identifier: Apache-2.0
#include "place/planar_measures.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "roads/read_network.hpp"

namespace fogline::place::planar_measures_test {
namespace {

Plm::Options at(std::uint64_t numerator, std::uint64_t denominator) {
  return {.epsilon = privacy::EpsilonPerMetre{numerator, denominator}};
}

TEST(CellGrid, CoversTheNetworkAndItsSurroundings) {
  for (const char* specification : {"lattice:5x9:400", "line:9:800"}) {
    const roads::RoadNetwork map = roads::make_network(specification);
    const Plm plm(map, at(1, 100));
    const CellGrid grid = grid_of_cells(plm, map);
    EXPECT_GE(static_cast<double>(grid.centres.size()), CellGrid::about);
    EXPECT_LE(static_cast<double>(grid.centres.size()), 1.1 * CellGrid::about);
    for (graph::VertexId v = 0; v < map.vertex_count(); ++v) {
      const geometry::PointXY vertex = plm.position(v);
      double nearest = 1e9, farthest_east = -1e9;
      for (const geometry::PointXY& centre : grid.centres) {
        nearest = std::min(nearest, std::hypot(centre.x_m - vertex.x_m, centre.y_m - vertex.y_m));
        farthest_east = std::max(farthest_east, centre.x_m - vertex.x_m);
      }
      EXPECT_LE(nearest, grid.side_m * std::sqrt(0.5) + 1e-6);
      EXPECT_GE(farthest_east, 300 - grid.side_m);
    }
  }
}

TEST(PlanarMeasures, OfOneRoadAreKnown) {
  // Two vertices 100 m apart: the best guess is the nearer one, wrong with the probability that noise crosses the middle line.
  const roads::RoadNetwork map = roads::make_network("line:2:100");
  const PlanarMeasures measured = measure(Plm(map, at(1, 100)), map);
  EXPECT_NEAR(measured.euclidean.q_loss_m, 200, 0.01);
  // P(x > a) of planar Laplace noise of rate 1: the integral over angles of (1 + a / cos t) exp(-a / cos t), at a = 1/2.
  double crossed = 0;
  const int steps = 200'000;
  for (int i = 0; i < steps; ++i) {
    const double along = 0.5 / std::cos((i + 0.5) * std::acos(-1) / 2 / steps);
    crossed += (1 + along) * std::exp(-along) / (2.0 * steps);
  }
  // The middle line runs along an edge of cells or through them: at worst half a cell's mass is told apart no more.
  EXPECT_NEAR(measured.euclidean.ae_m, 100 * crossed, 1);
  EXPECT_NEAR(measured.euclidean.tp_most_likely, 1 - crossed, 0.01);
  EXPECT_NEAR(measured.euclidean.pc, measured.euclidean.ae_m / 200, 1e-6);
}

TEST(PlanarMeasures, TheAttackerGainsByThePointAndByAPrior) {
  const roads::RoadNetwork map = roads::make_network("lattice:8x8:700");
  const Plm plm(map, at(1, 100));
  const PlanarMeasures uniform = measure(plm, map, {.threads = 2});
  EXPECT_LT(uniform.euclidean.ae_m, uniform.euclidean.q_loss_m);
  // plmg's attacker sees the nearest vertex: cells of 100 m, and hence no more than the one of smaller cells.
  const Plmg coarse(map, {.epsilon = {1, 100}});
  EXPECT_LT(uniform.euclidean.ae_m, measure(coarse, map).euclidean.ae_m);
  std::vector<double> prior(map.vertex_count(), 0);
  prior[9] = 1;
  EXPECT_NEAR(measure(plm, map, {.prior = prior}).euclidean.ae_m, 0, 1e-9);
}

TEST(PlanarMeasures, RefuseWhatTheyCannotDo) {
  const roads::RoadNetwork large = roads::make_network("line:6001:60000");
  EXPECT_THROW(measure(Plm(large, at(1, 100)), large), InvalidOption);
  const roads::RoadNetwork line = roads::make_network("line:5:400");
  const Plm plm(line, at(1, 100));
  EXPECT_THROW(measure(plm, line, {.prior = {1}}), InvalidOption);
  EXPECT_THROW(measure(plm, line, {.progress = [](const ProgressUpdate&) { return false; }}), Cancelled);
}

}  // namespace
}  // namespace fogline::place::planar_measures_test
