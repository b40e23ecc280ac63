// SPDX-License-Identifier: Apache-2.0
#include "base/handover.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/parallel.hpp"
#include "base/pipeline.hpp"

namespace fogline::handover_test {
namespace {

TEST(Handover, WhatPiecesWriteTheCallerMayRead) {
  for (int again = 0; again < 20; ++again) {
    std::vector<int> written(5'000, again), items;
    parallel_for(written.size(), {.threads = 4, .grain = 8}, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) written[i] += static_cast<int>(i);
    });
    EXPECT_EQ(std::accumulate(written.begin(), written.end(), 0), 4'999 * 2'500 + 5'000 * again);
    int given = 0;
    run_pipeline<std::vector<int>>(
        {.threads = 4},
        [&] { return given++ < 100 ? std::make_shared<std::vector<int>>(50, given) : nullptr; },
        [](std::vector<int>& item) { item.resize(60, 7); },
        [&](std::vector<int>& item) { items.insert(items.end(), item.begin(), item.end()); });
    EXPECT_EQ(items.size(), 6'000U);
  }
}

#ifdef FOGLINE_SEES_THREADS
/// Waits, for a while, until another thread has come here too. Orders nothing between the two.
void meet(std::atomic<int>& present) {
  present.fetch_add(1, std::memory_order_relaxed);
  const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (present.load(std::memory_order_relaxed) < 2 && std::chrono::steady_clock::now() < latest)
    std::this_thread::yield();
}

// A build that finds no race anywhere would pass every test: it must find those that are planted here.
TEST(HandoverDeathTest, ARaceBetweenPiecesIsFound) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto race = [] {
    std::atomic<int> present{0};
    int counter = 0;
    parallel_for(2, {.threads = 4}, [&](std::size_t, std::size_t) {
      meet(present);
      ++counter;
    });
    parallel_for(1'000, {.threads = 4}, [&](std::size_t, std::size_t) { ++counter; });
  };
  EXPECT_DEATH(race(), "data race");
}

TEST(HandoverDeathTest, ARaceBetweenItemsOfAPipelineIsFound) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto race = [] {
    std::atomic<int> present{0};
    int counter = 0, given = 0;
    run_pipeline<int>(
        {.threads = 4}, [&] { return given < 1'000 ? std::make_shared<int>(given++) : nullptr; },
        [&](int&) {
          meet(present);
          ++counter;
        },
        [](int&) {});
  };
  EXPECT_DEATH(race(), "data race");
}
#endif

}  // namespace
}  // namespace fogline::handover_test
