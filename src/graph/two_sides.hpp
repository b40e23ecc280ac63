// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "graph/bit_graph.hpp"

namespace fogline::graph {

/// Two disjoint independent sets: together they induce a bipartite graph.
struct TwoSides {
  std::vector<VertexId> lower, upper;  ///< rising
  bool proved_largest = false;         ///< no two independent sets hold more vertices together

  std::size_t size() const { return lower.size() + upper.size(); }
};

struct TwoSidesOptions {
  std::size_t exact_up_to = 24;  ///< vertices up to which the largest is found, 0 to 32
};

/// A large induced bipartite part of a graph: the largest in small graphs; else one large independent set and then another beside it, each the best of those
/// that grow from single vertices. A function of the graph alone.
///
///     TwoSides sides = two_sides(g);      // nothing in sides.lower is joined to anything else in it; nor in sides.upper
///
/// Cost: a millisecond at the exact limit; otherwise a pass of O(n^2 / 64) for each vertex, and beyond about 1,500 vertices for as many as a fixed amount of
/// work allows.
TwoSides two_sides(const BitGraph& graph, const TwoSidesOptions& options = {});

}  // namespace fogline::graph
