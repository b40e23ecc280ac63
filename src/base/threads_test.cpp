// SPDX-License-Identifier: Apache-2.0
#include "base/threads.hpp"

#include <algorithm>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/pipeline.hpp"

namespace fogline::threads_test {
namespace {

using Limit = oneapi::tbb::global_control;

std::size_t limit_of_the_process() {
  return Limit::active_value(Limit::max_allowed_parallelism);
}

/// Those that were seen at work, and the least limit of the process that they saw.
struct Seen {
  std::set<std::thread::id> threads;
  std::size_t least_limit = limit_of_the_process();

  void take_part() {
    const std::lock_guard lock(adding);
    threads.insert(std::this_thread::get_id());
    least_limit = std::min(least_limit, limit_of_the_process());
    std::this_thread::yield();
  }

 private:
  std::mutex adding;
};

/// Work of both sorts that asks for `threads`.
void work(int threads, Seen& seen) {
  parallel_for(2'000, {.threads = threads}, [&](std::size_t, std::size_t) { seen.take_part(); });
  int items = 0;
  run_pipeline<int>(
      {.threads = threads},
      [&] { return items++ < 500 ? std::make_shared<int>(items) : std::shared_ptr<int>(); },
      [&](int&) { seen.take_part(); }, [&](int&) { seen.take_part(); });
}

TEST(OnThreads, HoldsForWhateverAsksForAllCores) {
  for (const int threads : {1, 2, 3}) {
    Seen seen;
    on_threads(threads, [&] {
      EXPECT_EQ(threads_at_hand(), threads);
      work(0, seen);
    });
    EXPECT_LE(seen.threads.size(), static_cast<std::size_t>(threads));
  }
  Seen alone;
  on_threads(1, [&] { work(0, alone); });
  EXPECT_EQ(alone.threads, std::set{std::this_thread::get_id()});
}

TEST(OnThreads, EndsWithTheWork) {
  const int before = threads_at_hand();
  EXPECT_THROW(on_threads(1, [] { throw std::runtime_error("whatever"); }), std::runtime_error);
  EXPECT_EQ(threads_at_hand(), before);
  on_threads(1, [&] { on_threads(0, [] { EXPECT_EQ(threads_at_hand(), 1); }); });
  on_threads(1, [&] { on_threads(3, [] { EXPECT_EQ(threads_at_hand(), 3); }); });
  EXPECT_EQ(threads_at_hand(), before);
}

/// A release on two threads beside one on eight: the first must not hold the second back.
TEST(OnThreads, LimitsNothingElseInTheProcess) {
  const Limit eight(Limit::max_allowed_parallelism, 8);
  for (const int threads : {1, 2}) {
    Seen seen;
    work(threads, seen);
    on_threads(threads, [&] { work(0, seen); });
    EXPECT_EQ(seen.least_limit, 8U) << threads;
  }
  const int all = threads_at_hand();
  on_threads(1, [&] { std::thread([&] { EXPECT_EQ(threads_at_hand(), all); }).join(); });
}

TEST(OnThreads, RefusesNumbersOutsideItsRange) {
  EXPECT_THROW(on_threads(-1, [] {}), InvalidOption);
  EXPECT_THROW(on_threads(1025, [] {}), InvalidOption);
}

}  // namespace
}  // namespace fogline::threads_test
