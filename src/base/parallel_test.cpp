// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/progress.hpp"

namespace fogline::parallel_test {
namespace {

TEST(ParallelFor, CoversEveryIndexOnceWhateverTheThreads) {
  for (const int threads : {0, 1, 2, 7}) {
    std::vector<int> visits(10'000);
    parallel_for(visits.size(), {.threads = threads, .grain = 16}, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) ++visits[i];
    });
    EXPECT_EQ(std::count(visits.begin(), visits.end(), 1), 10'000) << threads << " threads";
  }
}

TEST(ParallelFor, HandsOnTheExceptionAndChecksItsOptions) {
  EXPECT_THROW(parallel_for(100, {.threads = 2}, [](std::size_t, std::size_t) { throw Cancelled(); }),
               Cancelled);
  EXPECT_THROW(parallel_for(1, {.threads = -1}, [](std::size_t, std::size_t) {}), InvalidOption);
  parallel_for(0, {}, [](std::size_t, std::size_t) { FAIL() << "no piece to work on"; });
}

TEST(ProgressMeter, ReportsFirstAndLastAndStopsWhenAsked) {
  std::vector<std::uint64_t> seen;
  const Progress watch = [&](const ProgressUpdate& update) {
    seen.push_back(update.done);
    return update.done < 60;
  };
  ProgressMeter meter(watch, "counting", 100, 10);
  EXPECT_THROW(
      {
        for (int i = 0; i < 100; ++i) meter.advance();
      },
      Cancelled);
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(seen.front(), 0U);
  EXPECT_GE(seen.back(), 60U);
  EXPECT_LT(seen.size(), 12U);
}

}  // namespace
}  // namespace fogline::parallel_test
