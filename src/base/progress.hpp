// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
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
/// throws Cancelled. An empty function means: nobody is watching.
using Progress = std::function<bool(const ProgressUpdate&)>;

/// Counts work from many threads and forwards about `reports` updates in all to a Progress.
///
///     ProgressMeter meter(progress, "releasing", points.size());
///     parallel_for(points.size(), threads, [&](size_t begin, size_t end) { ...; meter.advance(end - begin);
///     });
///
/// Cost: one relaxed atomic addition per advance().
class ProgressMeter {
 public:
  ProgressMeter(const Progress& progress, std::string task, std::uint64_t total, std::uint64_t reports = 500);

  void advance(std::uint64_t amount = 1);  ///< throws Cancelled when the watcher asked to stop
  void finish();                           ///< reports done == total once

 private:
  void report(std::uint64_t done);

  const Progress& progress_;
  std::string task_;
  std::uint64_t total_;
  std::uint64_t step_;
  std::atomic<std::uint64_t> done_{0};
  std::atomic<std::uint64_t> next_report_{0};
  std::atomic<bool> cancelled_{false};
  std::atomic_flag reporting_;
};

}  // namespace fogline
