// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace fogline::service {

/// A thread for work that may wait, in the order in which it was asked for.
class Worker {
 public:
  Worker();
  ~Worker();  ///< stop()
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  bool run(
      std::function<void()> work);  ///< false: too much waits, or it was stopped. The work must not throw
  void stop();                      ///< does what was asked before, and ends

  static constexpr std::size_t most_waiting = 4'096;

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable asked_;
  std::deque<std::function<void()>> waiting_;
  bool is_stopped_ = false;
  std::thread thread_;
};

}  // namespace fogline::service
