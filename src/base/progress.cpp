// SPDX-License-Identifier: Apache-2.0
#include "base/progress.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace fogline {

ProgressMeter::ProgressMeter(const Progress& progress, std::string task, std::uint64_t total,
                             std::uint64_t reports)
    : progress_(progress),
      task_(std::move(task)),
      total_(total),
      step_(std::max<std::uint64_t>(1, total / std::max<std::uint64_t>(1, reports))) {
  if (progress_) report(0);
}

void ProgressMeter::advance(std::uint64_t amount) {
  if (!progress_) return;
  const std::uint64_t done = done_.fetch_add(amount, std::memory_order_relaxed) + amount;
  if (done >= next_report_.load(std::memory_order_relaxed)) report(done);
  if (!cancelled_.load(std::memory_order_acquire)) return;
  if (failure_) std::rethrow_exception(failure_);
  throw Cancelled();
}

void ProgressMeter::finish() {
  if (progress_) report(total_);
}

void ProgressMeter::report(std::uint64_t done) {
  // Whoever finds another thread reporting leaves it to that thread: the next step is never far.
  if (reporting_.test_and_set(std::memory_order_acquire)) return;
  next_report_.store(done + step_, std::memory_order_relaxed);
  try {
    if (!progress_({task_, done, total_})) stop(nullptr);
  } catch (...) {  // thrown on, here and out of advance() on the other threads, which would work on unheard
    stop(std::current_exception());
    reporting_.clear(std::memory_order_release);
    throw;
  }
  reporting_.clear(std::memory_order_release);
}

void ProgressMeter::stop(std::exception_ptr failure) {
  if (cancelled_.load(std::memory_order_relaxed)) return;  // other threads may be reading the first failure
  failure_ = std::move(failure);
  cancelled_.store(true, std::memory_order_release);
}

void require_wanted(const Progress& progress, const std::string& task) {
  if (progress && !progress({task, 0, 0})) throw Cancelled();
}

}  // namespace fogline
