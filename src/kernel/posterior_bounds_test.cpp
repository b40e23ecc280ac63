// SPDX-License-Identifier: Apache-2.0
#include "kernel/posterior_bounds.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/test_range_search.hpp"

namespace fogline::kernel::posterior_bounds_test {
namespace {

using Eigen::Index;

/// A lattice of 6 x 7 vertices, 90 m apart, with distances along its streets.
struct Town {
  static constexpr Index columns = 7, size = 42;

  explicit Town(double rate_per_m, std::vector<double> prior_of_vertices)
      : prior(std::move(prior_of_vertices)), weights(size, size), metres(size, size) {
    for (Index u = 0; u < size; ++u)
      for (Index v = 0; v < size; ++v) {
        const auto blocks = std::abs(u / columns - v / columns) + std::abs(u % columns - v % columns);
        metres(u, v) = 90.0 * static_cast<double>(blocks);
        weights(u, v) = std::max(std::exp(-rate_per_m * metres(u, v)), std::ldexp(1.0, -36));
      }
  }
  RangeProblem problem() const { return {prior, weights, metres, metres}; }

  static std::vector<double> even() { return std::vector<double>(size, 1.0 / size); }
  /// Most people live in the south.
  static std::vector<double> uneven() {
    std::vector<double> result;
    for (Index v = 0; v < size; ++v) result.push_back(1.0 / (1.0 + static_cast<double>(v)));
    double sum = 0;
    for (const double share : result) sum += share;
    for (double& share : result) share /= sum;
    return result;
  }

  std::vector<double> prior;
  Table weights, metres;
};

direct::Range whole_range() {
  direct::Range range;
  for (std::uint32_t o = 0; o < Town::size; ++o) range.insert(o);
  return range;
}

double error_without(const Town& town, direct::Range range, std::uint32_t output) {
  range.erase(output);
  return direct::posterior_error(town.problem(), range);
}

TEST(PosteriorBounds, HoldTheExactValueAlsoAfterDrops) {
  for (const auto& prior : {Town::even(), Town::uneven()}) {
    for (const double rate : {0.001, 0.005, 0.03}) {
      SCOPED_TRACE(rate);
      const Town town(rate, prior);
      RangeRows rows(town.problem());
      PosteriorBounds error(rows, town.metres);
      direct::Range range = whole_range();
      EXPECT_NEAR(error.value(), direct::posterior_error(town.problem(), range), 1e-9);
      for (const Index dropped : {3, 11, 12, 30, 41}) {
        for (const std::uint32_t o : range) {
          const PosteriorBounds::Candidate candidate{o, rows.without(o)};
          const double exact = error_without(town, range, o);
          const Interval interval = error.without({candidate}).front();
          EXPECT_LE(interval.low, exact * (1 + 1e-12));
          EXPECT_GE(interval.high, exact * (1 - 1e-12));
          if (error.fresh()) {
            EXPECT_NEAR(error.exactly_without(candidate), exact, 1e-9);
          }
        }
        rows.remove(dropped);
        error.remove(dropped);
        range.erase(static_cast<std::uint32_t>(dropped));
        EXPECT_NEAR(rows.q_loss(), direct::q_loss(town.problem(), range), 1e-9);
      }
    }
  }
}

/// Bounds that say nothing would hold as well: these tell most pairs of candidates apart.
TEST(PosteriorBounds, AreNarrowEnoughToRankCandidates) {
  const Town town(0.005, Town::uneven());
  const RangeRows rows(town.problem());
  const PosteriorBounds error(rows, town.metres);
  std::vector<PosteriorBounds::Candidate> candidates;
  for (Index o = 0; o < Town::size; ++o) candidates.push_back({o, rows.without(o)});
  const std::vector<Interval> bounds = error.without(candidates);
  ASSERT_EQ(bounds.size(), candidates.size());
  int apart = 0, pairs = 0;
  for (std::size_t a = 0; a < bounds.size(); ++a) {
    EXPECT_EQ(bounds[a].low, error.without({candidates[a]}).front().low) << "alone or among others";
    for (std::size_t b = 0; b < a; ++b) {
      ++pairs;
      if (bounds[a].high >= bounds[b].low && bounds[b].high >= bounds[a].low) continue;
      ++apart;
      const bool lower = error.exactly_without(candidates[a]) < error.exactly_without(candidates[b]);
      EXPECT_EQ(bounds[a].high < bounds[b].low, lower) << a << " and " << b;
    }
  }
  EXPECT_GT(apart, pairs / 2);
}

TEST(PosteriorBounds, KnowTheSmallerRangeOnceTheyAreRefreshed) {
  const Town town(0.005, Town::even());
  RangeRows rows(town.problem());
  PosteriorBounds error(rows, town.metres);
  rows.remove(20);
  error.remove(20);
  EXPECT_FALSE(error.fresh());
  error.refresh(rows);
  EXPECT_TRUE(error.fresh());
  direct::Range range = whole_range();
  range.erase(20);
  EXPECT_NEAR(error.value(), direct::posterior_error(town.problem(), range), 1e-9);
  EXPECT_NEAR(error.exactly_without({7, rows.without(7)}), error_without(town, range, 7), 1e-9);
}

}  // namespace
}  // namespace fogline::kernel::posterior_bounds_test
