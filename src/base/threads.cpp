// SPDX-License-Identifier: Apache-2.0
#include "base/threads.hpp"

#include <algorithm>
#include <cstddef>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include "base/error.hpp"

namespace fogline {

void detail::on_threads(int threads, const std::function<void()>& work) {
  if (threads < 0 || threads > 1024)
    throw InvalidOption("threads", "must lie between 0 (all cores) and 1024");
  if (threads == 0) return work();
  // An arena of more threads than the process may have makes oneTBB complain on standard error. To lift that limit is for whoever owns the process: it would hold for all
  // that runs beside this, where the least of all such wishes counts.
  using Limit = oneapi::tbb::global_control;
  const std::size_t most = Limit::active_value(Limit::max_allowed_parallelism);
  const auto at_most = static_cast<int>(std::min(static_cast<std::size_t>(threads), most));
  oneapi::tbb::task_arena(at_most).execute([&] { work(); });
}

int threads_at_hand() {
  return oneapi::tbb::this_task_arena::max_concurrency();
}

}  // namespace fogline
