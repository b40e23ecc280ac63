// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "traces/frame/frame.hpp"
#include "traces/frame/trip_set.hpp"

namespace fogline::traces {

/// What obeying constraints cost in utility: how far the synthetic trips moved from those before they obeyed, as Jensen-Shannon divergences with natural logarithms (0: the
/// same, ln 2: nothing in common). Both sets are synthetic, so the figures are public.
struct ConstraintCost {
  double visits = 0;                       ///< of cells of 15 x 15 that trips pass
  double starts = 0, ends = 0;             ///< in cells of 15 x 15
  double length = 0;                       ///< 20 bins from 0 to the longest before
  std::optional<double> time_of_day = {};  ///< of starts, 48 bins; if the trips have times
};

/// Throws InvalidOption for an empty set.
///
///     TripSet before = trips;
///     enforce(trips, rules, key, {});
///     ConstraintCost cost = constraint_cost(before, trips, frame);
ConstraintCost constraint_cost(const TripSet& before, const TripSet& after, const Frame& frame);

}  // namespace fogline::traces
