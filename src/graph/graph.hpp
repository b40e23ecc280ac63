// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
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
/// A graph does not change, so copies share their rows, and rows may lie in a file that is mapped into memory.
///
/// Limits: fewer than 2^32 - 1 vertices and 2^31 edges; lengths 1 to 2^32 - 1 mm (4,294 km); parallel edges
/// keep the shortest, self-loops are left out (neither changes a distance). Cost: 8 bytes an arc, 4 a vertex.
class Graph {
 public:
  Graph() = default;
  /// Throws InvalidOption if an end point is not below vertex_count, a length is 0 or a limit is passed.
  static Graph from_edges(std::size_t vertex_count, std::span<const Edge> edges);

  /// The rows of a graph as rows() gave them: vertex v has the arcs from first_arc[v] to first_arc[v + 1].
  struct Rows {
    std::span<const std::uint32_t> first_arc = {};  ///< one per vertex, and one more; empty: no vertex
    std::span<const Arc> arcs = {};                 ///< of each vertex by head
  };
  /// Nothing is copied: `owner` keeps the rows where they are. Throws InvalidOption if they have other sizes than they
  /// say; whether they are rows of a graph, is_sound() tells.
  static Graph from_rows(const Rows& rows, std::shared_ptr<const void> owner);
  Rows rows() const { return {first_arc_, arcs_}; }
  /// Are all heads vertices, by rows in order, and does each arc stand in both rows with one length, 1 mm or more? Cost: a
  /// search in a row for each arc.
  bool is_sound() const;

  /// The same edges with other lengths: one per arc, in the order of rows().arcs, alike in both directions.
  Graph with_arc_lengths(std::span<const LengthMm> length_mm) const;

  std::size_t vertex_count() const { return first_arc_.empty() ? 0 : first_arc_.size() - 1; }
  std::size_t edge_count() const { return arcs_.size() / 2; }
  std::span<const Arc> arcs(VertexId vertex) const {
    return {arcs_.data() + first_arc_[vertex], arcs_.data() + first_arc_[vertex + 1]};
  }
  std::size_t degree(VertexId vertex) const { return first_arc_[vertex + 1] - first_arc_[vertex]; }
  std::vector<Edge> edges() const;  ///< each edge once, tail < head, sorted

 private:
  struct Storage {
    std::vector<std::uint32_t> first_arc;
    std::vector<Arc> arcs;
  };
  explicit Graph(std::shared_ptr<const Storage> storage)
      : first_arc_(storage->first_arc), arcs_(storage->arcs), owner_(std::move(storage)) {}

  std::span<const std::uint32_t> first_arc_;
  std::span<const Arc> arcs_;
  std::shared_ptr<const void> owner_;
};

}  // namespace fogline::graph
