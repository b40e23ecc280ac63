// SPDX-License-Identifier: Apache-2.0
#include "base/progress.hpp"

#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace fogline::progress_test {
namespace {

TEST(ProgressMeter, ThrowsCancelledOnceTheWatcherAskedToStop) {
  const Progress progress = [](const ProgressUpdate& update) { return update.done < 3; };
  ProgressMeter meter(progress, "counting", 10);
  meter.advance();
  meter.advance();
  EXPECT_THROW(meter.advance(), Cancelled);
  EXPECT_THROW(meter.advance(), Cancelled);
}

TEST(ProgressMeter, TakesAnExceptionOfTheWatcherForAWishToStop) {
  int calls = 0;
  const Progress progress = [&](const ProgressUpdate& update) {
    ++calls;
    if (update.done == 3) throw std::runtime_error("the window was closed");
    return true;
  };
  ProgressMeter meter(progress, "counting", 10);
  meter.advance(2);
  EXPECT_THROW(meter.advance(), std::runtime_error);
  EXPECT_EQ(calls, 3);
  // Any thread that comes later hears of it too.
  std::thread([&] { EXPECT_THROW(meter.advance(), std::runtime_error); }).join();
}

TEST(ProgressMeter, EndsTheWorkOfAllThreadsWithTheExceptionOfTheWatcher) {
  const Progress progress = [](const ProgressUpdate& update) -> bool {
    if (update.done > 0) throw std::runtime_error("the window was closed");
    return true;
  };
  ProgressMeter meter(progress, "counting", 1'000'000);
  EXPECT_THROW(parallel_for(4, {.threads = 4},
                            [&](std::size_t, std::size_t) {
                              for (;;) meter.advance();  // ends by an exception or never
                            }),
               std::runtime_error);
}

TEST(ProgressMeter, GoesOnReportingAfterARefusal) {
  int calls = 0;
  const Progress progress = [&](const ProgressUpdate&) {
    ++calls;
    return false;
  };
  ProgressMeter meter(progress, "counting", 2);
  EXPECT_THROW(meter.advance(), Cancelled);
  meter.finish();
  EXPECT_EQ(calls, 3);
}

TEST(RequireWanted, AsksOnce) {
  EXPECT_NO_THROW(require_wanted({}, "waiting"));
  EXPECT_NO_THROW(require_wanted([](const ProgressUpdate&) { return true; }, "waiting"));
  EXPECT_THROW(require_wanted([](const ProgressUpdate&) { return false; }, "waiting"), Cancelled);
}

}  // namespace
}  // namespace fogline::progress_test
