// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

namespace fogline {

namespace detail {
void on_threads(int threads, const std::function<void()>& work);
}

/// Does `work` on this thread, and lets it call at most `threads` threads to its side, this one counted: all that asks for "all cores" while
/// it lasts gets so many. For whoever was told how many to use, and calls what cannot be told.
///
///     Outcome done = on_threads(listener.threads(), [&] { return release(request, caller); });
///
/// Nothing else in the process is limited: other threads may do the same with other numbers. Work within that asks for a number of its own gets
/// it. Nobody gets more than the process may have: as many as the machine has cores, unless whoever owns the process has lifted that (oneTBB's global_control,
/// max_allowed_parallelism; cli/ does). What a library starts by itself when it is loaded is not counted, nor are the two threads by which libosmium reads a file.
/// `threads` is 1 to 1,024, or 0 for as many as there are; throws InvalidOption, and whatever `work` throws.
template <class Work>
auto on_threads(int threads, const Work& work) {
  using Result = std::invoke_result_t<const Work&>;
  if constexpr (std::is_void_v<Result>) {
    detail::on_threads(threads, work);
  } else {
    std::optional<Result> result;
    detail::on_threads(threads, [&] { result.emplace(work()); });
    return Result(std::move(*result));
  }
}

/// How many threads "all cores" means here: those of on_threads() or of the parallel work we are in, or as many as the machine has.
int threads_at_hand();

}  // namespace fogline
