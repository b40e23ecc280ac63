// SPDX-License-Identifier: Apache-2.0
#include "base/thread_limit.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

#include "base/error.hpp"

namespace fogline {
namespace {

// Of the whole process, like the cores it is about. TBB has a limit too, but complains to standard error about those
// who ask for more.
std::atomic<int> limit_in_force{0};

}  // namespace

ThreadLimit::ThreadLimit(int threads) : before_(limit_in_force) {
  if (threads < 0 || threads > 1024)
    throw InvalidOption("threads", "must lie between 0 (all cores) and 1024");
  limit_in_force = threads == 0 ? before_ : within_thread_limit(threads);
}

ThreadLimit::~ThreadLimit() {
  limit_in_force = before_;
}

int within_thread_limit(int threads) {
  const int limit = limit_in_force;
  if (limit == 0 || threads == 0) return std::max(limit, threads);
  return std::min(limit, threads);
}

int allowed_threads() {
  const int limit = limit_in_force;
  return limit > 0 ? limit : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace fogline
