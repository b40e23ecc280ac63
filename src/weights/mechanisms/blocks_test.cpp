// SPDX-License-Identifier: Apache-2.0
#include "weights/mechanisms/blocks.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "kernel/certificate.hpp"
#include "kernel/optimal.hpp"

namespace fogline::weights::blocks_test {
namespace {

std::vector<double> flat(std::size_t points) {
  return std::vector<double>(points, 1.0 / static_cast<double>(points));
}

double brute_force(const std::vector<double>& prior, double epsilon) {
  const std::size_t n = prior.size();
  double best = std::numeric_limits<double>::infinity();
  // Every cut of the points into blocks, and for each block every point to release.
  for (std::uint32_t cuts = 0; cuts < (1u << (n - 1)); ++cuts) {
    std::vector<std::size_t> block(n, 0);
    for (std::size_t p = 1; p < n; ++p) block[p] = block[p - 1] + ((cuts >> (p - 1)) & 1);
    const double blocks = static_cast<double>(block.back() + 1);
    double error = 0;
    for (std::size_t b = 0; b <= block.back(); ++b) {
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t released = 0; released < n; ++released) {
        double cost = 0;
        for (std::size_t p = 0; p < n; ++p)
          cost += prior[p] * (block[p] == b ? std::exp(epsilon) : 1.0) *
                  std::abs(static_cast<double>(p) - static_cast<double>(released));
        least = std::min(least, cost);
      }
      error += least / (std::exp(epsilon) + blocks - 1);
    }
    best = std::min(best, error);
  }
  return best;
}

TEST(BestPartition, ReachesTheKnownFloors) {
  const auto prior = flat(501);
  const std::vector<std::pair<double, double>> floors{
      {1, 106.96}, {2, 78.24}, {5, 22.00}, {10, 1.882}, {20, 0.00017}};
  const std::vector<std::size_t> blocks{2, 3, 12, 143, 501};
  for (std::size_t i = 0; i < floors.size(); ++i) {
    const BlockPartition found = best_partition(prior, {.epsilon = floors[i].first});
    EXPECT_NEAR(found.expected_error, floors[i].second, floors[i].second * 0.03) << floors[i].first;
    EXPECT_EQ(found.first.size(), blocks[i]) << floors[i].first;
    EXPECT_NEAR(found.expected_error, expected_error(found, prior, floors[i].first), 1e-9);
  }
  EXPECT_NEAR(best_partition(prior, {.epsilon = 1}).expected_error, 106.96, 0.005);
  EXPECT_NEAR(best_partition(prior, {.epsilon = 2}).expected_error, 78.24, 0.005);
  EXPECT_NEAR(best_partition(prior, {.epsilon = 5}).expected_error, 22.00, 0.005);
}

TEST(BestPartition, IsTheBestOfAllPartitions) {
  EXPECT_TRUE(rc::check("against every partition of up to 9 points", [] {
    const auto n = static_cast<std::size_t>(*rc::gen::inRange(1, 10));
    std::vector<double> prior(n);
    for (double& share : prior) share = *rc::gen::inRange(0, 20);
    prior[static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(n)))] += 1;
    const double total = std::accumulate(prior.begin(), prior.end(), 0.0);
    for (double& share : prior) share /= total;
    const double epsilon = 0.1 * *rc::gen::inRange(1, 60);
    RC_ASSERT(std::abs(best_partition(prior, {.epsilon = epsilon}).expected_error -
                       brute_force(prior, epsilon)) < 1e-9);
  }));
}

/// The least error of *any* table, by the linear program of kernel/optimal.hpp on the complete relation.
double linear_program(const std::vector<double>& prior, double epsilon) {
  const std::size_t n = prior.size();
  std::vector<kernel::RelatedPair> pairs;
  for (kernel::InputId a = 0; a < n; ++a)
    for (kernel::InputId b = a + 1; b < n; ++b) pairs.push_back({a, b});
  const auto relation = kernel::Relation::policy(n, pairs);
  const auto table =
      kernel::optimal_table({.relation = relation,
                             .epsilon_per_unit = epsilon,
                             .prior = prior,
                             .outputs = n,
                             .loss =
                                 [](std::size_t output, std::span<double> loss) {
                                   for (std::size_t p = 0; p < loss.size(); ++p)
                                     loss[p] = std::abs(static_cast<double>(p) - static_cast<double>(output));
                                 }},
                            {.gap = 1e-7, .threads = 1});
  EXPECT_TRUE(table.converged);
  EXPECT_LE(table.lower_bound, table.loss);
  return table.lower_bound;
}

