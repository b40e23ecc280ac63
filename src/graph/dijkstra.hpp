// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "graph/graph.hpp"

namespace fogline::graph {

/// A vertex a search has settled, with its distance from the source.
struct Settled {
  VertexId vertex = 0;
  DistanceMm distance_mm = 0;
};

/// Shortest paths from one vertex, with the working memory kept between calls: one Dijkstra per thread,
/// reused.
///
///     Dijkstra search(graph);
///     std::span<const DistanceMm> all = search.one_to_all(source);       // graph::unreachable where there
///     is no way std::span<const Settled> near = search.within(source, 500'000);    // up to 500 m inclusive,
///     by distance
///
/// Both results live until the next call. Cost: one_to_all O(m log n) worst case; within() touches only what
/// it settles, so its cost does not depend on the size of the graph. Memory: 16 bytes a vertex. The graph
/// must outlive the search.
class Dijkstra {
 public:
  explicit Dijkstra(const Graph& graph);

  std::span<const DistanceMm> one_to_all(VertexId source);
  std::span<const Settled> within(VertexId source, DistanceMm radius_mm);

 private:
  const Graph* graph_;
};

}  // namespace fogline::graph
