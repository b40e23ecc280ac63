// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.hpp"

#include <algorithm>
#include <optional>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include "base/error.hpp"
#include "base/handover.hpp"
#include "base/thread_limit.hpp"

namespace fogline {

void parallel_for(std::size_t count, const ParallelOptions& options,
                  const std::function<void(std::size_t, std::size_t)>& body) {
  if (options.threads < 0 || options.threads > 1024) {
    throw InvalidOption("threads", "must lie between 0 (all cores) and 1024");
  }
  if (count == 0) return;
  const int threads = within_thread_limit(options.threads);
  if (threads == 1) return body(0, count);
  Handover begun, ended;
  const Handover::Around call(begun, ended);
  const auto run = [&] {
    oneapi::tbb::parallel_for(
        oneapi::tbb::blocked_range<std::size_t>(0, count, std::max<std::size_t>(1, options.grain)),
        [&](const auto& piece) {
          const Handover::Within work(begun, ended);
          body(piece.begin(), piece.end());
        });
  };
  if (threads == 0) return run();
  // Lifts the library's own limit while we run, so that asking for more threads than cores is honoured and silent. Fewer are the arena's affair: a limit
  // would hold for the whole process.
  using Limit = oneapi::tbb::global_control;
  std::optional<Limit> more;
  if (static_cast<std::size_t>(threads) > Limit::active_value(Limit::max_allowed_parallelism))
    more.emplace(Limit::max_allowed_parallelism, static_cast<std::size_t>(threads));
  oneapi::tbb::task_arena(threads).execute(run);
}

}  // namespace fogline
