// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/parallel.hpp"
#include "random/public_key.hpp"
#include "traces/frame/trip_set.hpp"
#include "traces/rules/constraints.hpp"

namespace fogline::traces {

/// Defaults were chosen, not derived.
struct EnforceOptions {
  bool move_points =
      true;  ///< false: only times change, for trips that lie on roads; what that cannot mend is replaced
  std::int64_t longest_shift_s =
      6 * 3600;    ///< of a trip in time, before its points are moved instead; 0 to 43,200
  int rounds = 6;  ///< tries for a trip, each with a heavier penalty; 1 to 20
  ParallelOptions parallel = {};
};

/// What it took to make trips obey. All of it is about synthetic trips, hence public.
struct EnforcementReport {
  Violations before, after;
  std::uint64_t moved_trips = 0, moved_points = 0, added_points = 0;
  std::uint64_t reversed_trips = 0;  ///< driven the other way, since of one-way rules
  std::uint64_t delayed_trips = 0;   ///< take longer, since of speed limits, stops or points added
  std::uint64_t shifted_trips = 0;   ///< in time as a whole
  std::uint64_t replaced_trips = 0;  ///< by a copy of another that obeys
  std::int64_t largest_shift_s = 0;
  double mean_move_m = 0, largest_move_m = 0;  ///< of the points moved
  int rounds = 0;                              ///< the most that a trip took
};

/// Makes trips obey constraints: post-processing of a release, so it costs no privacy.
///
///     EnforcementReport report = enforce(trips, rules, key, {});
///     report.after.hard();        // 0
///
/// Points in areas that are always closed, or out of bounds, are moved down the gradient of their penalty, the distance to open ground: straight out to the
/// nearest open place and a little beyond. Runs of such points are led round the area, on the side that moves them less, and steps that cross it on its shorter side. A trip at a closed hour is shifted in time as a whole by the
/// least that helps; where that would be too much, the area counts as closed for it. A trip against a one-way is led round the area, or driven the other way round,
/// whichever moves its points less. Steps over a limit take longer, and so does all that comes after; stops are added. What still breaks a rule is tried again with a
/// heavier penalty: twice as far beyond the border, and with the areas of the rules it broke closed to it. What the last round leaves is replaced by a copy of another trip that obeys, drawn at random.
///
/// The result depends on the key only in ties and replacements, and not on the number of threads. Throws InvalidOption outside of the ranges, or as count() does.
/// Cost: tens of nanoseconds a point for trips that obey, tens of microseconds a trip that does not.
EnforcementReport enforce(TripSet& trips, const Constraints& constraints, const random::PublicKey& key,
                          const EnforceOptions& options);

}  // namespace fogline::traces
