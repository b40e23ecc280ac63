// SPDX-License-Identifier: Apache-2.0
#include "kernel/metric_tail.hpp"

#include <gtest/gtest.h>

namespace fogline::kernel::metric_tail_test {
namespace {

//      block      tail
//   0 --- 1 ---+--- 2 --- 3
//              +--- 4
MetricTail two_twigs() {
  MetricTail tail(2);
  tail.add(20, 1, 0.5);   // 2
  tail.add(30, 2, 0.25);  // 3
  tail.add(40, 1, 0.1);   // 4
  return tail;
}

TEST(MetricTail, FallsOffFromItsParents) {
  std::vector<double> numbers{3, 8, 0, 0, 0};
  two_twigs().scatter(numbers);
  EXPECT_EQ(numbers, (std::vector<double>{3, 8, 4, 1, 0.8}));
}

TEST(MetricTail, GathersWhatHangsOnTheBlock) {
  std::vector<double> numbers{1, 1, 10, 100, 1000};
  two_twigs().gather(numbers.data());
  EXPECT_EQ(numbers[0], 1);
  EXPECT_EQ(numbers[1], 1 + 0.5 * (10 + 0.25 * 100) + 0.1 * 1000);
}

/// What rows get from columns, and what columns are charged by rows, are transposes: conjugate gradients need that.
TEST(MetricTail, BothWaysAreTransposes) {
  const MetricTail tail = two_twigs();
  std::vector<double> column{2, 7, 0, 0, 0}, charge{5, 3, 11, 13, 17}, gathered = charge;
  tail.scatter(column);
  tail.gather(gathered.data());
  double inside = 0, all = 0;
  for (std::size_t i = 0; i < 2; ++i) inside += column[i] * gathered[i];
  for (std::size_t i = 0; i < 5; ++i) all += column[i] * charge[i];
  EXPECT_DOUBLE_EQ(inside, all);
}

TEST(MetricTail, KnowsItsInputs) {
  const MetricTail tail = two_twigs();
  EXPECT_EQ(tail.size(), 3);
  EXPECT_EQ(tail.whole(), 5);
  EXPECT_EQ(tail.input(1), 30);
}

}  // namespace
}  // namespace fogline::kernel::metric_tail_test
