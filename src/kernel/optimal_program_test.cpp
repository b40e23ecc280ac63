// SPDX-License-Identifier: Apache-2.0
#include "kernel/optimal_program.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace fogline::kernel::optimal_program_test {
namespace {

/// A line of places, 1 apart; the loss is the distance.
struct Line {
  explicit Line(std::size_t places)
      : relation(Relation::policy(places, pairs_of(places))),
        prior(places, 1.0 / static_cast<double>(places)) {}

  static std::vector<RelatedPair> pairs_of(std::size_t places) {
    std::vector<RelatedPair> pairs;
    for (InputId v = 1; v < places; ++v) pairs.push_back({v - 1, v});
    return pairs;
  }
  OptimalProblem problem() const {
    return {.relation = relation,
            .epsilon_per_unit = 0.5,
            .prior = prior,
            .outputs = prior.size(),
            .loss = [](std::size_t output, std::span<double> loss) {
              for (std::size_t v = 0; v < loss.size(); ++v)
                loss[v] = std::abs(static_cast<double>(v) - static_cast<double>(output));
            }};
  }

  Relation relation;
  std::vector<double> prior;
};

TEST(OptimalProgram, StartsInsideWithAllProductsEqual) {
  const Line line(7);
  const OptimalProblem problem = line.problem();
  const OptimalOptions options;
  OptimalProgram program(problem, options);
  EXPECT_EQ(program.arcs(), 7U * 12);
  EXPECT_LT(program.missing().cwiseAbs().maxCoeff(), 1e-12);
  for (const OptimalBlock& block : program.blocks())
    for (std::size_t a = 0; a < block.z.size(); ++a) {
      const double s = slack(block.pattern->arcs()[a], block.x);
      EXPECT_GT(s, 0);
      EXPECT_NEAR(s * block.z[a], program.mean_product(), 1e-12);
    }
  // Costs are 1 in the mean and probabilities 1/7; in the problem's own unit the mean distance on the line, 16/7.
  EXPECT_NEAR(program.loss(), 7, 1e-12);
  EXPECT_NEAR(program.loss() * program.unit(), 16.0 / 7, 1e-12);
}

TEST(OptimalProgram, BoundsTheLossFromBelowWhateverTheMultipliers) {
  const Line line(7);
  const OptimalProblem problem = line.problem();
  const OptimalOptions options;
  OptimalProgram program(problem, options);
  const double least = optimal_table(problem, {.gap = 1e-7}).loss;
  for (const double level : {-3.0, 0.0, 0.2, 1.0, 5.0}) {
    Eigen::VectorXd multiplier(7);
    for (Eigen::Index v = 0; v < 7; ++v) multiplier[v] = level * (1 + 0.1 * static_cast<double>(v));
    EXPECT_LE(program.lower_bound(multiplier, &BlockPattern::Arc::p) * program.unit(), least * (1 + 1e-9))
        << level;
  }
}

}  // namespace
}  // namespace fogline::kernel::optimal_program_test
