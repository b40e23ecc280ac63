// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "random/public_key.hpp"
#include "traces/beliefs/beliefs.hpp"
#include "traces/invention/outline.hpp"

namespace fogline::traces {

/// Each round, way and try may bring tables nearer to what is believed, and costs its time. How many of them are worth
/// it was chosen, not derived.
struct RefineOptions {
  std::uint32_t rounds = 4;      ///< 0 to 1,000; after each all trips see what the others have done
  std::uint32_t new_ways = 3;    ///< whole ways drawn anew for each trip in a round
  double tries_per_node = 1.25;  ///< smaller changes tried for each node in a round
  std::function<bool(const PlanePoint&)> open = {};
  ParallelOptions parallel = {};  ///< the result does not depend on it
  Progress progress = {};
};

/// Moves the inner nodes of outlines, a few at a time, wherever that brings moves between cells, visits, lengths and
/// diameters nearer to what is believed of them, each weighed by how sure it is. Starts and ends stay.
///
/// Cost: about half a microsecond a change tried.
void refine(Outlines& outlines, const Beliefs& beliefs, const random::PublicKey& key,
            const RefineOptions& options);

}  // namespace fogline::traces
