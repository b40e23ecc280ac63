// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "traces/frame/trip_set.hpp"
#include "traces/measures/separation.hpp"

namespace fogline::traces {

/// How much of single trips comes back: of members, beside the same of others, who cannot have been copied.
struct Reconstruction {
  double near_m = 0;
  Share members, others;  ///< with a synthetic trip within near_m at all 32 points
  double mean_distance_members = 0, mean_distance_others = 0;  ///< to the nearest synthetic trip, metres
};

/// Whose trip is this? Synthetic trip i is taken for a copy of true trip i, so that it names a user; a held-out trip is given the user of its nearest
/// synthetic trip. Works against forms that keep the order of trips.
struct Linkage {
  std::size_t asked = 0;  ///< held-out trips of users who have true trips too
  std::size_t right = 0;
  std::size_t users = 0;   ///< among whom is guessed
  double chance = 0;       ///< mean share right if the order is turned by a random number of places
  double chance_high = 0;  ///< which 99 % of those stay at or below
  double p_value = 0;      ///< share of those that are right as often, the true order counted among them
  double share() const { return static_cast<double>(right) / static_cast<double>(asked); }
};

struct TraceAttacks {
  std::size_t members = 0, others = 0;  ///< true trips, and held-out ones; without those that are both
  std::size_t shared = 0;               ///< held-out trips that are true ones too; left out of both
  Separation nearest;                   ///< by the distance to the nearest synthetic trip
  Separation calibrated;                ///< by that distance over the distance to the nearest reference trip
  std::size_t references = 0;           ///< held-out trips that served as reference
  Reconstruction reconstruction;
  std::optional<Linkage> linkage;  ///< if all have users and synthetic and true trips are as many

  /// Some attack told members from others, beyond what chance does to it once in a hundred times.
  bool leaks() const;
  /// Held-out trips look more like members than members do: they were not drawn alike, and the attacks tell little.
  bool lopsided() const;
};

struct AttackOptions {
  double near_m = 100;     ///< of a reconstruction, above 0; chosen, not derived
  std::uint64_t seed = 1;  ///< of the halves and turns
  ParallelOptions parallel = {};
  Progress progress = {};
};

/// What synthetic trips tell of the trips they were made from, by attacks that need no model of the mechanism. Trips are compared as 32 points at equal distances along
/// them.
///
///     TraceAttacks told = attack(truth, synthetic, heldout, {});
///     if (told.leaks()) ...              // a proof of a leak; its absence proves nothing
///
/// `heldout` must be trips that were not used, drawn as the true ones were; user numbers of both count the same people. Calibrated: half of the held-out trips (of their
/// users, where there are users) serve as reference and the others as non-members, so that none is its own reference; nobody's own trips are his reference.
///
/// Throws InvalidOption for an empty set, a limit out of range, or fewer than four true or held-out trips that are not both.
/// Cost: 16,000 trips in each set: seconds on one core; 256 bytes a trip.
TraceAttacks attack(const TripSet& truth, const TripSet& synthetic, const TripSet& heldout,
                    const AttackOptions& options);

}  // namespace fogline::traces
