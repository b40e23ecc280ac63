// SPDX-License-Identifier: Apache-2.0
#include "graph/components.hpp"

#include <algorithm>

namespace fogline::graph {
namespace {

constexpr std::uint32_t unseen = ~std::uint32_t{0};

std::size_t flood(const Graph& graph, VertexId start, std::uint32_t number,
                  std::vector<std::uint32_t>& of_vertex, std::vector<VertexId>& stack) {
  std::size_t size = 0;
  of_vertex[start] = number;
  stack.assign(1, start);
  while (!stack.empty()) {
    const VertexId vertex = stack.back();
    stack.pop_back();
    ++size;
    for (const Arc& arc : graph.arcs(vertex)) {
      if (of_vertex[arc.head] != unseen) continue;
      of_vertex[arc.head] = number;
      stack.push_back(arc.head);
    }
  }
  return size;
}

}  // namespace

std::uint32_t Components::largest() const {
  return static_cast<std::uint32_t>(std::ranges::max_element(vertex_count) - vertex_count.begin());
}

std::vector<VertexId> Components::members(std::uint32_t component) const {
  std::vector<VertexId> result;
  for (VertexId v = 0; v < of_vertex.size(); ++v) {
    if (of_vertex[v] == component) result.push_back(v);
  }
  return result;
}

Components components(const Graph& graph) {
  Components result;
  result.of_vertex.assign(graph.vertex_count(), unseen);
  std::vector<VertexId> stack;
  for (VertexId v = 0; v < graph.vertex_count(); ++v) {
    if (result.of_vertex[v] != unseen) continue;
    const auto number = static_cast<std::uint32_t>(result.vertex_count.size());
    result.vertex_count.push_back(flood(graph, v, number, result.of_vertex, stack));
  }
  return result;
}

Subgraph largest_component(const Graph& graph) {
  const Components parts = components(graph);
  Subgraph result;
  result.old_vertex = parts.members(parts.largest());
  std::vector<VertexId> new_vertex(graph.vertex_count(), unseen);
  for (VertexId v = 0; v < result.old_vertex.size(); ++v) new_vertex[result.old_vertex[v]] = v;
  std::vector<Edge> edges;
  for (VertexId v = 0; v < result.old_vertex.size(); ++v) {
    for (const Arc& arc : graph.arcs(result.old_vertex[v])) {
      if (result.old_vertex[v] < arc.head) edges.push_back({v, new_vertex[arc.head], arc.length_mm});
    }
  }
  result.graph = Graph::from_edges(result.old_vertex.size(), edges);
  return result;
}

}  // namespace fogline::graph