TEST(BestPartition, NoTableOfTheLinearProgramIsBetter) {
  std::vector<double> skewed(14), two_peaks(14, 0.01);
  for (std::size_t p = 0; p < skewed.size(); ++p) skewed[p] = std::pow(0.7, static_cast<double>(p));
  two_peaks[1] = two_peaks[11] = 1;
  for (auto* prior : {&skewed, &two_peaks}) {
    const double total = std::accumulate(prior->begin(), prior->end(), 0.0);
    for (double& share : *prior) share /= total;
  }
  for (const auto& prior : {flat(14), skewed, two_peaks}) {
    for (const double epsilon : {0.5, 1.5, 3.0}) {
      const double least = linear_program(prior, epsilon);
      const double ours = best_partition(prior, {.epsilon = epsilon}).expected_error;
      EXPECT_NEAR(ours, least, 2e-6 * ours) << epsilon;
    }
  }
}

TEST(BestPartition, ReleasesNothingBelowTheLeast) {
  const std::vector<double> prior{0.9, 0.05, 0.03, 0.02};
  EXPECT_EQ(best_partition(prior, {.epsilon = 3}).released.front(), 0u);
  for (const std::uint32_t point : best_partition(prior, {.epsilon = 3, .least_released = 1}).released)
    EXPECT_GE(point, 1u);
}

