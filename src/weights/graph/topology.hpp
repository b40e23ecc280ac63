// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "weights/graph/shape.hpp"

namespace fogline::weights {

/// A graph's shape with the ways out of each vertex at hand; knows nothing of weights.
///
///     Topology corridor({.vertices = 3, .source = {0, 1}, .target = {1, 2}});
///     for (const Topology::Arc& arc : corridor.arcs(1)) ...   // heads 0 and 2, with the edges that lead there
///     corridor.is_forest();                                   // true: one way, or none, between any two vertices
///
/// Edges keep their numbers, also parallel ones. Limits: fewer than 2^31 edges. Cost: 8 bytes an arc.
class Topology {
 public:
  using Vertex = std::uint32_t;
  using EdgeId = std::uint32_t;
  struct Arc {
    Vertex head = 0;
    EdgeId edge = 0;
  };

  explicit Topology(GraphShape shape);  ///< throws InvalidOption

  const GraphShape& shape() const { return shape_; }
  std::size_t vertex_count() const { return first_arc_.size() - 1; }
  std::size_t edge_count() const { return shape_.edges(); }
  bool directed() const { return shape_.directed; }
  Vertex source(EdgeId edge) const { return shape_.source[edge]; }
  Vertex target(EdgeId edge) const { return shape_.target[edge]; }
  /// Ways out of a vertex; in an undirected graph every edge leads both ways.
  std::span<const Arc> arcs(Vertex vertex) const {
    return {arcs_.data() + first_arc_[vertex], arcs_.data() + first_arc_[vertex + 1]};
  }

  bool is_forest() const { return forest_; }  ///< undirected, without a circle, a parallel edge or a loop

 private:
  GraphShape shape_;
  bool forest_ = false;
  std::vector<std::uint32_t> first_arc_;
  std::vector<Arc> arcs_;
};

inline constexpr std::uint32_t no_way = std::numeric_limits<std::uint32_t>::max();

/// Fewest edges from one vertex to every other; no_way where none leads.
std::vector<std::uint32_t> hops_from(const Topology& graph, Topology::Vertex source);

}  // namespace fogline::weights
