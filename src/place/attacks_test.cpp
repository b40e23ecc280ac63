// SPDX-License-Identifier: Apache-2.0
#include "place/attacks.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "place/gem.hpp"
#include "place/measures.hpp"
#include "roads/read_network.hpp"

namespace fogline::place::attacks_test {
namespace {

struct Scene {
  roads::RoadNetwork map;
  Gem gem;
  std::vector<double> prior;
  kernel::Table likelihood, metres;

  Scene(const char* network, privacy::EpsilonPerMetre epsilon)
      : map(roads::read_network(network)),
        gem(map.graph, {.epsilon = epsilon}),
        prior(prior_or_uniform({}, map.vertex_count())),
        likelihood(likelihood_table(gem)),
        metres(road_table_m(map.graph)) {}
};

TEST(Attackers, KnowMoreFromTopToBottom) {
  const Scene scene("lattice:8x8:700", {1, 100});
  const auto all = attackers(scene.prior, scene.likelihood, scene.metres, scene.gem.range());
  ASSERT_EQ(all.size(), 5U);
  const auto& [prior_only, believes, most_likely, posterior, optimal] =
      std::tie(all[0], all[1], all[2], all[3], all[4]);
  EXPECT_EQ(prior_only.name, "prior only");
  // On a lattice of even side the best guess without a report lies in the middle: 2 coordinates of mean distance 2 steps.
  EXPECT_NEAR(prior_only.error_m, 2 * 2 * 100.0, 1e-9);
  EXPECT_DOUBLE_EQ(prior_only.tp, 1.0 / 64);
  const PlaceMeasures measured = measure(scene.gem, scene.map);
  EXPECT_NEAR(believes.error_m, measured.road.q_loss_m, 1e-9);
  EXPECT_NEAR(optimal.error_m, measured.road.ae_m, 1e-9);
  EXPECT_NEAR(posterior.error_m, measured.road.ae_posterior_m, 1e-9);
  for (const Attacker& other : all) {
    EXPECT_LE(optimal.error_m, other.error_m * (1 + 1e-12));
    EXPECT_LE(other.tp, most_likely.tp * (1 + 1e-12));
  }
}

TEST(InformedAttack, TwoVerticesByHand) {
  // Within 100 m both vertices are possible; the posterior is p or 1 - p, where p = 1 / (1 + e^-0.5).
  const Scene scene("line:2:100", {1, 100});
  const double p = 1 / (1 + std::exp(-0.5));
  const InformedAttack all =
      informed_attack(scene.prior, scene.likelihood, scene.metres, 0.01, {.radius_m = 100});
  EXPECT_EQ(all.centres, 2U);
  EXPECT_DOUBLE_EQ(all.vertices, 2);
  EXPECT_NEAR(all.error_before_m, 50, 1e-9);
  EXPECT_NEAR(all.error_m, 100 * (1 - p), 1e-6);
  EXPECT_NEAR(all.tp, p, 1e-9);
  EXPECT_NEAR(all.largest_ratio_log, std::log(0.5 / (1 - p)), 1e-9);
  EXPECT_NEAR(all.bound_there, 1, 1e-9);
  EXPECT_NEAR(all.largest_share_of_bound, std::log(0.5 / (1 - p)), 1e-9);
}

TEST(InformedAttack, LearnsNoMoreThanTheBound) {
  for (const privacy::EpsilonPerMetre epsilon :
       {privacy::EpsilonPerMetre{1, 500}, privacy::EpsilonPerMetre{1, 50}}) {
    const Scene scene("lattice:7x9:900", epsilon);
    double last_error = 0;
    for (const double radius_m : {120.0, 250.0, 500.0, 2000.0}) {
      const InformedAttack all = informed_attack(scene.prior, scene.likelihood, scene.metres,
                                                 epsilon.value().to_double(), {.radius_m = radius_m});
      EXPECT_GT(all.largest_share_of_bound, 0.1);
      EXPECT_LE(all.largest_share_of_bound, 1);
      EXPECT_LE(all.largest_ratio_log, all.bound_there);
      EXPECT_LE(all.error_m, all.error_before_m);
      EXPECT_GE(all.tp, all.tp_before);
      EXPECT_GT(all.error_m, last_error);  // the less is known beforehand, the farther the guess
      last_error = all.error_m;
    }
    // Whoever knows only the whole map is the optimal attacker.
    EXPECT_NEAR(last_error, measure(scene.gem, scene.map).road.ae_m, 1e-9);
  }
}

TEST(InformedAttack, AveragesOverAPublicSampleOfCentres) {
  const Scene scene("lattice:7x9:900", {1, 100});
  const auto some = informed_attack(scene.prior, scene.likelihood, scene.metres, 0.01,
                                    {.radius_m = 300, .most_centres = 10});
  const auto again = informed_attack(scene.prior, scene.likelihood, scene.metres, 0.01,
                                     {.radius_m = 300, .most_centres = 10});
  EXPECT_EQ(some.centres, 10U);
  EXPECT_EQ(some.error_m, again.error_m);
  EXPECT_THROW(informed_attack(scene.prior, scene.likelihood, scene.metres, 0.01, {.radius_m = 0}),
               InvalidOption);
  EXPECT_THROW(informed_attack(scene.prior, scene.likelihood, scene.metres, 0.01, {.radius_m = std::nan("")}),
               InvalidOption);
  EXPECT_THROW(
      informed_attack(scene.prior, scene.likelihood, scene.metres, 0.01, {.radius_m = 9, .most_centres = 0}),
      InvalidOption);
}

}  // namespace
}  // namespace fogline::place::attacks_test
