// SPDX-License-Identifier: Apache-2.0
#include "base/pipeline.hpp"

#include <algorithm>
#include <thread>
#include <vector>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include "base/error.hpp"

namespace fogline::detail {

void run_pipeline(const PipelineOptions& options, const std::function<std::shared_ptr<void>()>& next,
                  const std::function<void(void*)>& work, const std::function<void(void*)>& done) {
  namespace tbb = oneapi::tbb;
  using Item = std::shared_ptr<void>;
  if (options.threads < 0 || options.threads > 1024)
    throw InvalidOption("threads", "must lie between 0 (all cores) and 1024");
  if (options.threads == 1) {
    while (Item item = next()) {
      work(item.get());
      done(item.get());
    }
    return;
  }
  const auto threads = options.threads > 0 ? static_cast<std::size_t>(options.threads)
                                           : std::max<std::size_t>(1, std::thread::hardware_concurrency());
  // The library may drop what is under way when a stage throws, so it is handed bare pointers and the items live here. They leave in the order
  // in which they came: by the time a slot's turn comes again, its last item has been done.
  std::vector<Item> slots(4 * threads);
  std::size_t given = 0;
  const auto run = [&] {
    tbb::parallel_pipeline(
        slots.size(),
        tbb::make_filter<void, Item*>(tbb::filter_mode::serial_in_order, [&](tbb::flow_control& control) {
          Item& slot = slots[given++ % slots.size()];
          slot = next();
          if (!slot) control.stop();
          return &slot;
        }) & tbb::make_filter<Item*, Item*>(tbb::filter_mode::parallel, [&](Item* slot) {
          work(slot->get());
          return slot;
        }) & tbb::make_filter<Item*, void>(tbb::filter_mode::serial_in_order, [&](Item* slot) {
          done(slot->get());
          slot->reset();
        }));
  };
  // Lifts the library's own limit while we run, so that asking for more threads than cores is honoured and silent.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena(static_cast<int>(threads)).execute(run);
}

}  // namespace fogline::detail
