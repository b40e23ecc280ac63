// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "graph/bit_graph.hpp"

namespace fogline::path {

/// Where the next vertex may go, of the layers that are in use.
enum class LayerChoice {
  paper,   ///< into one of them, or beyond the first or the last (Algorithm 4, line 6)
  between  ///< or into a new one between two of them
};

struct LayerSearchOptions {
  LayerChoice choice = LayerChoice::between;
  std::uint64_t most_steps = 1'000'000;  ///< layers tried, 1 or more; then the search gives up
};

/// What backtracking found.
struct LayerSearch {
  bool complete = false;  ///< every vertex has a layer
  bool gave_up = false;   ///< ended by most_steps: not complete, and yet it may be possible
  std::vector<std::int32_t>
      layer;  ///< of the largest stack there was, in the order of insertion: of all vertices if complete; numbered from 0 without gaps
  std::uint64_t steps = 0;  ///< layers tried
};

/// The paper's search for a layered graph (Algorithms 4 and 5): vertices 0, 1, ... come in one by one, each into the greatest layer that is not bad; if all are, the one before
/// it is taken out and goes into its next layer.
///
///     LayerSearch found = search_layers(ruled_out);              // numbered in the order of the path
///     if (!found.complete) split(found.layer.size());            // the vertex that fits nowhere
///
/// A layer is bad for a vertex if it holds a vertex that is ruled out beside it, or if some branch would then hold two vertices that are not joined. (The listing of Algorithm 5
/// is lost; this is what Claim 1 and the text leave.) With LayerChoice::between the search finds layers whenever there are any: the vertices on either side of the new one
/// are joined to each other, so there is always room. With LayerChoice::paper it may not (docs/reproduce.md, Routes).
///
/// Cost: exponential at worst. Layers of one vertex between which nothing is joined to it lead to the same branches, so only the greatest of them is tried (not with
/// LayerChoice::paper).
LayerSearch search_layers(const graph::BitGraph& ruled_out, const LayerSearchOptions& options = {});

}  // namespace fogline::path
