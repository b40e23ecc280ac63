// SPDX-License-Identifier: Apache-2.0
#include "kernel/batch_pattern.hpp"

#include <Eigen/Dense>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace fogline::kernel::batch_pattern_test {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// A tree with some chords, whose every pair has the distance 1.
Relation random_relation(InputId inputs) {
  std::vector<RelatedPair> pairs;
  for (InputId v = 1; v < inputs; ++v) pairs.push_back({*rc::gen::inRange(0U, v), v});
  for (InputId v = 2; v < inputs; v += 3) {
    const RelatedPair chord{*rc::gen::inRange(0U, v), v};
    if (std::find(pairs.begin(), pairs.end(), chord) == pairs.end()) pairs.push_back(chord);
  }
  return Relation::metric(inputs, pairs);
}

std::vector<InputId> all_inputs(const Relation& relation) {
  std::vector<InputId> inputs(relation.inputs());
  for (InputId v = 0; v < inputs.size(); ++v) inputs[v] = v;
  return inputs;
}

std::vector<std::uint32_t> all_pairs(const Relation& relation) {
  std::vector<std::uint32_t> pairs(relation.pairs().size());
  for (std::uint32_t k = 0; k < pairs.size(); ++k) pairs[k] = k;
  return pairs;
}

/// Eight matrices that are larger on their diagonals than beside them, as values and as dense ones.
struct Matrices {
  explicit Matrices(const BatchPattern& pattern) : values(pattern.values() * lane_count, 0.0) {
    const auto n = static_cast<Index>(pattern.size());
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
      MatrixXd& matrix = dense.emplace_back(MatrixXd::Identity(n, n) * (1 + 0.1 * static_cast<double>(lane)));
      for (const BatchPattern::Edge& edge : pattern.edges()) {
        const double weight = *rc::gen::inRange(1, 1000) / 100.0;
        const auto i = static_cast<Index>(edge.i), j = static_cast<Index>(edge.j);
        matrix(i, i) += weight;
        matrix(j, j) += weight;
        matrix(i, j) = matrix(j, i) = -weight;
        values[edge.at * lane_count + lane] = -weight;
      }
      for (Index i = 0; i < n; ++i) values[static_cast<std::size_t>(i) * lane_count + lane] = matrix(i, i);
    }
  }
  Lanes values;
  std::vector<MatrixXd> dense = {};
};

TEST(BatchPattern, SolvesEightSystemsAtOnce) {
  EXPECT_TRUE(rc::check([] {
    const Relation relation = random_relation(*rc::gen::inRange(2U, 40U));
    const BatchPattern pattern(relation, all_inputs(relation), all_pairs(relation));
    Matrices matrices(pattern);
    RC_ASSERT(pattern.factor(matrices.values));
    const auto n = static_cast<Index>(pattern.size());
    Lanes x(pattern.size() * lane_count);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<double>(k % 7) - 3;
    const Lanes right = x;
    pattern.solve(matrices.values, x);
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
      Eigen::VectorXd found(n), asked(n);
      for (Index i = 0; i < n; ++i) {
        found[i] = x[static_cast<std::size_t>(i) * lane_count + lane];
        asked[i] = right[static_cast<std::size_t>(i) * lane_count + lane];
      }
      RC_ASSERT((matrices.dense[lane] * found - asked).cwiseAbs().maxCoeff() < 1e-9);
    }
  }));
}

TEST(BatchPattern, AddsThePartOfTheInverseThatComesLast) {
  EXPECT_TRUE(rc::check([] {
    const Relation relation = random_relation(*rc::gen::inRange(3U, 30U));
    std::vector<InputId> last;
    for (const InputId v : all_inputs(relation)) {
      if (v % 3 == 0) last.push_back(v);
    }
    const BatchPattern pattern(relation, all_inputs(relation), all_pairs(relation), last);
    const std::size_t first = pattern.size() - last.size(), m = last.size();
    for (std::size_t i = first; i < pattern.size(); ++i) RC_ASSERT(pattern.inputs()[i] % 3 == 0);
    Matrices matrices(pattern);
    RC_ASSERT(pattern.factor(matrices.values));
    Lanes inverse(m * m * lane_count), sum(m * m * lane_count, 1.0);
    pattern.add_inverse(matrices.values, first, inverse, sum);
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
      const MatrixXd whole = matrices.dense[lane].inverse();
      for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = i; j < m; ++j) {
          const double expected = whole(static_cast<Index>(first + i), static_cast<Index>(first + j));
          RC_ASSERT(std::abs(sum[(i * m + j) * lane_count + lane] - 1 - expected) < 1e-9);
        }
      }
    }
  }));
}

TEST(BatchPattern, RefusesWhatIsNotPositiveDefiniteInAnyLane) {
  const Relation pair = Relation::metric(2, {{0, 1}});
  const BatchPattern pattern(pair, all_inputs(pair), all_pairs(pair));
  Lanes values(pattern.values() * lane_count, 0.0);
  for (std::size_t k = 0; k < 2 * lane_count; ++k) values[k] = 1;
  EXPECT_TRUE(pattern.factor(values));
  for (std::size_t k = 0; k < 2 * lane_count; ++k) values[k] = 1;
  values[2 * lane_count + 5] = 1.5;
  EXPECT_FALSE(pattern.factor(values));
  std::fill(values.begin(), values.end(), 0.0);
  values[3] = std::nan("");
  EXPECT_FALSE(pattern.factor(values));
}

TEST(BatchPattern, KnowsItsPairsByTheirNumbers) {
  // 0 - 1 - 2 - 3, of which 1, 2 and 3 are taken.
  const Relation line = Relation::metric(4, {{0, 1}, {1, 2}, {2, 3}});
  const BatchPattern part(line, std::vector<InputId>{3, 1, 2}, std::vector<std::uint32_t>{1, 2});
  ASSERT_EQ(part.edges().size(), 2U);
  EXPECT_EQ(part.edges()[0].pair, 1U);
  EXPECT_EQ(part.inputs()[part.edges()[0].i], 1U);
  EXPECT_EQ(part.inputs()[part.edges()[0].j], 2U);
  EXPECT_EQ(part.inputs()[part.edges()[1].j], 3U);
  EXPECT_EQ(part.values(), 5U);
}

}  // namespace
}  // namespace fogline::kernel::batch_pattern_test
