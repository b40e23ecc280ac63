// SPDX-License-Identifier: Apache-2.0
#include "weights/mechanisms/partition.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::weights::partition_test {
namespace {

/// Of all cuts of a range, and of all points that a block may release: tried one by one. Which point is best for a block depends on no other block.
double least_error(const std::vector<double>& prior, double epsilon, std::uint32_t least_released) {
  const auto points = static_cast<std::uint32_t>(prior.size());
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t cuts = 0; cuts < 1U << (points - 1); ++cuts) {
    BlockPartition tried{.first = {0}};
    for (std::uint32_t p = 1; p < points; ++p)
      if ((cuts >> (p - 1) & 1) != 0) tried.first.push_back(p);
    tried.released.assign(tried.first.size(), least_released);
    for (std::uint32_t& released : tried.released) {
      std::uint32_t best = least_released;
      double best_error = std::numeric_limits<double>::infinity();
      for (released = least_released; released < points; ++released) {
        const double error = expected_error(tried, prior, epsilon);
        if (error < best_error) {
          best_error = error;
          best = released;
        }
      }
      released = best;
    }
    least = std::min(least, expected_error(tried, prior, epsilon));
  }
  return least;
}

TEST(BestPartition, IsNoWorseThanAnyOther) {
  const std::vector<std::vector<double>> priors{
      {1, 1, 1, 1, 1, 1, 1}, {5, 3, 1, 1, 0, 0, 2}, {0, 0, 1, 0, 0, 0, 9}, {1, 0, 0, 0, 0, 0, 1}};
  for (const std::vector<double>& prior : priors)
    for (const double epsilon : {0.1, 1.0, 2.5, 6.0})
      for (const std::uint32_t least_released : {0U, 1U, 3U}) {
        const BlockPartition best =
            best_partition(prior, {.epsilon = epsilon, .least_released = least_released});
        EXPECT_NEAR(best.expected_error, least_error(prior, epsilon, least_released), 1e-9) << epsilon;
        EXPECT_NEAR(expected_error(best, prior, epsilon), best.expected_error, 1e-9) << epsilon;
        for (const std::uint32_t released : best.released) EXPECT_GE(released, least_released);
      }
}

TEST(BestPartition, IsOneBlockWithoutBudgetAndEveryPointWithMuch) {
  const std::vector<double> flat(9, 1.0);
  const BlockPartition none = best_partition(flat, {.epsilon = 1e-6});
  EXPECT_EQ(none.first, (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(none.released, (std::vector<std::uint32_t>{4})) << "the median";
  const BlockPartition all = best_partition(flat, {.epsilon = 30});
  EXPECT_EQ(all.first.size(), flat.size());
  EXPECT_EQ(all.first, all.released);
}

TEST(BestPartition, IsTheOneOfTheManual) {
  const BlockPartition flat = best_partition(std::vector<double>(501, 1.0), {.epsilon = 5});
  EXPECT_EQ(flat.first.size(), 12U);
  EXPECT_NEAR(flat.expected_error, 22.00, 0.005);
}

TEST(BestPartition, RefusesWhatIsNoPrior) {
  const PartitionOptions some{.epsilon = 1};
  EXPECT_THROW(best_partition({}, some), InvalidOption);
  EXPECT_THROW(best_partition(std::vector<double>(3), some), InvalidOption);
  EXPECT_THROW(best_partition(std::vector<double>{1, -1}, some), InvalidOption);
  EXPECT_THROW(best_partition(std::vector<double>(most_partition_points + 1, 1.0), some), InvalidOption);
  EXPECT_THROW(best_partition(std::vector<double>{1, 1}, {.epsilon = 0}), InvalidOption);
  EXPECT_THROW(best_partition(std::vector<double>{1, 1}, {.epsilon = 1, .least_released = 2}), InvalidOption);
}

}  // namespace
}  // namespace fogline::weights::partition_test
