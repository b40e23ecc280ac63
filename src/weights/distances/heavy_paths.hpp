// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "weights/graph/topology.hpp"

namespace fogline::weights {

/// Cuts a forest into paths, each leading down from a vertex: a path goes on to the child below which most vertices hang. Any way through the forest
/// meets at most 2 log2(n) paths, and runs along each without a gap. Every edge is on one path.
///
///     for (const std::vector<Topology::EdgeId>& path : heavy_paths(tree)) ...     // edges from above to below
///
/// Each tree is hung up at the end of a longest way, so that a forest of plain paths is left as it is. Throws InvalidOption
/// unless the graph is a forest. Cost: linear.
std::vector<std::vector<Topology::EdgeId>> heavy_paths(const Topology& forest);

}  // namespace fogline::weights