TEST(BestPartition, RefusesWhatIsNoPrior) {
  EXPECT_THROW(best_partition({}, {.epsilon = 1}), InvalidOption);
  EXPECT_THROW(best_partition(std::vector<double>(3, 0.0), {.epsilon = 1}), InvalidOption);
  EXPECT_THROW(best_partition(std::vector<double>{1, -1}, {.epsilon = 1}), InvalidOption);
  EXPECT_THROW(best_partition(std::vector<double>{1, std::nan("")}, {.epsilon = 1}), InvalidOption);
  EXPECT_THROW(best_partition(flat(20'001), {.epsilon = 1}), InvalidOption);
  EXPECT_THROW(best_partition(flat(5), {.epsilon = 0}), InvalidOption);
}

Blocks paper_blocks(const privacy::Epsilon& epsilon) {
  return Blocks({.grid = WeightGrid::parse("100:600", "1"), .epsilon = epsilon});
}

TEST(Blocks, IsCertifiedAtEveryEpsilon) {
  for (const char* text : {"1/1000", "0.1", "1", "2", "5", "10", "20", "40", "43", "50", "1000"}) {
    const auto epsilon = privacy::Epsilon::parse(text);
    const Blocks blocks = paper_blocks(epsilon);
    const auto certificate = kernel::certify(kernel::Relation::complete(501),
                                             [&](kernel::InputId point) { return blocks.row(point); });
    EXPECT_TRUE(kernel::holds(certificate, epsilon.value())) << text;
    if (epsilon.value() <= Rational(40)) {
      EXPECT_GT(certificate.loss.low, epsilon.value().to_double() * (1 - 1e-3)) << text;
    }
  }
}

TEST(Blocks, DrawsByItsTable) {
  const Blocks blocks({.grid = WeightGrid::parse("0:9", "1"), .epsilon = privacy::Epsilon{2, 1}});
  ASSERT_GT(blocks.outputs(), 1u);
  const std::vector<std::int64_t> points(200'000, 4);
  std::vector<std::int64_t> drawn(points.size());
  draw_all(blocks, points, random::SeededKey(1), {.threads = 2}, drawn);
  const auto row = blocks.row(4);
  for (std::size_t b = 0; b < blocks.outputs(); ++b) {
    const double share = static_cast<double>(row.weights[b]) / static_cast<double>(row.total);
    const auto seen =
        static_cast<double>(std::count(drawn.begin(), drawn.end(), static_cast<std::int64_t>(b)));
    const double n = static_cast<double>(points.size());
    // Six deviations of a right sampler: once in 10^8 runs, and the seed is fixed.
    EXPECT_NEAR(seen / n, share, 6 * std::sqrt(share * (1 - share) / n)) << b;
    EXPECT_NEAR(std::exp(blocks.log_weight(static_cast<std::int64_t>(b), 4)), share, 1e-12);
  }
}

TEST(Blocks, DrawsTheSameHoweverTheListIsCut) {
  const Blocks blocks = paper_blocks({5, 1});
  std::vector<std::int64_t> points(5000), whole(5000), parts(5000);
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = static_cast<std::int64_t>(i * 7 % 501);
  const random::SeededKey key(3);
  draw_all(blocks, points, key, {.threads = 2}, whole);
  const std::span<const std::int64_t> in(points);
  const std::span<std::int64_t> out(parts);
  draw_all(blocks, in.first(2048), key, {.threads = 1}, out.first(2048));
  draw_all(blocks, in.subspan(2048), key, {.first_edge = 2048, .threads = 1}, out.subspan(2048));
  EXPECT_EQ(whole, parts);
  EXPECT_THROW(draw_all(blocks, in.first(1), key, {.first_edge = 1}, out.first(1)), InvalidOption);
}

TEST(Blocks, PredictsItsErrorAndTheFloor) {
  const Blocks blocks = paper_blocks({5, 1});
  const Prediction flat_prior = blocks.predict({});
  EXPECT_NEAR(flat_prior.expected_error, 22.00, 0.005);
  EXPECT_NEAR(flat_prior.floor.value(), flat_prior.expected_error, 1e-9);
  EXPECT_NEAR(flat_prior.best_constant, 125.2495, 0.001);
  std::vector<double> skewed(501, 0.0);
  skewed[0] = skewed[1] = 0.5;
  const Prediction other = blocks.predict(skewed);
  EXPECT_LT(other.floor.value(), other.expected_error);
  EXPECT_NEAR(other.best_constant, 0.5, 1e-12);
}

TEST(Blocks, ErrsByNoLessThanNothing) {
  for (const std::uint64_t epsilon : {30U, 38U, 39U, 40U, 50U, 100U, 700U}) {
    const Blocks blocks({.grid = WeightGrid::parse("1:40", "1"), .epsilon = {epsilon, 1}});
    EXPECT_GE(blocks.predict({}).expected_error, 0) << epsilon;
    EXPECT_GE(blocks.predict({}).floor.value(), 0) << epsilon;
  }
}

TEST(Blocks, RefusesPointsOffTheGridBeforeDrawing) {
  const Blocks blocks = paper_blocks({1, 1});
  random::Stream noise = random::SeededKey(1).stream("test");
  std::vector<std::int64_t> drawn(2);
  EXPECT_THROW(blocks.draw(std::vector<std::int64_t>{1, 501}, noise, drawn), InvalidOption);
  EXPECT_THROW(blocks.draw(std::vector<std::int64_t>{-1, 1}, noise, drawn), InvalidOption);
  EXPECT_EQ(noise.words_drawn(), 0u);
}

TEST(Blocks, RefusesRangesWithoutAnEnd) {
  EXPECT_THROW(Blocks({.grid = WeightGrid::parse("0:", "1"), .epsilon = privacy::Epsilon{1, 1}}),
               InvalidOption);
  EXPECT_THROW(Blocks({.grid = WeightGrid::parse("0:100000", "1"), .epsilon = privacy::Epsilon{1, 1}}),
               InvalidOption);
}

TEST(Blocks, KeepsZeroOutWhereAsked) {
  std::vector<double> prior{0.9, 0.05, 0.05};
  const auto grid = WeightGrid::parse("0:2", "1");
  const Blocks zero({.grid = grid, .epsilon = privacy::Epsilon{3, 1}, .prior = prior});
  const Blocks positive({.grid = grid, .epsilon = privacy::Epsilon{3, 1}, .prior = prior, .positive = true});
  EXPECT_EQ(zero.weight(0), 0);
  for (std::size_t b = 0; b < positive.outputs(); ++b)
    EXPECT_GE(positive.weight(static_cast<std::int64_t>(b)), 1);
}

}  // namespace
}  // namespace fogline::weights::blocks_test
