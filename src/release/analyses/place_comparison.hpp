// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "audit/engine/exact.hpp"
#include "release/analyses/findings.hpp"
#include "release/place_fields.hpp"

namespace fogline::release {

/// The mechanisms that fit a map, side by side, at one or several epsilons: how far they move a position, what is left to an attacker, how
/// long they take to prepare, and how far they are from what nothing can beat.
///
///     const PlaceComparison compared(place_, {{1, 200}, {1, 100}}, 500, caller);
///     found.add(compared.table());
///
/// From public things alone. Of all that fit, what takes longer than about a minute is not built here, and the table
/// says so; what was prepared before is taken from the cache, whatever it took. If `mechanism` names some
/// ("gem,optimal,theirs.npz"), these are built, however long it takes; of a table from a file it is told whether it keeps
/// its promise. Throws InvalidOption for one that is neither ours nor a file.
class PlaceComparison {
 public:
  PlaceComparison(const PlaceFields& place, const std::vector<privacy::EpsilonPerMetre>& epsilons,
                  double max_snap_m, Caller& caller);

  nlohmann::ordered_json json() const;
  Findings::Table table() const;
  std::vector<std::string> remarks() const;  ///< what was left out, and why

 private:
  struct Row {
    std::string mechanism;
    std::string epsilon;
    double snap_m = 0;  ///< mean way from a point on a road to the nearest vertex
    place::ExpectedError error = {};
    std::optional<double> lower_bound_m = {};
    std::optional<double> attacker_m = {};  ///< mean error of the best guess; nothing on large maps
    std::optional<double> prepared_s = {};  ///< nothing if nobody keeps time, and from the cache
    bool from_cache = false;
    std::optional<audit::ExactVerdict> on_table = {};  ///< if it is somebody's
    std::string why_not = {};                          ///< not built
    bool is_spaced_out = false;  ///< it takes too long on a map that is larger for vertices along its roads
  };

  Row row_of(const PlaceFields& asked, const roads::RoadNetwork& map, Caller& caller) const;
  void average_again(PlaceFields asked, const roads::RoadNetwork& map, std::size_t first, Caller& caller);

  double max_snap_m_;
  bool takes_time_;  // somebody named what to build
  std::vector<Row> rows_;
};

/// The epsilon at which the mechanism that is asked for moves positions by `target_m` on average, to three digits and within 2 %. Throws
/// InvalidOption if there is none between 0.00001 and 1000 per metre. Cost: some five preparations.
privacy::EpsilonPerMetre epsilon_for(double target_m, const PlaceFields& place, double max_snap_m,
                                     Caller& caller);

}  // namespace fogline::release
