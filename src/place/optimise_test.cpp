// SPDX-License-Identifier: Apache-2.0
#include "place/optimise.hpp"

#include <filesystem>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/testing.hpp"
#include "place/gem.hpp"
#include "roads/read_network.hpp"

namespace fogline::place::optimise_test {
namespace {

TEST(Optimise, KeepsQLossAndReportsWhatGemDoesWithTheRange) {
  const roads::RoadNetwork map = roads::read_network("lattice:12x12:1100");
  std::vector<double> prior(144, 0.5 / 144);
  prior[26] += 0.25;
  prior[117] += 0.25;
  for (const auto& given : {std::vector<double>{}, prior}) {
    const OptimisedRange found = optimise_range(map, {.epsilon = {1, 100}, .prior = given});
    EXPECT_LT(found.range.size(), 144U);
    EXPECT_LE(found.range.size(), found.initial_vertices);
    EXPECT_LE(found.after.q_loss_m, found.before.q_loss_m * (1 + 1e-8));
    // The first stage looks at Q_loss alone: where the prior says little, it may cost more PC than the second wins back.
    if (!given.empty()) {
      EXPECT_GT(found.after.pc_posterior, found.before.pc_posterior);
    }
    // What it reports is what GEM with that range does.
    const Gem gem(map.graph, {.epsilon = {1, 100}, .range = found.range});
    const DistanceMeasures measured = measure(gem, map, {.prior = given}).road;
    EXPECT_NEAR(found.after.q_loss_m, measured.q_loss_m, 1e-6);
    EXPECT_NEAR(found.after.pc_posterior, measured.pc_posterior, 1e-9);
    EXPECT_NEAR(found.after.ae_m, measured.ae_m, 1e-6);
  }
}

TEST(Optimise, AgreesWithThePapersExampleInKind) {
  // Figures 9 and 10: four likely places, 20 x 20 vertices on 1,500 m, epsilon 0.01. There Q_loss fell from 328 m to 290 m and PC rose.
  const roads::RoadNetwork map = roads::read_network("lattice:20x20:1500");
  std::vector<double> prior(400, 0.3 / 400);
  for (const std::size_t peak : {105U, 114U, 285U, 294U}) prior[peak] += 0.7 / 4;
  const OptimisedRange found = optimise_range(map, {.epsilon = {1, 100}, .prior = prior});
  EXPECT_LT(found.after.q_loss_m, 0.9 * found.before.q_loss_m);
  EXPECT_GT(found.after.pc, found.before.pc);
}

TEST(Optimise, RaisesPcOnRealRoads) {
  const std::string file = testing_support::real_data("maps/tokyo-shibuya-roads.osm.pbf");
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "skipped: no real data at " << file;
  const roads::RoadNetwork map = roads::read_network(file);
  const OptimisedRange found = optimise_range(map, {.epsilon = {1, 100}});
  EXPECT_NEAR(found.before.q_loss_m, 339.4, 0.1);
  EXPECT_LE(found.after.q_loss_m, found.before.q_loss_m * (1 + 1e-8));
  EXPECT_GT(found.after.pc_posterior, found.before.pc_posterior);
  EXPECT_GT(found.after.pc, 0.99);
}

TEST(Optimise, HoldsTheLimitOnQLoss) {
  const roads::RoadNetwork map = roads::read_network("lattice:10x10:1000");
  const OptimisedRange held = optimise_range(map, {.epsilon = {1, 100}, .most_q_loss_m = 1.0});
  EXPECT_EQ(held.range.size(), held.initial_vertices);  // the limit cannot be met, so nothing more is dropped
  const OptimisedRange loose = optimise_range(map, {.epsilon = {1, 100}, .most_q_loss_m = 400.0});
  EXPECT_LE(loose.after.q_loss_m, 400 * (1 + 1e-8));
  EXPECT_GT(loose.after.pc_posterior, held.after.pc_posterior);
}

TEST(Optimise, RefusesBadInput) {
  const roads::RoadNetwork map = roads::read_network("line:3:200");
  EXPECT_THROW(optimise_range(map, {.epsilon = {1, 1'000'000'000}}), InvalidOption);
  EXPECT_THROW(optimise_range(map, {.epsilon = {1, 100}, .prior = {0.5, 0.4, 0}}), InvalidOption);
  EXPECT_THROW(optimise_range(map, {.epsilon = {1, 100}, .most_q_loss_m = -1.0}), InvalidOption);
}

TEST(Optimise, WritesNamesThatCanBeRead) {
  roads::RoadNetwork map = roads::read_network("line:3:200");
  const std::vector<graph::VertexId> range{0, 2};
  EXPECT_EQ(range_text(map, range), "0\n2\n");
  map.vertex_label = {"north gate", "b", "c"};
  EXPECT_EQ(range_text(map, range), "north gate\nc\n");
  for (const char* bad : {"", "a,b", "a;b", "#a", " a", "a\tb", "\"a\"", "vertex"}) {
    map.vertex_label[0] = bad;
    EXPECT_THROW(range_text(map, range), InvalidOption) << bad;
  }
}

}  // namespace
}  // namespace fogline::place::optimise_test
