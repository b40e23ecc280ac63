// SPDX-License-Identifier: Apache-2.0
#include "io/words.hpp"

#include <array>

#include <gtest/gtest.h>

namespace fogline::io::words_test {
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

TEST(Words, LowerCaseLeavesOtherBytesAlone) {
  EXPECT_EQ(lower_case("Taxi-ID \xC3\x84"), "taxi-id \xC3\x84");
  EXPECT_EQ(name_for_suffix("a/Trips.CSV.GZ"), "a/trips.csv");
  EXPECT_EQ(name_for_suffix("trips"), "trips");
}

}  // namespace
}  // namespace fogline::io::words_test
