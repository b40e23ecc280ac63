// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/parallel.hpp"
#include "roads/network.hpp"
#include "traces/frame/frame.hpp"
#include "traces/frame/trip_set.hpp"

namespace fogline::traces {

struct LegalPathOptions {
  double tolerance_m = 1;  ///< above 0 to 100
  ParallelOptions parallel = {};
};

/// The share of trips that are connected legal paths: a car could have driven along each of them.
///
///     double share = legal_share(trips, porto, frame, {.tolerance_m = 1});
///
/// A trip is legal if there is one drive for all of it: it begins at a place of a road within the tolerance of the first point, follows roads in driving direction without a
/// gap, turns from one road into another only where they meet (turning round there is allowed), and on each step from a point to the next stays within the
/// tolerance of the straight line between them, does not go back along it by more than the tolerance, and ends it at a place within the tolerance of the next point.
/// Throws InvalidOption outside of the range, or if the frame is in metres. Cost: about a microsecond a point, half a second for a city's roads.
double legal_share(const TripSet& trips, const roads::RoadNetwork& network, const Frame& frame,
                   const LegalPathOptions& options);

}  // namespace fogline::traces
