// SPDX-License-Identifier: Apache-2.0
#include "io/numbers.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace fogline::io {
namespace {

TEST(Numbers, EveryFiniteDoubleComesBackFromItsShortestForm) {
  EXPECT_TRUE(rc::check([](double number) { RC_ASSERT(parse_double(fmt::format("{}", number)) == number); }));
}

TEST(Numbers, EveryIntegerComesBack) {
  EXPECT_TRUE(
      rc::check([](std::int64_t number) { RC_ASSERT(parse_int64(std::to_string(number)) == number); }));
  EXPECT_TRUE(
      rc::check([](std::uint64_t number) { RC_ASSERT(parse_uint64(std::to_string(number)) == number); }));
}

TEST(Numbers, WhatIsNotOneFiniteNumberIsRefused) {
  for (const char* text : {"", " ", "nan", "NaN", "inf", "-inf", "infinity", "1e999", "0x10", "1.5 ", " 1.5",
                           "+1", "1,5", "1.5x", "--1", "1e", "."}) {
    EXPECT_FALSE(parse_double(text)) << text;
    EXPECT_FALSE(parse_int64(text)) << text;
  }
  EXPECT_FALSE(parse_int64("9223372036854775808"));
  EXPECT_FALSE(parse_int64("1.0"));
  EXPECT_FALSE(parse_uint64("-1"));
  EXPECT_FALSE(parse_uint64("18446744073709551616"));
}

TEST(Numbers, TrimTakesBlanksAndTabsAtBothEnds) {
  EXPECT_EQ(trim(" \t a b\t "), "a b");
  EXPECT_EQ(trim("  "), "");
  EXPECT_EQ(trim(""), "");
}

}  // namespace
}  // namespace fogline::io
