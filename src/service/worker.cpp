// SPDX-License-Identifier: Apache-2.0
#include "service/worker.hpp"

#include <utility>

namespace fogline::service {

Worker::Worker() : thread_([this] { work(); }) {}

Worker::~Worker() {
  stop();
}

bool Worker::run(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    if (is_stopped_ || waiting_.size() >= most_waiting) return false;
    waiting_.push_back(std::move(work));
  }
  asked_.notify_one();
  return true;
}

void Worker::stop() {
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  asked_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Worker::work() {
  while (true) {
    std::function<void()> next;
    {
      std::unique_lock lock(mutex_);
      asked_.wait(lock, [this] { return is_stopped_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      next = std::move(waiting_.front());
      waiting_.pop_front();
    }
    next();
  }
}

}  // namespace fogline::service
