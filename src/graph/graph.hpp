// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fogline::graph {

using VertexId = std::uint32_t;
using LengthMm = std::uint32_t;  ///< of one edge: integer millimetres, at least 1
using DistanceMm =
    std::uint64_t;  ///< of a path: integer millimetres, so shortest-path distance is an exact metric

inline constexpr DistanceMm unreachable = ~DistanceMm{0};

struct Edge {
  VertexId tail = 0;
  VertexId head = 0;
  LengthMm length_mm = 1;
  friend bool operator==(const Edge&, const Edge&) = default;
};

struct Arc {
  VertexId head = 0;
  LengthMm length_mm = 1;
};

/// An undirected weighted graph in compressed rows: each edge is stored as two arcs.
///
///     Graph g = Graph::from_edges(3, std::vector<Edge>{{0, 1, 500}, {1, 2, 700}});
///     for (const Arc& arc : g.arcs(1)) ...          // heads 0 and 2, sorted by head
///
/// Limits: fewer than 2^32 - 1 vertices and 2^31 edges; lengths 1 to 2^32 - 1 mm (4,294 km); parallel edges
/// keep the shortest, self-loops are left out (neither changes a distance). Cost: 8 bytes an arc, 4 a vertex.
class Graph {
 public:
  Graph() = default;
  /// Throws InvalidOption if an end point is not below vertex_count, a length is 0 or a limit is passed.
  static Graph from_edges(std::size_t vertex_count, std::span<const Edge> edges);

  std::size_t vertex_count() const { return first_arc_.empty() ? 0 : first_arc_.size() - 1; }
  std::size_t edge_count() const { return arcs_.size() / 2; }
  std::span<const Arc> arcs(VertexId vertex) const {
    return {arcs_.data() + first_arc_[vertex], arcs_.data() + first_arc_[vertex + 1]};
  }
  std::size_t degree(VertexId vertex) const { return first_arc_[vertex + 1] - first_arc_[vertex]; }
  std::vector<Edge> edges() const;  ///< each edge once, tail < head, sorted

 private:
  std::vector<std::uint32_t> first_arc_;
  std::vector<Arc> arcs_;
};

}  // namespace fogline::graph
