// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fogline::weights {

/// A range of points cut into blocks, each with the point that is released for it.
struct BlockPartition {
  std::vector<std::uint32_t> first = {};     ///< of each block, increasing from 0
  std::vector<std::uint32_t> released = {};  ///< of each block: a point
  double expected_error = 0;                 ///< in points, under the prior it was made for, scaled to 1
};

struct PartitionOptions {
  double epsilon = 0;                ///< above 0
  std::uint32_t least_released = 0;  ///< no smaller point is released; below the number of points
};

/// The partition of least expected absolute error for randomised response between blocks: with T blocks, the true one is reported with
/// probability e^epsilon / (T - 1 + e^epsilon) and each other one with probability 1 / (T - 1 + e^epsilon), and the block's point is
/// released.
///
///     BlockPartition flat = best_partition(std::vector<double>(501, 1.0), {.epsilon = 5});
///     flat.first.size();          // 12 blocks
///     flat.expected_error;        // 22.00
///
/// Exact up to rounding: over all cuts, all T and all points to release. It is the optimum of *all* tables that keep epsilon between any
/// two points (docs/mechanisms/blocks.md has the proof), hence a floor for independent weights.
///
/// How    The objective is a ratio, the sum of the blocks' costs over 1 + (T - 1) e^-epsilon. Dinkelbach's iteration turns it into sums with a price for
///        each block, and a sum over consecutive blocks is least by a dynamic program over where the last one begins.
/// Limits 1 to 20,000 points; a prior of 0 or more, not all 0, in any scale. Throws InvalidOption otherwise.
/// Cost   O(points^2) time a round and O(points) memory; 3 to 8 rounds.
inline constexpr std::size_t most_partition_points = 20'000;  // some seconds a round
BlockPartition best_partition(std::span<const double> prior, const PartitionOptions& options);

/// The expected error of a partition, in points, under a prior: what best_partition makes least.
double expected_error(const BlockPartition& partition, std::span<const double> prior, double epsilon);

}  // namespace fogline::weights
