// SPDX-License-Identifier: Apache-2.0
#include "traces/invention/synthesis.hpp"

#include <cmath>
#include <utility>

#include "traces/beliefs/beliefs.hpp"
#include "traces/counts/counts_file.hpp"
#include "traces/invention/emit.hpp"
#include "traces/invention/outline.hpp"
#include "traces/invention/refine.hpp"

namespace fogline::traces {

TripSet synthesise(const NoisyStatistics& known, const random::PublicKey& key,
                   const SynthesisOptions& options) {
  const Beliefs beliefs = believe(known);
  const std::uint64_t trips =
      options.trips > 0 ? options.trips : static_cast<std::uint64_t>(std::llround(known.trips));
  Outlines outlines = draw_outlines(beliefs, trips, key, options.open, options.progress);
  refine(outlines, beliefs, key,
         {.open = options.open, .parallel = options.parallel, .progress = options.progress});
  return emit(outlines, beliefs, key,
              {.max_duration_s = options.max_duration_s,
               .open = options.open,
               .most_points = options.most_points,
               .parallel = options.parallel,
               .progress = options.progress});
}

CountedTrips count_trips(const TripSet& trips, const TraceStatistics& statistics, const random::Key& key) {
  random::Stream noise = key.stream("traces");
  NoisyStatistics known = statistics.release(trips, noise);
  std::string text = counts_text(known, statistics);
  return {.known = std::move(known), .text = std::move(text)};
}

}  // namespace fogline::traces
