// SPDX-License-Identifier: Apache-2.0
#include "weights/distances/block_hierarchy.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "random/key.hpp"

namespace fogline::weights {
namespace {

/// Noise of variance 1 whose law does not matter, since estimates are linear: one bit.
std::vector<double> coin_noise(std::size_t count, random::Stream& coins) {
  std::vector<double> noise(count);
  for (double& value : noise) value = coins.next_bit() ? 1 : -1;
  return noise;
}

/// Mean square of the difference of any two partial sums.
double mean_square_between(std::span<const double> numbers) {
  double at = 0, sum = 0, squares = 0;
  for (const double number : numbers) {
    at += number;
    sum += at;
    squares += at * at;
  }
  const double places = static_cast<double>(numbers.size()) + 1;
  return 2 * (places * squares - sum * sum) / (places * (places - 1));
}

/// With a budget that is divided evenly over the levels, noise grows with their number.
double mean_variance(std::size_t length, std::size_t branching) {
  // Enough to tell branchings apart where it matters; of those alike any will do. Chosen, not derived.
  constexpr int tries = 64;
  const BlockHierarchy blocks(length, branching);
  random::Stream coins = random::SeededKey(1).stream("branching");
  double sum = 0;
  for (int i = 0; i < tries; ++i)
    sum += mean_square_between(blocks.fitted(coin_noise(blocks.blocks(), coins)));
  const auto levels = static_cast<double>(blocks.levels());
  return levels * levels * sum / tries;
}

}  // namespace

BlockHierarchy::BlockHierarchy(std::size_t length, std::size_t branching) : branching_(branching) {
  if (length == 0) throw InvalidOption("length", "must be at least 1");
  if (branching < 2 && length > 1) throw InvalidOption("branching", "must be at least 2");
  for (std::size_t size = length;; size = (size + branching - 1) / branching) {
    level_sizes_.push_back(size);
    first_.push_back(blocks_);
    blocks_ += size;
    if (size <= branching) break;
  }
}

std::vector<std::int64_t> BlockHierarchy::sums(std::span<const std::int64_t> numbers) const {
  if (numbers.size() != level_sizes_[0]) throw InvalidOption("numbers", "must be as many as the row is long");
  std::vector<std::int64_t> result(numbers.begin(), numbers.end());
  result.resize(blocks_);
  for (std::size_t level = 1; level < levels(); ++level)
    for (std::size_t i = 0; i < level_sizes_[level - 1]; ++i)
      result[first_[level] + i / branching_] += result[first_[level - 1] + i];
  return result;
}

std::vector<double> BlockHierarchy::fitted(std::span<const double> noisy_sums) const {
  if (noisy_sums.size() != blocks_) throw InvalidOption("noisy_sums", "must be as many as there are blocks");
  // Upwards: the best estimate of each block from itself and the blocks in it, and its variance.
  std::vector<double> best(noisy_sums.begin(), noisy_sums.end());
  std::vector<double> variance(blocks_, 1), inner_sum(blocks_, 0), inner_variance(blocks_, 0);
  for (std::size_t level = 1; level < levels(); ++level) {
    for (std::size_t i = 0; i < level_sizes_[level - 1]; ++i) {
      const std::size_t block = first_[level] + i / branching_, inner = first_[level - 1] + i;
      inner_sum[block] += best[inner];
      inner_variance[block] += variance[inner];
    }
    for (std::size_t block = first_[level]; block < first_[level] + level_sizes_[level]; ++block) {
      variance[block] = inner_variance[block] / (1 + inner_variance[block]);
      best[block] = variance[block] * (best[block] + inner_sum[block] / inner_variance[block]);
    }
  }
  // Downwards: what a block differs from the sum of its inner blocks is theirs, in proportion to their variance.
  for (std::size_t level = levels() - 1; level > 0; --level) {
    for (std::size_t i = 0; i < level_sizes_[level - 1]; ++i) {
      const std::size_t block = first_[level] + i / branching_, inner = first_[level - 1] + i;
      best[inner] += variance[inner] / inner_variance[block] * (best[block] - inner_sum[block]);
    }
  }
  best.resize(level_sizes_[0]);
  return best;
}

std::size_t best_branching(std::size_t length) {
  // Each a third to a half more than the one before. Chosen, not derived.
  constexpr std::array<std::size_t, 13> tried{2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128};
  std::size_t best = std::max<std::size_t>(length, 2);
  double least = mean_variance(length, best);
  for (const std::size_t branching : tried) {
    if (branching >= length) break;
    const double variance = mean_variance(length, branching);
    if (variance < least) {
      least = variance;
      best = branching;
    }
  }
  return best;
}

}  // namespace fogline::weights
