// SPDX-License-Identifier: Apache-2.0
#include "graph/graph.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/error.hpp"

namespace fogline::graph {
namespace {

void check(std::size_t vertex_count, std::span<const Edge> edges) {
  if (vertex_count >= std::numeric_limits<VertexId>::max()) {
    throw InvalidOption("vertex count", "must be below 2^32 - 1");
  }
  if (edges.size() >= std::size_t{1} << 31) throw InvalidOption("edge count", "must be below 2^31");
  for (const Edge& edge : edges) {
    if (edge.tail >= vertex_count || edge.head >= vertex_count) {
      throw InvalidOption(
          "edge", fmt::format("joins {} and {}, but the graph has {} vertices, numbered from 0", edge.tail,
                              edge.head, vertex_count));
    }
    if (edge.length_mm == 0) {
      throw InvalidOption(
          "edge", fmt::format("between {} and {} has length 0; the least is 1 mm", edge.tail, edge.head));
    }
  }
}

}  // namespace

Graph Graph::from_edges(std::size_t vertex_count, std::span<const Edge> edges) {
  check(vertex_count, edges);
  Graph graph;
  graph.first_arc_.assign(vertex_count + 1, 0);
  for (const Edge& edge : edges) {
    if (edge.tail == edge.head) continue;
    ++graph.first_arc_[edge.tail + 1];
    ++graph.first_arc_[edge.head + 1];
  }
  for (std::size_t v = 0; v < vertex_count; ++v) graph.first_arc_[v + 1] += graph.first_arc_[v];
  graph.arcs_.resize(graph.first_arc_[vertex_count]);
  std::vector<std::uint32_t> next(graph.first_arc_.begin(), graph.first_arc_.end() - 1);
  for (const Edge& edge : edges) {
    if (edge.tail == edge.head) continue;
    graph.arcs_[next[edge.tail]++] = {edge.head, edge.length_mm};
    graph.arcs_[next[edge.head]++] = {edge.tail, edge.length_mm};
  }

  // Sort each row and keep the shortest of parallel arcs, moving rows together as they shrink.
  std::uint32_t write = 0;
  std::uint32_t row_begin = 0;
  for (std::size_t v = 0; v < vertex_count; ++v) {
    const std::uint32_t row_end = graph.first_arc_[v + 1];
    const auto begin = graph.arcs_.begin() + static_cast<std::ptrdiff_t>(row_begin);
    const auto end = graph.arcs_.begin() + static_cast<std::ptrdiff_t>(row_end);
    std::sort(begin, end, [](const Arc& a, const Arc& b) {
      return a.head != b.head ? a.head < b.head : a.length_mm < b.length_mm;
    });
    const auto last = std::unique(begin, end, [](const Arc& a, const Arc& b) { return a.head == b.head; });
    graph.first_arc_[v] = write;
    std::copy(begin, last, graph.arcs_.begin() + static_cast<std::ptrdiff_t>(write));
    write += static_cast<std::uint32_t>(last - begin);
    row_begin = row_end;
  }
  if (vertex_count > 0) graph.first_arc_[vertex_count] = write;
  graph.arcs_.resize(write);
  graph.arcs_.shrink_to_fit();
  return graph;
}

std::vector<Edge> Graph::edges() const {
  std::vector<Edge> result;
  result.reserve(edge_count());
  for (VertexId v = 0; v < vertex_count(); ++v) {
    for (const Arc& arc : arcs(v)) {
      if (v < arc.head) result.push_back({v, arc.head, arc.length_mm});
    }
  }
  return result;
}

}  // namespace fogline::graph
