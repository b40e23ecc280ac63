// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

namespace fogline {

struct PipelineOptions {
  int threads = 0;  ///< 0 (all cores) to 1,024
};

namespace detail {
void run_pipeline(const PipelineOptions& options, const std::function<std::shared_ptr<void>()>& next,
                  const std::function<void(void*)>& work, const std::function<void(void*)>& done);
}

/// Items one after another from `next`, worked on by many threads, and handed to `done` one after another in the same order. A few items are
/// in memory at a time, however many there are.
///
///     run_pipeline<Batch>({.threads = 2}, [&] { return reader.next(); },      // a shared_ptr<Batch>; null at the end
///                         [&](Batch& batch) { work_on(batch); }, [&](Batch& batch) { write(batch); });
///
/// The first exception of any stage ends the run and is thrown again here. Which of several is first depends on the threads: work that may fail for
/// reasons a user should see keeps its failure in the item, and `done` throws it.
template <class Item>
void run_pipeline(const PipelineOptions& options, const std::function<std::shared_ptr<Item>()>& next,
                  const std::function<void(Item&)>& work, const std::function<void(Item&)>& done) {
  detail::run_pipeline(
      options, [&]() -> std::shared_ptr<void> { return next(); },
      [&](void* item) { work(*static_cast<Item*>(item)); },
      [&](void* item) { done(*static_cast<Item*>(item)); });
}

}  // namespace fogline
