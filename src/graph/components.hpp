// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "graph/graph.hpp"

namespace fogline::graph {

/// The connected components of a graph, numbered in the order of their lowest vertex.
///
///     Components parts = components(graph);
///     bool joined = parts.of_vertex[3] == parts.of_vertex[8];
///     std::vector<VertexId> core = parts.members(parts.largest());
struct Components {
  std::vector<std::uint32_t> of_vertex;   ///< per vertex, the number of its component
  std::vector<std::size_t> vertex_count;  ///< per component

  std::size_t count() const { return vertex_count.size(); }
  std::uint32_t largest() const;  ///< the lowest number on a tie; 0 if there is none
  std::vector<VertexId> members(std::uint32_t component) const;  ///< in rising order
};

/// Cost: O(n + m).
Components components(const Graph& graph);

/// A part of a graph, renumbered from 0 in the order of the old numbers.
struct Subgraph {
  Graph graph;
  std::vector<VertexId> old_vertex;  ///< per new vertex, its number in the whole graph
};

/// The component with most vertices; of equal ones, that with the lowest vertex.
Subgraph largest_component(const Graph& graph);

}  // namespace fogline::graph
