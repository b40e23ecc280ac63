// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "place/measures.hpp"
#include "privacy/guarantee.hpp"
#include "roads/network.hpp"

namespace fogline::place {

struct OptimiseOptions {
  privacy::EpsilonPerMetre epsilon;          ///< of the GEM that will use the range; no default
  std::vector<double> prior = {};            ///< probability of each vertex, PUBLIC; empty: all alike
  std::optional<double> most_q_loss_m = {};  ///< theta; empty: the Q_loss of GEM with every vertex
  int threads = 0;                           ///< 0 (all cores) to 1,024
  Progress progress = {};                    ///< called now and then; may cancel
};

/// An output range for GEM, and what it changes, in road metres.
struct OptimisedRange {
  std::vector<graph::VertexId> range;  ///< ascending
  std::size_t initial_vertices = 0;    ///< how many the first stage, on Q_loss alone, had kept
  DistanceMeasures before;             ///< GEM with every vertex
  DistanceMeasures after;              ///< GEM with the range
};

/// The range of GEM by the greedy algorithm of its paper (Algorithm 2 with the initialisation of section 5.3.1): it lowers Q_loss, then raises
/// PC under the posterior attack while Q_loss stays at most theta. kernel/range_search.hpp says how the listing is read.
///
///     OptimisedRange found = optimise_range(map, {.epsilon = {1, 100}, .prior = prior});
///     Gem gem(map.graph, {.epsilon = {1, 100}, .range = found.range});
///
/// Guarantee  that of GEM with the same epsilon, whatever the range: it must be chosen from public things only. The network, epsilon and the
///            prior given here must therefore be public; a prior counted from the records to be released would tell of them.
/// Limits     6,000 vertices, in one piece. Throws InvalidOption otherwise.
/// Cost       hundredths of a second at 400 vertices, seconds at 2,500; ten tables.
OptimisedRange optimise_range(const roads::RoadNetwork& map, const OptimiseOptions& options);

/// One name a line, as read_range (place/range_file.hpp) reads it. Throws InvalidOption for a name with a comma or the like.
std::string range_text(const roads::RoadNetwork& map, std::span<const graph::VertexId> range);

}  // namespace fogline::place
