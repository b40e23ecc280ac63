// SPDX-License-Identifier: Apache-2.0
#include "base/pipeline.hpp"

#include <vector>

#include <oneapi/tbb/parallel_pipeline.h>

#include "base/error.hpp"
#include "base/handover.hpp"
#include "base/threads.hpp"

namespace fogline::detail {

void run_pipeline(const PipelineOptions& options, const std::function<std::shared_ptr<void>()>& next,
                  const std::function<void(void*)>& work, const std::function<void(void*)>& done) {
  namespace tbb = oneapi::tbb;
  using Item = std::shared_ptr<void>;
  if (options.threads < 0 || options.threads > 1024)
    throw InvalidOption("threads", "must lie between 0 (all cores) and 1024");
  const int threads = options.threads > 0 ? options.threads : threads_at_hand();
  if (threads == 1) {
    while (Item item = next()) {
      work(item.get());
      done(item.get());
    }
    return;
  }
  // The library may drop what is under way when a stage throws, so it is handed bare pointers and the items live here. They leave in the order
  // in which they came: by the time a slot's turn comes again, its last item has been done.
  struct Slot {
    Item item;
    Handover handed_on;  // from stage to stage, and to the next item
  };
  std::vector<Slot> slots(4 * static_cast<std::size_t>(threads));
  std::size_t given = 0;
  Handover begun, ended, last_given, last_done;
  const Handover::Around call(begun, ended);
  on_threads(threads, [&] {
    tbb::parallel_pipeline(
        slots.size(),
        tbb::make_filter<void, Slot*>(tbb::filter_mode::serial_in_order, [&](tbb::flow_control& control) {
          const Handover::Within stage(begun, ended), turn(last_given, last_given);
          Slot& slot = slots[given++ % slots.size()];
          const Handover::Within use(slot.handed_on, slot.handed_on);
          slot.item = next();
          if (!slot.item) control.stop();
          return &slot;
        }) & tbb::make_filter<Slot*, Slot*>(tbb::filter_mode::parallel, [&](Slot* slot) {
          const Handover::Within stage(begun, ended), use(slot->handed_on, slot->handed_on);
          work(slot->item.get());
          return slot;
        }) & tbb::make_filter<Slot*, void>(tbb::filter_mode::serial_in_order, [&](Slot* slot) {
          const Handover::Within stage(begun, ended), turn(last_done, last_done),
              use(slot->handed_on, slot->handed_on);
          done(slot->item.get());
          slot->item.reset();
        }));
  });
}

}  // namespace fogline::detail
