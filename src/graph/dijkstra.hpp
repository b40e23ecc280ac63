// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "graph/bucket_queue.hpp"
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
///     std::span<const DistanceMm> all = search.one_to_all(source);     // graph::unreachable where no way leads
///     std::span<const Settled> near = search.within(source, 500'000);  // up to 500 m, both ends included
///
/// within() lists vertices by distance, equal ones by number, the source first. Each result lives until the
/// next call of the same function. Both throw InvalidOption if the source is not a vertex.
///
/// Cost: one_to_all O(m log n) at worst, near O(m) on road networks; within() touches only what it settles
/// and its neighbours, so its cost does not depend on the size of the graph. Memory: 16 bytes a vertex. The
/// graph must outlive the search.
class Dijkstra {
 public:
  explicit Dijkstra(const Graph& graph);

  std::span<const DistanceMm> one_to_all(VertexId source);
  std::span<const Settled> within(VertexId source, DistanceMm radius_mm);

 private:
  void check_source(VertexId source) const;

  const Graph* graph_;
  BucketQueue queue_;
  std::vector<DistanceMm> distance_mm_;   // of one_to_all
  std::vector<DistanceMm> tentative_mm_;  // of within: all unreachable between calls
  std::vector<VertexId> touched_;         // where tentative_mm_ must be put back
  std::vector<Settled> settled_;
};

}  // namespace fogline::graph
