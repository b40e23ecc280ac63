// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "base/progress.hpp"
#include "graph/bit_graph.hpp"
#include "path/public_path.hpp"

namespace fogline::path {

struct DecodeOptions {
  bool every_stop = true;  ///< the path visits every stop; otherwise any of them, at least two
  std::optional<std::pair<StopId, StopId>> ends = {};  ///< known: the path runs between these
  bool second_best = true;                             ///< look for the next most likely path too
  /// Of the search, after which it gives up; 1 to 10^9. It also gives up after 5 pivots for each of these nodes and 20 for each road, where a pivot
  /// counts once more for every 1,000 rows of the program, and each new program as 20.
  std::uint64_t most_nodes = 20'000;
  Progress progress = {};
};

/// The most likely route, as an insider reads it from labels that lie with a probability below one half.
struct Decoded {
  std::vector<StopId>
      path;  ///< the end with the lower number first, unless ends are known; empty if the roads hold no such path
  std::int64_t score =
      0;  ///< its steps that are candidates, less those that are not: ln likelihood = constant + eps2 * score
  std::optional<std::int64_t> second_score = {};  ///< of the best other path that was met
  std::uint64_t nodes = 0;                        ///< of the search
  bool proved = true;  ///< no path has a larger score; otherwise the path is the best that was met
  bool second_proved =
      false;  ///< the search for the next path came to its end: without second_score, there is none
};

/// Finds the path among the roads that explains the labels best, exactly: a path of the largest score, and of those with the same score always the same one.
///
///     Decoded read = most_likely_path(roads_between_stops(map, shown.stops), shown.candidates, {});
///     if (read.second_score == read.score) ...                   // another path is as likely
///     if (!read.proved) ...                                      // the search was cut short by most_nodes
///
/// Branch and cut: a linear program with a column for each road, degrees of 2 (or 0), and cuts for closed rings (path/ring_cuts.hpp) and good paths to begin with (path/path_guess.hpp); scores are integers, so a bound below best + 1 ends a
/// branch. `progress` is asked every few pivots. Throws InvalidOption for ends that are no two stops, Cancelled. Cost: milliseconds for 100 stops with 150 roads; exponential at worst, as the problem is hard in general.
Decoded most_likely_path(const graph::BitGraph& roads, const graph::BitGraph& candidates,
                         const DecodeOptions& options);

/// The same for any scores of the roads: the path whose steps have the largest sum.
using RoadScore =
    std::function<std::int64_t(StopId, StopId)>;  ///< lower number first; asked once a road, in order
Decoded heaviest_path(const graph::BitGraph& roads, const RoadScore& score, const DecodeOptions& options);

}  // namespace fogline::path
