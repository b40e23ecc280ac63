// SPDX-License-Identifier: Apache-2.0
#include "place/measures.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "place/gem.hpp"
#include "roads/read_network.hpp"

namespace fogline::place::measures_test {
namespace {

TEST(Measures, TheLatticeOfThePaper) {
  const roads::RoadNetwork map = roads::read_network("lattice:20x20:1500");
  const Gem gem(map.graph, {.epsilon = {1, 100}});
  const PlaceMeasures all = measure(gem, map, {.threads = 2});
  EXPECT_NEAR(all.road.q_loss_m, 328.79, 0.01);
  EXPECT_NEAR(all.road.q_loss_m, gem.expected_error().q_loss_m, 1e-9);
  EXPECT_LE(all.road.ae_m, all.road.q_loss_m);
  EXPECT_DOUBLE_EQ(all.road.pc, all.road.ae_m / all.road.q_loss_m);
  EXPECT_GE(all.road.ae_posterior_m, all.road.ae_m);
  EXPECT_LE(all.road.ae_posterior_m, 2 * all.road.ae_m);
  EXPECT_LE(all.road.tp, all.road.tp_most_likely);
  // A straight line is no longer than the road.
  EXPECT_LT(all.euclidean.q_loss_m, all.road.q_loss_m);
  EXPECT_LT(all.euclidean.ae_m, all.road.ae_m);
  EXPECT_DOUBLE_EQ(all.euclidean.tp_most_likely, all.road.tp_most_likely);
}

TEST(Measures, TwoVerticesByHand) {
  // 100 m apart, exponent 0.005: the truth with probability p = 1 / (1 + e^-0.5).
  const roads::RoadNetwork map = roads::read_network("line:2:100");
  const Gem gem(map.graph, {.epsilon = {1, 100}});
  const double p = 1 / (1 + std::exp(-0.5));
  const DistanceMeasures road = measure(gem, map).road;
  EXPECT_NEAR(road.q_loss_m, 100 * (1 - p), 1e-6);
  EXPECT_NEAR(road.ae_m, 100 * (1 - p), 1e-6);
  EXPECT_NEAR(road.pc, 1, 1e-9);
  EXPECT_NEAR(road.tp, p, 1e-9);
  EXPECT_NEAR(road.ae_posterior_m, 100 * 2 * p * (1 - p), 1e-6);
  EXPECT_NEAR(road.tp_posterior, p * p + (1 - p) * (1 - p), 1e-9);
}

TEST(Measures, FollowThePriorAndTheRange) {
  const roads::RoadNetwork map = roads::read_network("line:3:200");
  const Gem gem(map.graph, {.epsilon = {1, 100}, .range = {1}});
  // Always the middle, always reported: nothing is learnt, and the user at an end is 100 m off.
  const DistanceMeasures ends = measure(gem, map, {.prior = {0.5, 0, 0.5}}).road;
  EXPECT_DOUBLE_EQ(ends.q_loss_m, 100);
  EXPECT_DOUBLE_EQ(ends.ae_m, 100);
  EXPECT_DOUBLE_EQ(ends.tp, 0.5);  // the first of three equally good guesses is an end
  const DistanceMeasures fixed = measure(gem, map, {.prior = {0, 1, 0}}).road;
  EXPECT_EQ(fixed.q_loss_m, 0);
  EXPECT_EQ(fixed.ae_m, 0);
  EXPECT_EQ(fixed.pc, 1);
  EXPECT_DOUBLE_EQ(fixed.tp, 1);
  EXPECT_THROW(measure(gem, map, {.prior = {1}}), InvalidOption);
}

}  // namespace
}  // namespace fogline::place::measures_test
