// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>

namespace fogline {

/// How far a long task is. `total` is 0 while unknown.
struct ProgressUpdate {
  std::string task;
  std::uint64_t done = 0;
  std::uint64_t total = 0;
};

/// Called now and then, from any thread, one call at a time. Returning false asks the task to stop; it then
/// throws Cancelled. An empty function means: nobody is watching. An exception out of it ends the task too, and
/// is what the task throws.
using Progress = std::function<bool(const ProgressUpdate&)>;

/// Asked by what waits for somebody else, many times a second: false asks to stop. An empty function means: wait.
using Wanted = std::function<bool()>;

/// Counts work from many threads and forwards at most about `reports` updates in all to a Progress: so many that the next
/// is near even where a unit of work takes a second, so few that they cost nothing beside the work.
///
///     ProgressMeter meter(progress, "releasing", points.size());
///     parallel_for(points.size(), threads, [&](size_t begin, size_t end) { ...; meter.advance(end - begin);
///     });
///
/// Cost: one relaxed atomic addition per advance().
class ProgressMeter {
 public:
  ProgressMeter(const Progress& progress, std::string task, std::uint64_t total,
                std::uint64_t reports = 100'000);

  /// Throws Cancelled when the watcher asked to stop, and what the watcher threw, on every thread from then on.
  void advance(std::uint64_t amount = 1);
  void finish();  ///< reports done == total once

 private:
  void report(std::uint64_t done);
  void stop(std::exception_ptr failure);

  const Progress& progress_;
  std::string task_;
  std::uint64_t total_;
  std::uint64_t step_;
  std::atomic<std::uint64_t> done_{0};
  std::atomic<std::uint64_t> next_report_{0};
  std::atomic<bool> cancelled_{false};
  std::exception_ptr failure_;  // what the watcher threw; written before cancelled_ is set, once
  std::atomic_flag reporting_;
};

/// Asks the watcher once, without counting: for a loop whose steps are long and few. Throws Cancelled.
void require_wanted(const Progress& progress, const std::string& task);

}  // namespace fogline
