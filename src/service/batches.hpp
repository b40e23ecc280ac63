// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "release/serving.hpp"

namespace fogline::service {

/// Collects questions of many connections and has them answered together: one charge is then one write to the disk for all of them. Answers leave at ticks of the
/// clock, all of a batch at once: how long one was computed, which could tell of its position, is not seen.
///
///     Batches batches(serving, {.tick = std::chrono::milliseconds(4)});
///     batches.ask(question, [respond](release::Serving::Answer answer, std::exception_ptr failed) { ... });
class Batches {
 public:
  struct Options {
    std::chrono::milliseconds tick{4};
    std::size_t most = 512;       ///< positions in a batch, or one list that is longer
    std::size_t waiting = 8'192;  ///< positions that wait; over it ask() refuses
  };
  struct Counts {
    std::uint64_t batches = 0, questions = 0, charged = 0;
    double busy_s = 0;  ///< in whole ticks: less would tell what ticks are to hide
  };
  /// An answer, or why there is none for the whole batch. Called from a thread of its own; must return soon, and must not throw.
  using Done = std::function<void(release::Serving::Answer, std::exception_ptr)>;

  /// The serving is asked from one thread, and outlives it.
  Batches(release::Serving& serving, const Options& options);
  ~Batches();  ///< stop()
  Batches(const Batches&) = delete;
  Batches& operator=(const Batches&) = delete;

  bool ask(release::Serving::Question question, Done done);  ///< false: too many wait, or it was stopped
  void stop();                                               ///< answers what was asked before, and ends
  Counts counts() const;

 private:
  struct Waiting {
    release::Serving::Question question;
    Done done;
  };
  using Clock = std::chrono::steady_clock;
  void run();
  void answer(std::vector<Waiting> batch);
  Clock::time_point next_tick() const;

  release::Serving& serving_;
  Options options_;
  mutable std::mutex mutex_;
  std::condition_variable asked_;
  std::vector<Waiting> waiting_;
  std::size_t positions_ = 0;  // that wait
  Counts counts_;
  bool is_stopped_ = false;
  std::thread thread_;
};

}  // namespace fogline::service
