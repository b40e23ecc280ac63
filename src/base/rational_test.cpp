// SPDX-License-Identifier: Apache-2.0
#include "base/rational.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace fogline::rational_test {
namespace {

TEST(Rational, TenTenthsAreOne) {
  Rational sum;
  for (int i = 0; i < 10; ++i) sum = sum + *Rational::parse("0.1");
  EXPECT_EQ(sum, Rational(1));
}

TEST(Rational, ReadsDecimalsFractionsAndPowersExactly) {
  EXPECT_EQ(Rational::parse("0.01"), Rational(1, 100));
  EXPECT_EQ(Rational::parse("2.50e-1"), Rational(1, 4));
  EXPECT_EQ(Rational::parse("1e3"), Rational(1000));
  EXPECT_EQ(Rational::parse("7/10"), Rational(7, 10));
  EXPECT_EQ(Rational::parse(".5"), Rational(1, 2));
  EXPECT_EQ(Rational::parse("0"), Rational());
  EXPECT_EQ(Rational::parse("0.0"), Rational());
}

TEST(Rational, RefusesWhatIsNotANonNegativeNumber) {
  for (const char* text : {"",    ".",     "-1",    "+1", "nan", "inf",  "1e",    "1/0",
                           "1/",  "/2",    "0x10",  " 1", "1 ",  "1e99", "1.2.3", "99999999999999999999",
                           "1,5", "1e--2", "1e+-2", "--1"}) {
    EXPECT_EQ(Rational::parse(text), std::nullopt) << text;
  }
}

TEST(Rational, OverflowIsAnErrorAndNeverWraps) {
  const Rational large(~std::uint64_t{0});
  EXPECT_THROW(large + large, Rational::Overflow);
  EXPECT_THROW(large * 2, Rational::Overflow);
  EXPECT_THROW(Rational(1, ~std::uint64_t{0}) / 2, Rational::Overflow);
  EXPECT_THROW(Rational(1) - Rational(2), Rational::Overflow);
}

TEST(Rational, TextRoundTripsAndOrderFollowsValue) {
  EXPECT_EQ(Rational(1, 3).to_string(), "1/3");
  EXPECT_EQ(Rational(1, 100).to_string(), "0.01");
  EXPECT_EQ(Rational(1234, 10).to_string(), "123.4");
  // 25 decimal digits would be exact, but too many to be read back.
  const Rational long_decimal((std::uint64_t{1} << 60) + 1, 1024);
  EXPECT_EQ(long_decimal.to_string(), "1152921504606846977/1024");
  EXPECT_EQ(Rational::parse(long_decimal.to_string()), long_decimal);
  EXPECT_TRUE(rc::check("parse(to_string(x)) == x", [] {
    const auto numerator = *rc::gen::inRange<std::uint64_t>(0, 1'000'000'000);
    const auto denominator = *rc::gen::inRange<std::uint64_t>(1, 1'000'000'000);
    const Rational value(numerator, denominator);
    RC_ASSERT(Rational::parse(value.to_string()) == value);
    RC_ASSERT((value <=> Rational(1)) == (numerator <=> denominator));
  }));
}

TEST(Rational, ComparesWithDoublesExactly) {
  constexpr std::uint64_t largest = ~std::uint64_t{0};
  EXPECT_TRUE(at_most(0, Rational(0)));
  EXPECT_TRUE(at_most(-1, Rational(0)));
  EXPECT_FALSE(at_most(1e-300, Rational(0)));
  EXPECT_TRUE(at_most(1e-300, Rational(1, largest)));
  EXPECT_TRUE(at_most(0.5, Rational(1, 2)));
  EXPECT_FALSE(at_most(std::nextafter(0.5, 1), Rational(1, 2)));
  EXPECT_TRUE(at_most(3, Rational(3)));
  EXPECT_FALSE(at_most(std::nextafter(3.0, 4), Rational(3)));
  // The double nearest to a tenth is above it, the one nearest to three tenths below.
  EXPECT_FALSE(at_most(0.1, Rational(1, 10)));
  EXPECT_TRUE(at_most(std::nextafter(0.1, 0), Rational(1, 10)));
  EXPECT_TRUE(at_most(0.3, Rational(3, 10)));
  EXPECT_TRUE(at_most(0x1p63, Rational(largest)));
  EXPECT_FALSE(at_most(0x1p64, Rational(largest)));
  EXPECT_FALSE(at_most(1e300, Rational(largest)));
  EXPECT_TRUE(at_most(0x1p-64, Rational(1, largest)));  // 1/2^64 is below 1/(2^64 - 1)
  EXPECT_FALSE(at_most(std::nextafter(0x1p-64, 1), Rational(1, largest)));
  EXPECT_FALSE(at_most(std::numeric_limits<double>::infinity(), Rational(largest)));
  EXPECT_FALSE(at_most(std::nan(""), Rational(1)));
}

}  // namespace
}  // namespace fogline::rational_test
