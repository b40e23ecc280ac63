// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.hpp"

#include <algorithm>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include "base/error.hpp"
#include "base/handover.hpp"
#include "base/threads.hpp"

namespace fogline {

void parallel_for(std::size_t count, const ParallelOptions& options,
                  const std::function<void(std::size_t, std::size_t)>& body) {
  if (options.threads < 0 || options.threads > 1024) {
    throw InvalidOption("threads", "must lie between 0 (all cores) and 1024");
  }
  if (count == 0) return;
  if (options.threads == 1 || (options.threads == 0 && threads_at_hand() == 1)) return body(0, count);
  Handover begun, ended;
  const Handover::Around call(begun, ended);
  on_threads(options.threads, [&] {
    oneapi::tbb::parallel_for(
        oneapi::tbb::blocked_range<std::size_t>(0, count, std::max<std::size_t>(1, options.grain)),
        [&](const auto& piece) {
          const Handover::Within work(begun, ended);
          body(piece.begin(), piece.end());
        });
  });
}

}  // namespace fogline
