// SPDX-License-Identifier: Apache-2.0
#include "io/repeat_finder.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::io::repeat_finder_test {
namespace {

using Numbers = std::vector<std::uint64_t>;

TEST(RepeatFinder, FindsWhatOccursTwice) {
  RepeatFinder finder({});
  finder.add(Numbers{5, ~std::uint64_t{0}, 7});
  finder.add(Numbers{7, 9, ~std::uint64_t{0}, 7});
  EXPECT_EQ(finder.repeats(), (Numbers{7, ~std::uint64_t{0}}));
}

TEST(RepeatFinder, FindsNothingInNothing) {
  RepeatFinder finder({});
  EXPECT_TRUE(finder.repeats().empty());
  EXPECT_THROW(RepeatFinder({.most_in_memory = 1}), InvalidOption);
}

TEST(RepeatFinder, FindsTheSameThroughAFile) {
  std::mt19937_64 numbers(1);  // invented numbers, no noise
  Numbers all(20'000);
  for (auto& number : all) number = numbers();
  all[19'000] = all[3];
  all[12'345] = all[12'344];
  Numbers expected{all[3], all[12'344]};
  std::sort(expected.begin(), expected.end());
  for (const std::uint64_t memory : {1'000u, 7'000u, 1'000'000u}) {
    RepeatFinder finder({.most_in_memory = memory, .threads = 2});
    for (std::size_t i = 0; i < all.size(); i += 500) finder.add(std::span(all).subspan(i, 500));
    EXPECT_EQ(finder.repeats(), expected) << memory;
  }
}

}  // namespace
}  // namespace fogline::io::repeat_finder_test
