// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "graph/dijkstra.hpp"
#include "place/catalogue.hpp"
#include "place/gem.hpp"
#include "roads/read_network.hpp"

namespace fogline::place::expected_error_test {
namespace {

/// Every vertex, every output, from the integers.
double by_hand(const VertexMechanism& mechanism) {
  graph::Dijkstra search(mechanism.graph());
  double sum = 0;
  for (graph::VertexId v = 0; v < mechanism.graph().vertex_count(); ++v) {
    const kernel::WeightRow row = mechanism.row(v);
    const auto distance = search.one_to_all(v);
    double moment = 0;
    for (std::size_t o = 0; o < row.weights.size(); ++o)
      moment += static_cast<double>(row.weights[o]) * static_cast<double>(distance[mechanism.range()[o]]);
    sum += moment / static_cast<double>(row.total) / 1000;
  }
  return sum / static_cast<double>(mechanism.graph().vertex_count());
}

TEST(ExpectedErrors, AreThoseOfTheTables) {
  const roads::RoadNetwork map = roads::read_network("lattice:12x9:900");
  for (const char* name : {"gem", "tight", "optimal", "plmg"}) {
    for (const privacy::EpsilonPerMetre& epsilon : {privacy::EpsilonPerMetre{1, 100}, {1, 5}}) {
      const auto mechanism = make_mechanism(map, {.name = name, .epsilon = epsilon});
      if (!mechanism->has_rows()) continue;
      const double exact = by_hand(*mechanism);
      EXPECT_NEAR(mechanism->expected_error().q_loss_m, exact, 1e-6 * (1 + exact)) << name;
      EXPECT_NEAR(mechanism->expected_error({.exact = true}).q_loss_m, exact, 1e-6 * (1 + exact)) << name;
    }
  }
}

TEST(ExpectedErrors, OfSamplesLieWithinWhatTheySay) {
  const roads::RoadNetwork map = roads::read_network("city:1");
  for (const char* name : {"gem", "tight"}) {
    const auto mechanism = make_mechanism(map, {.name = name, .epsilon = {1, 50}});
    const ExpectedError exact = mechanism->expected_error({.exact = true});
    const ExpectedError sampled = mechanism->expected_error({.work = 100'000});
    EXPECT_EQ(exact.standard_error_m, 0);
    EXPECT_GT(sampled.standard_error_m, 0);
    EXPECT_LT(sampled.vertices_used, map.vertex_count());
    EXPECT_NEAR(sampled.q_loss_m, exact.q_loss_m, 5 * sampled.standard_error_m);
    EXPECT_NEAR(*sampled.median_m, *exact.median_m, 0.2 * *exact.median_m);
  }
}

/// Nearly everybody is at one vertex, far from all others: whatever sample is drawn, he is in it.
TEST(ExpectedErrors, OfSamplesAreByThePrior) {
  const roads::RoadNetwork map = roads::read_network("lattice:40x40:4000");
  std::vector<double> prior(map.vertex_count(), 0.01 / static_cast<double>(map.vertex_count() - 2));
  prior[0] = 0.98;
  prior[800] = 0.01;
  const auto gem = make_mechanism(map, {.name = "gem", .epsilon = {1, 200}});
  const ExpectedError exact = gem->expected_error({.prior = prior, .exact = true});
  const ExpectedError even = gem->expected_error({.work = 100'000});
  const ExpectedError sampled = gem->expected_error({.prior = prior, .work = 100'000});
  EXPECT_LT(sampled.vertices_used, map.vertex_count() / 4);
  EXPECT_GT(sampled.standard_error_m, 0);
  EXPECT_LT(sampled.standard_error_m, even.standard_error_m);
  EXPECT_NEAR(sampled.q_loss_m, exact.q_loss_m, 5 * sampled.standard_error_m);
  EXPECT_GT(std::abs(even.q_loss_m - exact.q_loss_m), 10 * sampled.standard_error_m);
}

TEST(ExpectedErrors, DoNotDependOnThreads) {
  const roads::RoadNetwork map = roads::read_network("city:1");
  const auto gem = make_mechanism(map, {.name = "gem", .epsilon = {1, 50}});
  const ExpectedError one = gem->expected_error({.threads = 1}), two = gem->expected_error({.threads = 2});
  EXPECT_EQ(one.q_loss_m, two.q_loss_m);
  EXPECT_EQ(one.median_m, two.median_m);
  EXPECT_EQ(one.p95_m, two.p95_m);
}

TEST(ExpectedErrors, HaveQuantiles) {
  // Two places 1,000 m apart, moved with one chance in e^5 + 1: half stay, and so do 95 of 100.
  const roads::RoadNetwork map = roads::read_network("line:2:1000");
  const auto gem = make_mechanism(map, {.name = "gem", .epsilon = {1, 100}});
  const ExpectedError error = gem->expected_error();
  EXPECT_EQ(error.median_m, 1);
  EXPECT_EQ(error.p95_m, 1);
  const auto loose = make_mechanism(map, {.name = "gem", .epsilon = {1, 10'000}});
  EXPECT_EQ(loose->expected_error().p95_m, 1001);
}

}  // namespace
}  // namespace fogline::place::expected_error_test
