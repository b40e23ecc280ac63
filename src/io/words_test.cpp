// SPDX-License-Identifier: Apache-2.0
#include "io/words.hpp"

#include <array>

#include <gtest/gtest.h>

namespace fogline::io {
namespace {

TEST(Words, CutsAtBlanksAndCountsWhatDoesNotFit) {
  std::array<std::string_view, 2> word;
  EXPECT_EQ(split_words("", word), 0U);
  EXPECT_EQ(split_words(" \t ", word), 0U);
  EXPECT_EQ(split_words("\ta  b\t", word), 2U);
  EXPECT_EQ(word[0], "a");
  EXPECT_EQ(word[1], "b");
  EXPECT_EQ(split_words("1 2 3 4", word), 4U);
  EXPECT_EQ(word[1], "2");
}

}  // namespace
}  // namespace fogline::io
