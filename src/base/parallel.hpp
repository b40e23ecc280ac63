// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace fogline {

/// Calls body(begin, end) on pieces that cover 0..count, on at most `threads` threads (0: as many as the
/// machine has). The first exception a piece throws is thrown again here. Results must not depend on the cut:
/// give each index its own random stream and its own slot of the output.
///
///     parallel_for(points.size(), {.threads = 2}, [&](std::size_t begin, std::size_t end) { ... });
struct ParallelOptions {
  int threads = 0;        ///< 0 (all cores) to 1,024
  std::size_t grain = 1;  ///< smallest piece worth handing to a thread, at least 1
};

void parallel_for(std::size_t count, const ParallelOptions& options,
                  const std::function<void(std::size_t begin, std::size_t end)>& body);

}  // namespace fogline
