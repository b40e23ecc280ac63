// SPDX-License-Identifier: Apache-2.0
#include "audit/engine/bins.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace fogline::audit::bins_test {
namespace {

TEST(Bins, GiveFrequentValuesTheirOwnBin) {
  std::vector<double> values(1000, 3.0);
  for (int i = 0; i < 500; ++i) values.push_back(i / 100.0);
  const Bins bins(values, true);
  const auto three = bins.of(3);
  EXPECT_NE(bins.of(std::nextafter(3.0, 0)), three);
  EXPECT_NE(bins.of(std::nextafter(3.0, 9)), three);
  EXPECT_EQ(bins.words(three, "x"), "x = 3");
  const Bins alone(std::vector<double>(9, 0.0), true);
  EXPECT_EQ(alone.threshold_words(0, true, "x"), "x >= 0");
  EXPECT_EQ(alone.words(0, "x"), "x < 0");
}

TEST(Bins, KeepOrderAndCoverEverything) {
  EXPECT_TRUE(rc::check([](const std::vector<int>& integers) {
    const std::vector<double> values(integers.begin(), integers.end());
    const Bins bins(values, true);
    RC_ASSERT(bins.count() <= 4002);
    for (const double a : values) {
      RC_ASSERT(bins.of(a) < bins.beyond());
      for (const double b : values) RC_ASSERT(a > b || bins.of(a) <= bins.of(b));
    }
    RC_ASSERT(bins.of(std::numeric_limits<double>::quiet_NaN()) == bins.not_a_number());
    RC_ASSERT(bins.of(std::numeric_limits<double>::infinity()) <= bins.beyond());
  }));
}

TEST(Bins, AreFinerTowardsTheEnds) {
  std::vector<double> values;
  for (int i = 0; i < 30'000; ++i) values.push_back(i);
  const Bins bins(values, true);
  EXPECT_NE(bins.of(1), bins.of(0));
  EXPECT_NE(bins.of(29'999), bins.of(29'998));
  EXPECT_EQ(bins.of(15'000), bins.of(15'001));
  EXPECT_GT(bins.count(), 300);
  EXPECT_LT(bins.count(), 600);
}

TEST(Bins, WithoutOrderKnowOnlyFrequentValues) {
  std::vector<double> values(50, 7.0);
  for (int i = 100; i < 200; ++i) values.push_back(i);
  const Bins bins(values, false);
  EXPECT_EQ(bins.count(), 3);
  EXPECT_EQ(bins.of(7), 0);
  EXPECT_EQ(bins.of(6.5), bins.beyond());
  EXPECT_EQ(bins.of(150), bins.beyond());
}

TEST(Bins, TellAboutThemselves) {
  const Bins bins({1, 2, 3, 4}, true);
  EXPECT_EQ(bins.words(0, "x"), "x <= 1");
  EXPECT_EQ(bins.words(1, "x"), "1 < x <= 2");
  EXPECT_EQ(bins.words(bins.beyond(), "x"), "x > 4");
  EXPECT_EQ(bins.words(bins.not_a_number(), "x"), "x is missing or not a number");
  EXPECT_EQ(bins.threshold_words(1, true, "x"), "x > 2");
  EXPECT_EQ(bins.threshold_words(1, false, "x"), "x <= 2");
}

}  // namespace
}  // namespace fogline::audit::bins_test
