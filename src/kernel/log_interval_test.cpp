// SPDX-License-Identifier: Apache-2.0
#include "kernel/log_interval.hpp"

#include <gtest/gtest.h>

namespace fogline::kernel::log_interval_test {
namespace {

TEST(LogInterval, HoldsTheLogarithmBothWays) {
  const Uint128 one = 1;
  for (int power = 0; power < 127; ++power) {
    const LogInterval up = log_ratio(one << power, 1), down = log_ratio(1, one << power);
    const Real truth = static_cast<Real>(power) * 0.693147180559945309417232121458176568L;
    EXPECT_LE(up.low, truth);
    EXPECT_GE(up.high, truth);
    EXPECT_LE(down.low, truth);
    EXPECT_GE(down.high, truth);
    EXPECT_LT(up.high - up.low, 0x1p-56L * (1 + truth));
  }
}

TEST(LogInterval, SeesAChangeInTheSixtiethBit) {
  const Uint128 large = Uint128{1} << 100, step = Uint128{1} << 46;
  EXPECT_EQ(log_ratio(large, large).low, 0);
  EXPECT_GT(log_ratio(large + step, large).low, 0x1p-55L);
  EXPECT_GE(log_ratio(large + step, large).high, 0x1p-54L);
}

}  // namespace
}  // namespace fogline::kernel::log_interval_test
