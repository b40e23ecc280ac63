// SPDX-License-Identifier: Apache-2.0
#include "kernel/weight_row.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::kernel::weight_row_test {
namespace {

TEST(WeightRow, IsADistributionIfItsTotalIsTheSum) {
  EXPECT_NO_THROW(require_distribution({{1, 0, 2}, 3}, 0));
  EXPECT_NO_THROW(require_distribution({{Uint128{1} << 127, (Uint128{1} << 127) - 1}, ~Uint128{0}}, 0));
  EXPECT_THROW(require_distribution({{1, 2}, 4}, 0), InvalidOption);
  EXPECT_THROW(require_distribution({{1, 2}, 0}, 0), InvalidOption);
  EXPECT_THROW(require_distribution({{0, 0}, 0}, 0), InvalidOption);
  EXPECT_THROW(require_distribution({{}, 0}, 0), InvalidOption);
}

TEST(WeightRow, MayNotWrapAround) {
  // 2^127 + 2^127 + 5 is 5 in 128 bits.
  EXPECT_THROW(require_distribution({{Uint128{1} << 127, Uint128{1} << 127, 5}, 5}, 0), InvalidOption);
}

}  // namespace
}  // namespace fogline::kernel::weight_row_test
