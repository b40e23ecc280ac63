// SPDX-License-Identifier: Apache-2.0
#include "kernel/optimal_blocks.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>
#include <gtest/gtest.h>

namespace fogline::kernel::optimal_blocks_test {
namespace {

/// A ring of five places with a chord, both ways.
std::vector<BlockPattern::Arc> ring_arcs() {
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs{{0, 1}, {1, 2}, {2, 3},
                                                                   {3, 4}, {0, 4}, {1, 3}};
  std::vector<BlockPattern::Arc> arcs;
  for (const auto& [i, j] : pairs) {
    arcs.push_back({.i = i, .j = j, .p = 1.5});
    arcs.push_back({.i = j, .j = i, .p = 1.5});
  }
  return arcs;
}

std::vector<double> ring_weights(double first) {
  std::vector<double> weights;
  for (int a = 0; a < 12; ++a) weights.push_back(first + 0.25 * a);
  return weights;
}

/// Sum of weight * (p e_i - e_j)(p e_i - e_j)^T, entry by entry.
Eigen::MatrixXd dense_normal(const BlockPattern& pattern, const std::vector<double>& weight) {
  const auto n = static_cast<Eigen::Index>(pattern.variables());
  Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(n, n);
  for (std::size_t a = 0; a < weight.size(); ++a) {
    Eigen::VectorXd row = Eigen::VectorXd::Zero(n);
    row[pattern.arcs()[a].i] = pattern.arcs()[a].p;
    row[pattern.arcs()[a].j] = -1;
    normal += weight[a] * row * row.transpose();
  }
  return normal;
}

TEST(BlockFactor, SolvesTheNormalEquations) {
  const BlockPattern pattern({0, 1, 2, 3, 4}, ring_arcs());
  const std::vector<double> weight = ring_weights(1);
  BlockFactoriser factoriser;
  BlockFactor factor;
  ASSERT_TRUE(factoriser.factor(pattern, weight, factor));
  std::vector<double> x{1, -2, 3, 0.5, 4};
  const Eigen::VectorXd right = Eigen::Map<const Eigen::VectorXd>(x.data(), 5);
  factor.solve(pattern, x);
  const Eigen::VectorXd found = Eigen::Map<const Eigen::VectorXd>(x.data(), 5);
  EXPECT_LT((dense_normal(pattern, weight) * found - right).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(BlockFactor, IsRefusedWhereTheMatrixIsNotPositiveDefinite) {
  const BlockPattern pattern({0, 1, 2, 3, 4}, ring_arcs());
  BlockFactoriser factoriser;
  BlockFactor factor;
  EXPECT_FALSE(factoriser.factor(pattern, std::vector<double>(12, 0.0), factor));
  EXPECT_FALSE(factoriser.factor(pattern, std::vector<double>(12, -1.0), factor));
}

TEST(PanelAdder, AddsUpTheInversesOfBlocksAtTheirPlaces) {
  // Blocks at places 0 1 2 3 4 and 1 3 5 7 9 of ten, of whose sum columns 1 3 4 are wanted.
  const BlockPattern near({0, 1, 2, 3, 4}, ring_arcs()), spread({1, 3, 5, 7, 9}, ring_arcs());
  const std::vector<double> a = ring_weights(1), b = ring_weights(3);
  BlockFactoriser factoriser;
  BlockFactor near_factor, spread_factor;
  ASSERT_TRUE(factoriser.factor(near, a, near_factor));
  ASSERT_TRUE(factoriser.factor(spread, b, spread_factor));
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(10, 10);
  const auto add = [&](const BlockPattern& pattern, const std::vector<double>& weight) {
    const Eigen::MatrixXd inverse = dense_normal(pattern, weight).inverse();
    for (Eigen::Index i = 0; i < 5; ++i)
      for (Eigen::Index j = 0; j < 5; ++j)
        expected(pattern.places()[static_cast<std::size_t>(i)],
                 pattern.places()[static_cast<std::size_t>(j)]) += inverse(i, j);
  };
  add(near, a);
  add(spread, b);
  const std::vector<std::uint32_t> columns{1, 3, 4};
  std::vector<double> panel((10 - columns.front()) * panel_width, 0.0);
  PanelAdder adder;
  adder.add(near, near_factor, columns, panel);
  adder.add(spread, spread_factor, columns, panel);
  for (std::size_t row = columns.front(); row < 10; ++row)
    for (std::size_t c = 0; c < columns.size(); ++c)
      EXPECT_NEAR(panel[(row - columns.front()) * panel_width + c],
                  expected(static_cast<Eigen::Index>(row), columns[c]), 1e-12)
          << row << ' ' << c;
}

TEST(EliminationOrder, GivesEveryInputAPlace) {
  // A star: its centre is eliminated among the last two, or all others would be joined.
  std::vector<RelatedPair> pairs;
  for (InputId v = 1; v < 9; ++v) pairs.push_back({0, v});
  std::vector<std::uint32_t> place = elimination_order(Relation::policy(9, pairs));
  EXPECT_GE(place[0], 7U);
  std::sort(place.begin(), place.end());
  for (std::uint32_t p = 0; p < 9; ++p) EXPECT_EQ(place[p], p);
}

}  // namespace
}  // namespace fogline::kernel::optimal_blocks_test
