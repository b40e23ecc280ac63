// SPDX-License-Identifier: Apache-2.0
#include "kernel/metric_rows.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace fogline::kernel::metric_rows_test {
namespace {

/// A grid of roads of uneven lengths: several tiles, and blocks that do not have all of it.
Relation roads_of(InputId side) {
  std::vector<RelatedPair> pairs;
  for (InputId v = 0; v < side * side; ++v) {
    const std::uint32_t length = 400 + v * 2654435761U % 601;
    if (v % side + 1 < side) pairs.push_back({v, v + 1, length});
    if (v + side < side * side) pairs.push_back({v, v + side, length});
  }
  return Relation::metric(side * side, pairs);
}

struct Town {
  explicit Town(InputId side) : relation(roads_of(side)), prior(side * side, 1.0 / (side * side)) {
    for (InputId v = 0; v < side * side; ++v) outputs.push_back(v);
  }
  MetricProblem problem() const {
    return {.relation = relation, .epsilon_per_unit = 1e-3, .prior = prior, .outputs = outputs};
  }
  Relation relation;
  std::vector<double> prior;
  std::vector<InputId> outputs;
};

/// A step of Newton's method is right if it meets the equations that it was made from.
TEST(MetricRows, SolvesNewtonsEquations) {
  const Town town(12);
  const MetricProblem problem = town.problem();
  const MetricOptions options{.reach = 4};
  const MetricMap map(problem, options);
  MetricProgram program(problem, options, map);
  ASSERT_GT(program.tiles().size(), 2U);
  std::size_t products = 0;
  MetricRows rows(program, [&] { ++products; });
  ASSERT_TRUE(rows.factor());
  program.each_batch([](MetricBatch& batch) {
    for (std::size_t k = 0; k < batch.target.size(); ++k)
      batch.target[k] = 1e-6 * (1 + static_cast<double>(k % 3));
  });
  std::vector<double> missing(program.inputs());
  for (std::size_t v = 0; v < missing.size(); ++v) missing[v] = 0.001 * static_cast<double>(v % 5);
  const std::vector<double> aimed =
      rows.solve(missing, std::vector<double>(program.inputs(), 0.0), {.share = 1e-9, .row = 1e-11});
  // Conjugate gradients are few: the preconditioner is near.
  EXPECT_LT(products, 60U);
  // Rows gain what they lack.
  const std::vector<double> gained =
      program.sum_of_columns([](MetricBatch& batch, Lanes&) -> const Lanes& { return batch.dx; });
  for (std::size_t v = 0; v < missing.size(); ++v) EXPECT_NEAR(gained[v], missing[v], 1e-10);
  // And with the duals that follow from products of slack and dual no entry has a cost beyond the multipliers.
  for (const MetricBatch& batch : program.batches()) {
    const auto edges = batch.pattern->edges();
    std::vector<double> charged;  // what hangs on an entry counts with it
    for (const InputId input : batch.pattern->inputs()) charged.push_back(aimed[input]);
    for (std::size_t k = 0; k < batch.tail.size(); ++k) charged.push_back(aimed[batch.tail.input(k)]);
    batch.tail.gather(charged.data());
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
      const auto at = [&](const Lanes& values, std::size_t i) { return values[i * lane_count + lane]; };
      std::vector<double> left;
      for (std::size_t i = 0; i < batch.pattern->size(); ++i) left.push_back(at(batch.cost, i) - charged[i]);
      for (std::size_t e = 0; e < edges.size(); ++e) {
        for (std::size_t way = 0; way < 2; ++way) {
          const std::uint32_t i = way == 0 ? edges[e].i : edges[e].j, j = way == 0 ? edges[e].j : edges[e].i;
          const double s = batch.ratio[e] * at(batch.x, i) - at(batch.x, j);
          const double ds = batch.ratio[e] * at(batch.dx, i) - at(batch.dx, j);
          const double z_after = (at(batch.target, 2 * e + way) - at(batch.z, 2 * e + way) * ds) / s;
          left[i] -= batch.ratio[e] * z_after;
          left[j] += z_after;
        }
      }
      for (const double rest : left) ASSERT_NEAR(rest, 0, 1e-9);
    }
  }
}

TEST(MetricProgram, StartsInsideWithEveryOutputOnce) {
  const Town town(9);
  const MetricProblem problem = town.problem();
  const MetricOptions options{.reach = 3};
  const MetricMap map(problem, options);
  MetricProgram program(problem, options, map);
  std::vector<int> seen(81, 0);
  for (const MetricBatch& batch : program.batches()) {
    EXPECT_LE(batch.outputs.size(), lane_count);
    for (const std::uint32_t o : batch.outputs) ++seen[o];
    EXPECT_LT(batch.pattern->size(), 81U);
    const StepLengths none{0, 0};
    EXPECT_GT(product_after(batch, none), 0);
    for (std::size_t e = 0; e < batch.pattern->edges().size(); ++e) {
      const BatchPattern::Edge& edge = batch.pattern->edges()[e];
      for (std::size_t lane = 0; lane < lane_count; ++lane) {
        const double x = batch.x[edge.i * lane_count + lane], other = batch.x[edge.j * lane_count + lane];
        EXPECT_GT(batch.ratio[e] * x, other);
        EXPECT_GT(batch.ratio[e] * other, x);
      }
    }
  }
  EXPECT_EQ(seen, std::vector<int>(81, 1));
  std::vector<int> cored(81, 0);
  for (const MetricTile& tile : program.tiles()) {
    for (const InputId input : tile.core) ++cored[input];
    EXPECT_FALSE(tile.batches.empty());
  }
  EXPECT_EQ(cored, std::vector<int>(81, 1));
}

TEST(MetricProgram, BoundsTheLossFromBelowWhateverTheMultipliers) {
  const Town town(8);
  const MetricProblem problem = town.problem();
  const MetricOptions options{.reach = 3};
  const double least = metric_table(problem, {.gap = 1e-6}).loss;
  const MetricMap map(problem, options);
  MetricProgram program(problem, options, map);
  for (const double level : {-3.0, 0.0, 0.2, 1.0, 5.0}) {
    std::vector<double> multiplier(64);
    for (std::size_t v = 0; v < 64; ++v) multiplier[v] = level / 64 * (1 + 0.01 * static_cast<double>(v));
    EXPECT_LE(program.lower_bound(multiplier, &MetricBatch::ratio) * program.unit(), least * (1 + 1e-9))
        << level;
  }
}

}  // namespace
}  // namespace fogline::kernel::metric_rows_test
