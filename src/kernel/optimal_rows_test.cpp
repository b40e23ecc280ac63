// SPDX-License-Identifier: Apache-2.0
#include "kernel/optimal_rows.hpp"

#include <atomic>
#include <cmath>

#include <gtest/gtest.h>

namespace fogline::kernel::optimal_rows_test {
namespace {

/// A step of Newton's method is right if it meets the equations that it was made from.
TEST(OptimalRows, SolvesNewtonsEquations) {
  const std::size_t places = 40;  // more than a panel has columns
  std::vector<RelatedPair> pairs;
  for (InputId v = 1; v < places; ++v) pairs.push_back({v - 1, v});
  pairs.push_back({0, places - 1});
  const Relation ring = Relation::policy(places, pairs);
  const std::vector<double> prior(places, 1.0 / static_cast<double>(places));
  const OptimalProblem problem{.relation = ring,
                               .epsilon_per_unit = 0.7,
                               .prior = prior,
                               .outputs = places,
                               .loss = [](std::size_t output, std::span<double> loss) {
                                 for (std::size_t v = 0; v < loss.size(); ++v)
                                   loss[v] = std::abs(static_cast<double>(v) - static_cast<double>(output));
                               }};
  const OptimalOptions options;
  OptimalProgram program(problem, options);
  OptimalRows rows(program);
  std::atomic<std::size_t> pieces{0};
  ASSERT_TRUE(rows.factor([&] { ++pieces; }));
  EXPECT_EQ(pieces, rows.pieces());
  EXPECT_EQ(rows.pieces(), 2U);
  program.each_block([](OptimalBlock& block, std::size_t o) {
    block.target.assign(block.z.size(), 0.01 + 0.001 * static_cast<double>(o % 3));
  });
  Eigen::VectorXd missing(static_cast<Eigen::Index>(places));
  for (Eigen::Index p = 0; p < missing.size(); ++p) missing[p] = 0.001 * static_cast<double>(p % 5);
  const Eigen::VectorXd aimed = rows.solve(missing);
  // Rows gain what they lack.
  EXPECT_LT((program.row_sums(&OptimalBlock::dx) - missing).cwiseAbs().maxCoeff(), 1e-12);
  // And with the duals that follow from products of slack and dual no column has a cost beyond the multipliers.
  for (const OptimalBlock& block : program.blocks()) {
    std::vector<double> left = block.cost;
    const auto at = block.pattern->places();
    for (std::size_t i = 0; i < left.size(); ++i) left[i] -= aimed[at[i]];
    for (std::size_t a = 0; a < block.z.size(); ++a) {
      const BlockPattern::Arc& arc = block.pattern->arcs()[a];
      const double z_after = (block.target[a] - block.z[a] * slack(arc, block.dx)) / slack(arc, block.x);
      left[arc.i] -= arc.p * z_after;
      left[arc.j] += z_after;
    }
    for (const double rest : left) EXPECT_NEAR(rest, 0, 1e-9);
  }
}

}  // namespace
}  // namespace fogline::kernel::optimal_rows_test
