// SPDX-License-Identifier: Apache-2.0
#include "place/repeated_attack.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "place/gem.hpp"
#include "place/measures.hpp"
#include "roads/read_network.hpp"

namespace fogline::place::repeated_attack_test {
namespace {

struct Scene {
  roads::RoadNetwork map;
  Gem gem;
  std::vector<double> prior;
  kernel::Table likelihood, metres;

  Scene(const char* network, const std::vector<double>& given)
      : map(roads::read_network(network)),
        gem(map.graph, {.epsilon = {1, 100}}),
        prior(prior_or_uniform(given, map.vertex_count())),
        likelihood(likelihood_table(gem)),
        metres(road_table_m(map.graph)) {}

  std::vector<AfterReports> attack(const RepeatedOptions& options) const {
    return repeated_attack(gem, prior, likelihood, metres, options);
  }
};

TEST(RepeatedAttack, OneReportIsTheOptimalAttack) {
  const Scene scene("lattice:8x8:700", {});
  const AfterReports one = scene.attack({.reports = {1}, .samples = 4000}).front();
  const DistanceMeasures exact = measure(scene.gem, scene.map).road;
  // Five standard errors: fails by chance in fewer than one of a million seeds.
  EXPECT_NEAR(one.error_m, exact.ae_m, 5 * one.error_standard_error_m);
  EXPECT_NEAR(one.tp, exact.tp_most_likely, 5 * one.tp_standard_error);
  EXPECT_GT(one.error_standard_error_m, 0);
  EXPECT_LT(one.error_standard_error_m, 0.05 * one.error_m);
  EXPECT_DOUBLE_EQ(one.epsilon_per_m, 0.01);
  EXPECT_LT(one.entropy_bits, 6);  // log2(64)
}

TEST(RepeatedAttack, ManyReportsGiveTheVertexAway) {
  const Scene scene("lattice:8x8:700", {});
  const auto rows = scene.attack({.reports = {1, 2, 5, 10, 50, 400}, .samples = 300});
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_LT(rows[i].error_m, rows[i - 1].error_m);
    EXPECT_GT(rows[i].tp, rows[i - 1].tp);
    EXPECT_LT(rows[i].entropy_bits, rows[i - 1].entropy_bits);
    EXPECT_NEAR(rows[i].epsilon_per_m, 0.01 * static_cast<double>(rows[i].reports), 1e-12);
  }
  EXPECT_GT(rows.back().tp, 0.9);
  EXPECT_LT(rows.back().error_m, 15);
}

TEST(RepeatedAttack, TwoVerticesAndTwoReportsByHand) {
  // Both reports alike: p^2 against (1-p)^2. Otherwise nothing is known.
  const Scene scene("line:2:100", {});
  const double p = 1 / (1 + std::exp(-0.5)), q = 1 - p;
  const AfterReports two = scene.attack({.reports = {2}, .samples = 20'000}).front();
  EXPECT_NEAR(two.tp, p * p + p * q, 5 * two.tp_standard_error);
  EXPECT_NEAR(two.error_m, 100 * (q * q + p * q), 5 * two.error_standard_error_m);
}

TEST(RecordedAttack, TwoVerticesByHand) {
  const Scene scene("line:2:100", {});
  const double p = 1 / (1 + std::exp(-0.5)), q = 1 - p;
  const std::vector<std::vector<graph::VertexId>> answers{{0, 0, 1}, {1}};
  const auto rows = recorded_attack(scene.gem, scene.prior, scene.likelihood, scene.metres, answers,
                                    {.reports = {1, 2, 3, 4}});
  EXPECT_EQ(rows[0].people, 2);
  EXPECT_NEAR(rows[0].tp, p, 1e-9);
  EXPECT_EQ(rows[1].people, 1);
  EXPECT_NEAR(rows[1].tp, p * p / (p * p + q * q), 1e-9);  // weights are integers
  EXPECT_NEAR(rows[2].tp, p, 1e-9);                        // one of each cancels
  EXPECT_EQ(rows[3].people, 0);
  EXPECT_DOUBLE_EQ(rows[1].epsilon_per_m, 0.02);
  const std::vector<std::vector<graph::VertexId>> strange{{2}};
  EXPECT_THROW(recorded_attack(scene.gem, scene.prior, scene.likelihood, scene.metres, strange),
               InvalidOption);
}

/// Answers that are drawn as the simulated ones are tell as much.
TEST(RecordedAttack, AgreesWithTheSimulatedOne) {
  const Scene scene("lattice:6x6:700", {});
  const random::SeededKey key(5);
  const auto sampler = scene.gem.sampler();
  std::vector<std::vector<graph::VertexId>> answers;
  for (std::uint64_t person = 0; person < 3'000; ++person) {
    random::Stream noise = key.stream("recorded", person);
    const auto truth = static_cast<graph::VertexId>(noise.below(36));
    answers.emplace_back();
    for (int k = 0; k < 3; ++k) answers.back().push_back(sampler->draw(truth, noise));
  }
  const auto seen =
      recorded_attack(scene.gem, scene.prior, scene.likelihood, scene.metres, answers, {.reports = {3}})
          .front();
  const auto drawn = scene.attack({.reports = {3}, .samples = 3'000}).front();
  EXPECT_NEAR(seen.tp, drawn.tp, 5 * (seen.tp_standard_error + drawn.tp_standard_error));
  EXPECT_NEAR(seen.error_m, drawn.error_m, 5 * (seen.error_standard_error_m + drawn.error_standard_error_m));
}

TEST(RepeatedAttack, DoesNotDependOnThreads) {
  const Scene scene("lattice:5x5:400", {});
  const auto one = scene.attack({.reports = {3}, .samples = 300, .threads = 1}).front();
  const auto two = scene.attack({.reports = {3}, .samples = 300, .threads = 2}).front();
  EXPECT_DOUBLE_EQ(one.error_m, two.error_m);
  EXPECT_DOUBLE_EQ(one.entropy_bits, two.entropy_bits);
  EXPECT_NE(one.error_m, scene.attack({.reports = {3}, .samples = 300, .seed = 2}).front().error_m);
}

TEST(RepeatedAttack, APriorThatIsCertainLeavesNothingToLearn) {
  const Scene scene("line:3:200", {0, 1, 0});
  const AfterReports row = scene.attack({.reports = {4}, .samples = 10}).front();
  EXPECT_EQ(row.error_m, 0);
  EXPECT_EQ(row.tp, 1);
  EXPECT_EQ(row.entropy_bits, 0);
}

TEST(RepeatedAttack, RefusesBadOptionsAndCanBeStopped) {
  const Scene scene("line:3:200", {});
  EXPECT_THROW(scene.attack({.reports = {}}), InvalidOption);
  EXPECT_THROW(scene.attack({.reports = {0, 1}}), InvalidOption);
  EXPECT_THROW(scene.attack({.reports = {2, 2}}), InvalidOption);
  EXPECT_THROW(scene.attack({.reports = {100'001}}), InvalidOption);
  EXPECT_THROW(scene.attack({.samples = 9}), InvalidOption);
  EXPECT_THROW(scene.attack({.progress = [](const ProgressUpdate&) { return false; }}), Cancelled);
}

}  // namespace
}  // namespace fogline::place::repeated_attack_test
