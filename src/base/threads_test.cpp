// SPDX-License-Identifier: Apache-2.0
#include "base/threads.hpp"

#include <algorithm>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

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

/// As whoever owns the process may: tests count threads, and a machine may have fewer cores.
class OnThreads : public testing::Test {
  Limit eight_{Limit::max_allowed_parallelism, 8};
};

/// Those that were seen at work, how many of them at once, and the least and the largest limit of the process that they saw.
struct Seen {
  std::set<std::thread::id> threads;
  std::size_t most_at_once = 0;
  std::size_t least_limit = limit_of_the_process(), largest_limit = limit_of_the_process();

  void take_part() {
    come();
    std::this_thread::yield();
    const std::lock_guard lock(adding);
    --at_once;
  }

 private:
  void come() {
    const std::lock_guard lock(adding);
    threads.insert(std::this_thread::get_id());
    most_at_once = std::max(most_at_once, ++at_once);
    least_limit = std::min(least_limit, limit_of_the_process());
    largest_limit = std::max(largest_limit, limit_of_the_process());
  }

  std::size_t at_once = 0;
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

TEST_F(OnThreads, HoldsForWhateverAsksForAllCores) {
  for (const int threads : {1, 2, 3}) {
    Seen seen;
    on_threads(threads, [&] {
      EXPECT_EQ(threads_at_hand(), threads);
      work(0, seen);
    });
    EXPECT_LE(seen.most_at_once, static_cast<std::size_t>(threads));
  }
  Seen alone;
  on_threads(1, [&] { work(0, alone); });
  EXPECT_EQ(alone.threads, std::set{std::this_thread::get_id()});
}

TEST_F(OnThreads, EndsWithTheWork) {
  const int before = threads_at_hand();
  EXPECT_THROW(on_threads(1, [] { throw std::runtime_error("whatever"); }), std::runtime_error);
  EXPECT_EQ(threads_at_hand(), before);
  on_threads(1, [&] { on_threads(0, [] { EXPECT_EQ(threads_at_hand(), 1); }); });
  on_threads(1, [&] { on_threads(3, [] { EXPECT_EQ(threads_at_hand(), 3); }); });
  EXPECT_EQ(threads_at_hand(), before);
}

/// A release on two threads beside one on eight: the first must not hold the second back. Nor may one that asks for more than there are, which oneTBB
/// would tell on standard error.
TEST_F(OnThreads, LimitsNothingElseInTheProcess) {
  testing::internal::CaptureStderr();
  for (const int threads : {1, 2, 9, 1024}) {
    Seen seen;
    work(threads, seen);
    on_threads(threads, [&] {
      EXPECT_EQ(threads_at_hand(), std::min(threads, 8));
      work(0, seen);
    });
    EXPECT_EQ(seen.least_limit, 8U) << threads;
    EXPECT_EQ(seen.largest_limit, 8U) << threads;
  }
  const int all = threads_at_hand();
  on_threads(1, [&] { std::thread([&] { EXPECT_EQ(threads_at_hand(), all); }).join(); });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

/// Whoever asks first for more threads than cores must not decide for who asks beside it: where nobody lifted the limit of the process, it stays.
TEST(OnThreadsOfAnyProcess, MayBeMoreThanCoresAtOnceAndLimitNobody) {
  const std::size_t cores = limit_of_the_process();
  std::vector<Seen> seen(2);
  std::vector<std::thread> beside;
  testing::internal::CaptureStderr();
  for (const std::size_t i : {0U, 1U})
    beside.emplace_back([&, i] {
      const int threads = static_cast<int>(cores + 1 + 2 * i);
      on_threads(threads, [&] { work(0, seen[i]); });
      work(threads, seen[i]);
    });
  for (std::thread& one : beside) one.join();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  for (const Seen& of_one : seen) {
    EXPECT_EQ(of_one.least_limit, cores);
    EXPECT_EQ(of_one.largest_limit, cores);
  }
}

TEST_F(OnThreads, RefusesNumbersOutsideItsRange) {
  EXPECT_THROW(on_threads(-1, [] {}), InvalidOption);
  EXPECT_THROW(on_threads(1025, [] {}), InvalidOption);
}

}  // namespace
}  // namespace fogline::threads_test
