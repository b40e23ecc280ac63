// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "random/key.hpp"
#include "random/public_key.hpp"
#include "traces/counts/statistics.hpp"
#include "traces/frame/trip_set.hpp"

namespace fogline::traces {

struct SynthesisOptions {
  std::uint64_t trips = 0;               ///< how many to make; 0: as many as the statistics say
  std::int64_t max_duration_s = 86'400;  ///< public: no trip takes longer; 1 or more
  /// Where points may lie at all, from the public constraints; empty: everywhere in the frame. Must be safe to call from many threads.
  std::function<bool(const PlanePoint&)> open = {};
  std::uint64_t most_points =
      std::numeric_limits<std::uint64_t>::max();  ///< more are not made: TooManyPoints
  ParallelOptions parallel = {};                  ///< the result does not depend on it
  Progress progress = {};
};

/// Trips that look like the statistics: starts and ends as counted, routes between them refined until moves, visits, lengths and diameters fit the
/// noisy counts as far as the noise allows, points along them at the usual distances, and times where the statistics have them.
///
///     NoisyStatistics known = statistics.release(trips, noise);
///     TripSet synthetic = synthesise(known, random::PublicKey(counts_text(known, statistics)), {});
///
/// Trips come in random order, and times rise from point to point.
/// A function of the noisy statistics, public options and public random numbers alone: it costs no privacy, and whoever has the statistics makes the same
/// trips. Times are those of a day, from 0 to 86,399 seconds at the start.
/// Cost: about a second for 15,000 trips on two cores; memory in proportion to the points.
TripSet synthesise(const NoisyStatistics& known, const random::PublicKey& key,
                   const SynthesisOptions& options);

/// Counts with noise, and the text that is released of them: all that there is of the private trips from here on.
struct CountedTrips {
  NoisyStatistics known;
  std::string text;  ///< counts_text(known, ...)

  /// For whatever is made of the counts: known to whoever has them, and fixed once they are.
  random::PublicKey key() const { return random::PublicKey(text); }
};

/// THE DRAW of a release of trips, of its audits and of its figures: counts with noise, all that private trips are asked for. The stream of
/// noise is named here.
CountedTrips count_trips(const TripSet& trips, const TraceStatistics& statistics, const random::Key& key);

}  // namespace fogline::traces
