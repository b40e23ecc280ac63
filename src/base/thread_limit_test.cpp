// SPDX-License-Identifier: Apache-2.0
#include "base/thread_limit.hpp"

#include <mutex>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/pipeline.hpp"

namespace fogline::thread_limit_test {
namespace {

/// The threads that take part in work which asks for `threads`.
std::size_t threads_taking_part(int threads) {
  std::set<std::thread::id> seen;
  std::mutex adding;
  const auto take_part = [&] {
    const std::lock_guard lock(adding);
    seen.insert(std::this_thread::get_id());
    std::this_thread::yield();
  };
  parallel_for(2'000, {.threads = threads}, [&](std::size_t, std::size_t) { take_part(); });
  int items = 0;
  run_pipeline<int>(
      {.threads = threads},
      [&] { return items++ < 500 ? std::make_shared<int>(items) : std::shared_ptr<int>(); },
      [&](int&) { take_part(); }, [](int&) {});
  return seen.size();
}

TEST(ThreadLimit, HoldsForWhoeverAsksForMore) {
  const ThreadLimit limit(1);
  for (const int asked : {0, 1, 2, 7}) EXPECT_EQ(threads_taking_part(asked), 1U) << asked;
  EXPECT_EQ(allowed_threads(), 1);
}

TEST(ThreadLimit, TheLowestHoldsAndEndsWithItsScope) {
  const int before = allowed_threads();
  {
    const ThreadLimit wide(3), narrow(2), none(0);
    EXPECT_EQ(allowed_threads(), 2);
    EXPECT_LE(threads_taking_part(0), 2U);
  }
  EXPECT_EQ(allowed_threads(), before);
}

TEST(ThreadLimit, RefusesNumbersOutsideItsRange) {
  EXPECT_THROW(ThreadLimit(-1), InvalidOption);
  EXPECT_THROW(ThreadLimit(1025), InvalidOption);
}

}  // namespace
}  // namespace fogline::thread_limit_test
