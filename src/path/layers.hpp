// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "graph/bit_graph.hpp"

namespace fogline::path {

/// What stands for a stop in the layered graph: the stop as a whole, or its lower or upper copy.
struct LayerCopy {
  std::uint32_t stop = 0;
  std::uint32_t layer = 0;  ///< 0: a root
  friend bool operator==(const LayerCopy&, const LayerCopy&) = default;
};

/// The sound layered graph: two stops lie on one branch (a copy of one above a copy of the other, joined by an edge) exactly if they are no candidates, and
/// whatever lies on one branch is joined. A function of the pairs that are no candidates and nothing else: no word of the route goes into it.
///
///     LayeredGraph layered = layers_of(shown.candidates.complement());
///     layered.copies.size() / double(shown.stops.size());        // copies per stop: 1 where the graph can be oriented, at most 2
struct LayeredGraph {
  bool orientable = false;
  std::vector<LayerCopy> copies;  ///< by stop, lower copies first
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      edges;  ///< between copies, from the lower layer to the higher: all comparable pairs
  std::uint32_t layer_count = 0;
};

/// Cost: graph::transitive_orientation, else graph::two_sides; O(m) for the edges.
LayeredGraph layers_of(const graph::BitGraph& ruled_out);

/// The same without the edges, which are as many as the pairs: how many copies there are.
struct LayerSize {
  bool orientable = false;
  std::uint64_t copies = 0;
  std::uint32_t layers = 0;
};
LayerSize layer_size(const graph::BitGraph& ruled_out);

}  // namespace fogline::path
