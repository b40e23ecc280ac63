// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fogline::weights {

/// Sums over a row of numbers, block by block: level 0 is the numbers themselves, level 1 blocks of `branching` of them, level 2 blocks of branching^2, ...,
/// as long as a level has more than `branching` blocks below it. Each number is in one block of each level.
///
///     BlockHierarchy blocks(1000, 10);                        // levels of 1,000, 100 and 10 blocks
///     std::vector<std::int64_t> sums = blocks.sums(numbers);  // 1,110 of them, level by level
///     std::vector<double> best = blocks.fitted(noisy_sums);   // 1,000 numbers
///
/// fitted() is the least-squares estimate of the numbers from equally noisy sums: unbiased, and of all linear ones the one whose
/// sums have the least variance. Two passes over the blocks (Hay, Rastogi, Miklau, Suciu 2010, for blocks of any size).
/// Limits: 1 or more numbers; branching 2 or more. Cost: linear.
class BlockHierarchy {
 public:
  BlockHierarchy(std::size_t length, std::size_t branching);

  std::size_t levels() const { return level_sizes_.size(); }
  std::size_t blocks() const { return blocks_; }

  std::vector<std::int64_t> sums(std::span<const std::int64_t> numbers) const;
  std::vector<double> fitted(std::span<const double> noisy_sums) const;

 private:
  std::size_t branching_;
  std::vector<std::size_t> level_sizes_;
  std::vector<std::size_t> first_;  // block of each level
  std::size_t blocks_ = 0;
};

/// The branching of least mean variance of the sum between any two places of a row, where every level gets the same part of the budget. Found by
/// trying some on noise from a fixed seed; depends on the length alone. The length itself, hence one level, where that is best.
std::size_t best_branching(std::size_t length);

}  // namespace fogline::weights
