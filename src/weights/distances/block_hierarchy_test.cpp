// SPDX-License-Identifier: Apache-2.0
#include "weights/distances/block_hierarchy.hpp"

#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"

namespace fogline::weights::block_hierarchy_test {
namespace {

using Numbers = std::vector<std::int64_t>;

std::vector<double> doubles(const Numbers& numbers) {
  return {numbers.begin(), numbers.end()};
}

TEST(BlockHierarchy, AddsUpBlocks) {
  const BlockHierarchy blocks(7, 3);
  EXPECT_EQ(blocks.levels(), 2U);
  EXPECT_EQ(blocks.sums(Numbers{1, 2, 3, 4, 5, 6, 7}), (Numbers{1, 2, 3, 4, 5, 6, 7, 6, 15, 7}));
  EXPECT_EQ(BlockHierarchy(9, 3).levels(), 2U);
  EXPECT_EQ(BlockHierarchy(10, 3).levels(), 3U);
  EXPECT_EQ(BlockHierarchy(3, 3).levels(), 1U);
  EXPECT_EQ(BlockHierarchy(1, 1).blocks(), 1U);
}

TEST(BlockHierarchy, WithoutNoiseGivesTheNumbersBack) {
  EXPECT_TRUE(rc::check([](std::uint8_t length, std::uint8_t branching) {
    Numbers numbers(length + std::size_t{1});
    std::iota(numbers.begin(), numbers.end(), -20);
    const BlockHierarchy blocks(numbers.size(), branching % 9 + std::size_t{2});
    const auto fitted = blocks.fitted(doubles(blocks.sums(numbers)));
    for (std::size_t i = 0; i < numbers.size(); ++i)
      RC_ASSERT(std::abs(fitted[i] - static_cast<double>(numbers[i])) < 1e-8);
  }));
}

TEST(BlockHierarchy, FitsByLeastSquares) {
  // Three numbers in a block of two and a block of one: x + y = 9 is said to be 12, z is said to be 5 and then 8.
  const std::vector<double> fitted = BlockHierarchy(3, 2).fitted(std::vector<double>{4, 5, 5, 12, 8});
  EXPECT_NEAR(fitted[0], 5, 1e-12);
  EXPECT_NEAR(fitted[1], 6, 1e-12);
  EXPECT_NEAR(fitted[2], 6.5, 1e-12);
}

TEST(BlockHierarchy, TheNormalEquationsHold) {
  // The residuals of every number's blocks add up to 0.
  constexpr std::size_t length = 23, branching = 3;
  const BlockHierarchy blocks(length, branching);
  std::vector<double> said(blocks.blocks());
  for (std::size_t i = 0; i < said.size(); ++i) said[i] = static_cast<double>(i * i % 17);
  const std::vector<double> fitted = blocks.fitted(said);
  for (std::size_t i = 0; i < length; ++i) {
    double residuals = 0;
    std::size_t first = 0, size = length, width = 1;
    for (std::size_t level = 0; level < blocks.levels(); ++level) {
      const std::size_t block = i / width;
      double sum = 0;
      for (std::size_t j = block * width; j < std::min(length, (block + 1) * width); ++j) sum += fitted[j];
      residuals += said[first + block] - sum;
      first += size;
      size = (size + branching - 1) / branching;
      width *= branching;
    }
    EXPECT_NEAR(residuals, 0, 1e-9);
  }
}

TEST(BlockHierarchy, ShortRowsAreNotCut) {
  EXPECT_EQ(best_branching(1), 2U);
  EXPECT_EQ(best_branching(10), 10U);
  EXPECT_LT(best_branching(1000), 100U);
  EXPECT_GT(best_branching(1000), 4U);
}

TEST(BlockHierarchy, RefusesBadInput) {
  EXPECT_THROW(BlockHierarchy(0, 2), InvalidOption);
  EXPECT_THROW(BlockHierarchy(5, 1), InvalidOption);
  EXPECT_THROW(BlockHierarchy(5, 2).sums(Numbers{1}), InvalidOption);
  EXPECT_THROW(BlockHierarchy(5, 2).fitted(std::vector<double>(5)), InvalidOption);
}

}  // namespace
}  // namespace fogline::weights::block_hierarchy_test
