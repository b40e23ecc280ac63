// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/progress.hpp"
#include "graph/bit_graph.hpp"
#include "path/public_path.hpp"

namespace fogline::path {

/// The paths that visit every stop once, each with a weight: the product over its steps of 1 for a candidate and `ruled_out` for another pair. A path and its
/// reverse are one.
///
///     WeighedPaths possible{shown.candidates, 0, {}};                    // one-sided: every step is a candidate
///     WeighedPaths likely{shown.candidates, std::exp(-2 * eps2), {}};    // two-sided: a step turns one label, and the step it replaces another
struct WeighedPaths {
  const graph::BitGraph& candidates;
  double ruled_out = 0;                                ///< 0 to 1
  std::optional<std::pair<StopId, StopId>> ends = {};  ///< only paths between these
};

/// How often each pair is a step.
struct ExactSteps {
  double paths = 0;  ///< sum of the weights of all paths; with ruled_out = 0, their number
  std::vector<double>
      share;  ///< for n stops (or vertices) u, v at u * n + v: the weight of the paths that use the pair, of all; 0 without paths
  double of(StopId u, StopId v, std::size_t n) const { return share[u * n + v]; }
};

inline constexpr std::size_t most_counted_stops = 20;

/// Counts all paths, by dynamic programming over sets of stops.
///
///     ExactSteps steps = count_paths({shown.candidates});
///     steps.of(b, c, shown.stops.size());
///
/// Limits: 2 to most_counted_stops stops, else InvalidOption; numbers above 2^53 are rounded. Cost: n^2 2^n, a tenth of a second at 18; n 2^(n+3) bytes, twice that with ends.
ExactSteps count_paths(const WeighedPaths& paths);

/// The paths that visit every vertex once, each at any one of its stops. The weight of a path is the product over its steps.
struct StopPaths {
  const Stops& stops;
  std::vector<double>
      weight;  ///< of a step between stops i and j, at i * stops.size() + j: symmetric, 0 or more
  std::optional<std::pair<VertexId, VertexId>> ends = {};  ///< only paths between these
};

/// The same by dynamic programming over sets of vertices and the stop where a path ends: both steps of a vertex are at one stop. Shares are of pairs of vertices.
///
///     if (can_count(paths)) count_stop_paths(paths).of(u, v, shown.stops.vertex_count());
///
/// Limits: 2 to most_counted_stops vertices and most_counted_bytes, else InvalidOption. Cost: s^2 2^n steps and s 2^(n+3) bytes for n vertices and s stops, twice with ends.
ExactSteps count_stop_paths(const StopPaths& paths);

inline constexpr std::uint64_t most_counted_bytes = 300'000'000;
bool can_count(const StopPaths& paths);  ///< keeps to these limits

struct SampleOptions {
  std::uint64_t chains = 16;   ///< independent walks, 2 to 1,000
  std::uint64_t sweeps = 500;  ///< of each walk, a move for each stop; 10 to 10^9
  std::uint64_t seed = 1;
  int threads = 0;
  Progress progress = {};
};

struct SampledSteps {
  std::vector<double> share;           ///< per pair that was asked for
  std::vector<double> standard_error;  ///< of each, from the spread of the walks
  std::uint64_t samples = 0;           ///< paths that were looked at
  double effective_samples =
      0;  ///< how many independent ones would be as good, on average over the pairs that are not always or never steps
};

/// The same shares from paths drawn by random walks, for the given pairs.
///
///     SampledSteps steps = sample_paths({shown.candidates}, {{b, c}}, {});
///
/// A walk turns a piece of the path round, which replaces one step at an end of the path (a Pósa rotation, or "backbite") or two inside, and accepts by the ratio of
/// weights: Metropolis, with the wanted distribution. Pairs of weight 0 are walked with a small weight so that every path can be reached, and paths with such pairs are
/// not looked at. Walks begin at a random path, anneal for a fifth of their sweeps, and are not believed beyond their standard error: where it is large they did not mix.
/// Throws InvalidOption for options out of range or fewer than 3 stops. No path looked at: all shares are 0 and samples is 0.
/// Cost: chains * sweeps * n moves of O(n) each, the n small: half a second for 1,000 stops and 100 sweeps a core.
SampledSteps sample_paths(const WeighedPaths& paths, std::span<const std::pair<StopId, StopId>> pairs,
                          const SampleOptions& options);

}  // namespace fogline::path
