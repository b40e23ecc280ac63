// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/progress.hpp"
#include "graph/graph.hpp"

namespace fogline::graph {

/// Distances between all pairs of vertices of a small graph, as one dense table.
///
///     DistanceTable table = all_pairs(graph);
///     DistanceMm there = table.at(3, 8);                   // unreachable where no way leads
///     std::span<const DistanceMm> row = table.row(3);      // from vertex 3 to every vertex
class DistanceTable {
 public:
  DistanceTable() = default;
  explicit DistanceTable(std::size_t vertex_count)
      : vertex_count_(vertex_count), distance_mm_(vertex_count * vertex_count, unreachable) {}

  std::size_t vertex_count() const { return vertex_count_; }
  DistanceMm at(VertexId from, VertexId to) const { return row(from)[to]; }
  std::span<const DistanceMm> row(VertexId from) const {
    return {distance_mm_.data() + from * vertex_count_, vertex_count_};
  }
  std::span<DistanceMm> row(VertexId from) {
    return {distance_mm_.data() + from * vertex_count_, vertex_count_};
  }

 private:
  std::size_t vertex_count_ = 0;
  std::vector<DistanceMm> distance_mm_;
};

struct AllPairsOptions {
  int threads = 0;                    ///< 0 (all cores) to 1,024
  std::size_t max_vertices = 20'000;  ///< 1 to 100,000; at 20,000 the table takes 3.2 GB
  Progress progress = {};             ///< told of the sources done; may be empty
};

/// Throws InvalidOption above max_vertices. Cost: n one-to-all searches, in parallel; 8 n^2 bytes.
DistanceTable all_pairs(const Graph& graph, const AllPairsOptions& options = {});

}  // namespace fogline::graph
