// SPDX-License-Identifier: Apache-2.0
#include "kernel/optimal_complete.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::kernel::optimal_complete_test {
namespace {

/// Points on a line, which must all look alike; the loss is the distance to the point that is released.
OptimalTable solve_points(const Relation& relation, const std::vector<double>& points,
                          const std::vector<double>& prior, double epsilon) {
  return optimal_table({.relation = relation,
                        .epsilon_per_unit = epsilon,
                        .prior = prior,
                        .outputs = points.size(),
                        .loss =
                            [&](std::size_t output, std::span<double> loss) {
                              for (std::size_t v = 0; v < loss.size(); ++v)
                                loss[v] = std::abs(points[v] - points[output]);
                            }},
                       {.gap = 1e-6});
}

const std::vector<double> line_points{0, 1, 3, 3.5, 7, 12, 12.5, 13, 20};  // not a multiple of eight
const std::vector<double> line_prior{0.2, 0.1, 0.05, 0.05, 0.1, 0.2, 0.1, 0.1, 0.1};

TEST(CompleteTable, OfTwoIsRandomisedResponse) {
  const OptimalTable table = solve_points(Relation::complete(2), {0, 10}, {0.5, 0.5}, 2);
  const double lie = 1 / (1 + std::exp(2.0));
  EXPECT_TRUE(table.converged);
  EXPECT_NEAR(table.loss, 10 * lie, 1e-4);
  EXPECT_NEAR(table.columns[1].probability[0], lie, 1e-4);
}

TEST(CompleteTable, IsThatOfAllPairsOneByOne) {
  std::vector<RelatedPair> pairs;
  for (InputId a = 0; a < line_points.size(); ++a)
    for (InputId b = a + 1; b < line_points.size(); ++b) pairs.push_back({a, b});
  const Relation policy = Relation::policy(line_points.size(), pairs);
  for (const double epsilon : {0.3, 1.0, 3.0}) {
    const OptimalTable by_hub =
        solve_points(Relation::complete(line_points.size()), line_points, line_prior, epsilon);
    const OptimalTable by_pairs = solve_points(policy, line_points, line_prior, epsilon);
    EXPECT_NEAR(by_hub.loss, by_pairs.loss, 1e-5 * by_pairs.loss) << epsilon;
    EXPECT_LE(by_hub.lower_bound, by_pairs.loss * (1 + 1e-9)) << epsilon;
  }
}

TEST(CompleteTable, KeepsThePromiseAndSumsToOne) {
  const double epsilon = 1.3;
  const OptimalTable table =
      solve_points(Relation::complete(line_points.size()), line_points, line_prior, epsilon);
  std::vector<double> sums(line_points.size());
  for (const OptimalColumn& column : table.columns) {
    const auto [least, most] = std::minmax_element(column.probability.begin(), column.probability.end());
    EXPECT_LE(*most, std::exp(epsilon) * *least * (1 + 1e-12));
    for (std::size_t v = 0; v < sums.size(); ++v) sums[v] += column.probability[v];
  }
  for (const double sum : sums) EXPECT_NEAR(sum, 1, 1e-8);
}

TEST(CompleteTable, RefusesLossesThatAreNone) {
  const Relation relation = Relation::complete(2);
  const std::vector<double> prior{0.5, 0.5};
  for (const double wrong : std::vector<double>{-1.0, INFINITY, NAN})
    EXPECT_THROW(
        complete_table({.relation = relation,
                        .epsilon_per_unit = 1,
                        .prior = prior,
                        .outputs = 2,
                        .loss = [&](std::size_t,
                                    std::span<double> loss) { std::fill(loss.begin(), loss.end(), wrong); }},
                       {}),
        InvalidOption);
}

}  // namespace
}  // namespace fogline::kernel::optimal_complete_test
