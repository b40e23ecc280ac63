// SPDX-License-Identifier: Apache-2.0
#include "base/threads.hpp"

#include <cstddef>
#include <optional>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include "base/error.hpp"

namespace fogline {

void detail::on_threads(int threads, const std::function<void()>& work) {
  if (threads < 0 || threads > 1024)
    throw InvalidOption("threads", "must lie between 0 (all cores) and 1024");
  if (threads == 0) return work();
  // Lifts the library's own limit while we run, so that asking for more threads than cores is honoured and silent. Fewer are the arena's affair: a limit
  // would hold for the whole process.
  using Limit = oneapi::tbb::global_control;
  std::optional<Limit> more;
  if (static_cast<std::size_t>(threads) > Limit::active_value(Limit::max_allowed_parallelism))
    more.emplace(Limit::max_allowed_parallelism, static_cast<std::size_t>(threads));
  oneapi::tbb::task_arena(threads).execute([&] { work(); });
}

int threads_at_hand() {
  return oneapi::tbb::this_task_arena::max_concurrency();
}

}  // namespace fogline
