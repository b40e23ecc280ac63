// SPDX-License-Identifier: Apache-2.0
#include "report/ticks.hpp"

#include <cstdint>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace fogline::report::ticks_test {
namespace {

TEST(Ticks, AreRoundNumbers) {
  EXPECT_EQ(ticks(0, 10, 6, false), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(ticks(-1, 1, 6, false), (std::vector<double>{-1, -0.5, 0, 0.5, 1}));
  EXPECT_EQ(ticks(130, 290, 6, false), (std::vector<double>{150, 200, 250}));
  EXPECT_EQ(ticks(1, 100, 6, true), (std::vector<double>{1, 2, 5, 10, 20, 50, 100}));
  EXPECT_EQ(ticks(1, 1e6, 6, true), (std::vector<double>{1, 10, 100, 1000, 1e4, 1e5, 1e6}));
  EXPECT_EQ(ticks(3, 4, 6, true).size(), 6u);  // 3, 3.2 and so on
}

TEST(Ticks, LieWithinAndAreAFewWhateverTheRange) {
  EXPECT_TRUE(rc::check([](std::int32_t from, std::uint16_t more) {
    const double low = from / 100.0, high = low + 0.01 + more / 10.0;
    const auto found = ticks(low, high, 6, false);
    RC_ASSERT(!found.empty() && found.size() <= 8);
    RC_ASSERT(found.front() >= low - 1e-6 && found.back() <= high + 1e-6);
  }));
}

}  // namespace
}  // namespace fogline::report::ticks_test
