// SPDX-License-Identifier: Apache-2.0
#include "io/numbers.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace fogline::io::numbers_test {
namespace {

TEST(Numbers, EveryFiniteDoubleComesBackFromItsShortestForm) {
  EXPECT_TRUE(rc::check([](double number) { RC_ASSERT(parse_double(fmt::format("{}", number)) == number); }));
}

TEST(Numbers, ShortDecimalsAreTheNearestDoubles) {
  EXPECT_TRUE(rc::check([](std::int32_t whole, std::uint32_t part) {
    for (const int decimals : {1, 3, 6}) {
      const std::string text = fmt::format(
          "{}.{:0{}}", whole, part % static_cast<std::uint32_t>(std::pow(10, decimals)), decimals);
      double expected = 0;
      const auto end = text.data() + text.size();
      RC_ASSERT(std::from_chars(text.data(), end, expected).ptr == end);
      RC_ASSERT(parse_double(text) == expected);
    }
  }));
  EXPECT_TRUE(std::signbit(*parse_double("-0.0")));
  EXPECT_EQ(parse_double("1."), 1);
  EXPECT_EQ(parse_double(".5"), 0.5);
  for (const char* text : {"1.2.3", "-", "-.", "1-2", "1.-2", "--1.0"})
    EXPECT_FALSE(parse_double(text)) << text;
}

TEST(Numbers, FixedDecimalsReadBackAsWritten) {
  EXPECT_TRUE(rc::check([](std::int32_t tenths) {
    const double value = tenths / 10.0;
    std::string text;
    append_fixed(text, value, 1);
    RC_ASSERT(parse_double(text) == value);
    RC_ASSERT(text == fmt::format("{:.1f}", value));
    std::string long_text;
    append_fixed(long_text, tenths / 1e7, 6);
    RC_ASSERT(std::abs(*parse_double(long_text) - tenths / 1e7) <= 0.5000001e-6);
  }));
  const auto written = [](double value, unsigned decimals) {
    std::string text = "x";
    append_fixed(text, value, decimals);
    return text;
  };
  EXPECT_EQ(written(-0.04, 1), "x0.0");
  EXPECT_EQ(written(-0.06, 1), "x-0.1");
  EXPECT_EQ(written(0.999999999, 6), "x1.000000");
  EXPECT_EQ(written(116.3974565, 6).size(), 11U);
  EXPECT_EQ(written(2.5e17, 1), "x250000000000000000.0");
  EXPECT_EQ(written(7, 0), "x7");
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
}  // namespace fogline::io::numbers_test
