// SPDX-License-Identifier: Apache-2.0
#include "base/pipeline.hpp"

#include <algorithm>
#include <thread>

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
  const auto run = [&] {
    tbb::parallel_pipeline(
        4 * threads,
        tbb::make_filter<void, Item>(tbb::filter_mode::serial_in_order, [&](tbb::flow_control& control) {
          Item item = next();
          if (!item) control.stop();
          return item;
        }) & tbb::make_filter<Item, Item>(tbb::filter_mode::parallel, [&](Item item) {
          work(item.get());
          return item;
        }) & tbb::make_filter<Item, void>(tbb::filter_mode::serial_in_order, [&](const Item& item) {
          done(item.get());
        }));
  };
  // Lifts the library's own limit while we run, so that asking for more threads than cores is honoured and silent.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena(static_cast<int>(threads)).execute(run);
}

}  // namespace fogline::detail
