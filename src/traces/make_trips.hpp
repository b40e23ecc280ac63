// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "roads/network.hpp"
#include "traces/invention/synthesis.hpp"
#include "traces/roads/driving_map.hpp"
#include "traces/rules/constraint_cost.hpp"
#include "traces/rules/constraints.hpp"
#include "traces/rules/enforce.hpp"
#include "traces/terms.hpp"

namespace fogline::traces {

/// What trips obey, made of the public files that the terms name.
struct TripRules {
  std::unique_ptr<const Constraints> constraints = nullptr;  ///< or null
  std::unique_ptr<const DrivingMap> map = nullptr;           ///< or null: trips keep to no roads
  std::unique_ptr<const DrivingMap> free_map =
      nullptr;  ///< without constraints, to tell what these cost; or null: nobody asks

  /// Trips keep to these roads; after the constraints are set, if there are any. Throws DataError if no road is left, InvalidOption for a frame in metres.
  enum class Cost { told, not_told };
  void keep_to(const roads::RoadNetwork& network, const Frame& frame, Cost cost,
               const ParallelOptions& parallel);
};

/// With little budget noise alone can count millions of trips, after the charge: unless somebody said how many, no more are made.
inline constexpr std::uint64_t most_uncalled_for = 2'000'000;
std::uint64_t trips_to_make(const TraceTerms& terms, double noisy_trips);

/// What was made of counts, and what it took to make trips obey; all of it public, as the counts are.
struct MadeTrips {
  TripSet trips;
  struct OnRoads {
    double length_ratio = 0;
    std::uint64_t delayed_trips = 0, dropped_anchors = 0;
  };
  std::optional<OnRoads> roads = {};
  std::optional<EnforcementReport> obeyed = {};
  std::optional<ConstraintCost> cost = {};  ///< of the constraints, if it is asked for
  std::uint64_t cut_off = 0;                ///< trips that took too long, on roads or by rules
};

struct MakeOptions {
  std::uint64_t most_points =
      std::numeric_limits<std::uint64_t>::max();  ///< more are not made: TooManyPoints
  ParallelOptions parallel = {};                  ///< the result does not depend on it
  Progress progress = {};
};

/// THE OTHER HALF of a release of trips, after count_trips(): a function of the counts, the terms and the public files that these name, and of nothing else, random
/// numbers included. So whoever has the counts and the statement makes the same trips, to the last byte: audit/statements/recompute_traces.hpp does.
///
///     const CountedTrips counted = count_trips(trips, TraceStatistics(terms.options()), key);
///     const MadeTrips made = make_trips(counted, terms, rules, {});
///
/// Cost: that of synthesise(), on_roads() and enforce().
MadeTrips make_trips(const CountedTrips& counted, const TraceTerms& terms, const TripRules& rules,
                     const MakeOptions& options);

}  // namespace fogline::traces
