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
  auto storage = std::make_shared<Storage>();
  Storage& graph = *storage;
  graph.first_arc.assign(vertex_count + 1, 0);
  for (const Edge& edge : edges) {
    if (edge.tail == edge.head) continue;
    ++graph.first_arc[edge.tail + 1];
    ++graph.first_arc[edge.head + 1];
  }
  for (std::size_t v = 0; v < vertex_count; ++v) graph.first_arc[v + 1] += graph.first_arc[v];
  graph.arcs.resize(graph.first_arc[vertex_count]);
  std::vector<std::uint32_t> next(graph.first_arc.begin(), graph.first_arc.end() - 1);
  for (const Edge& edge : edges) {
    if (edge.tail == edge.head) continue;
    graph.arcs[next[edge.tail]++] = {edge.head, edge.length_mm};
    graph.arcs[next[edge.head]++] = {edge.tail, edge.length_mm};
  }

  // Sort each row and keep the shortest of parallel arcs, moving rows together as they shrink.
  std::uint32_t write = 0;
  std::uint32_t row_begin = 0;
  for (std::size_t v = 0; v < vertex_count; ++v) {
    const std::uint32_t row_end = graph.first_arc[v + 1];
    const auto begin = graph.arcs.begin() + static_cast<std::ptrdiff_t>(row_begin);
    const auto end = graph.arcs.begin() + static_cast<std::ptrdiff_t>(row_end);
    std::sort(begin, end, [](const Arc& a, const Arc& b) {
      return a.head != b.head ? a.head < b.head : a.length_mm < b.length_mm;
    });
    const auto last = std::unique(begin, end, [](const Arc& a, const Arc& b) { return a.head == b.head; });
    graph.first_arc[v] = write;
    std::copy(begin, last, graph.arcs.begin() + static_cast<std::ptrdiff_t>(write));
    write += static_cast<std::uint32_t>(last - begin);
    row_begin = row_end;
  }
  if (vertex_count > 0) graph.first_arc[vertex_count] = write;
  graph.arcs.resize(write);
  graph.arcs.shrink_to_fit();
  return Graph(std::move(storage));
}

Graph Graph::from_rows(const Rows& rows, std::shared_ptr<const void> owner) {
  const bool is_empty = rows.first_arc.empty() && rows.arcs.empty();
  if (!is_empty && (rows.first_arc.empty() || rows.first_arc.size() > std::numeric_limits<VertexId>::max() ||
                    rows.first_arc.front() != 0 || rows.first_arc.back() != rows.arcs.size()))
    throw InvalidOption("rows", "must begin at the first arc and end at the last");
  Graph graph;
  graph.first_arc_ = rows.first_arc;
  graph.arcs_ = rows.arcs;
  graph.owner_ = std::move(owner);
  return graph;
}

bool Graph::is_sound() const {
  const std::size_t n = vertex_count();
  // All rows first, since the second pass looks into other rows.
  for (VertexId v = 0; v < n; ++v) {
    if (first_arc_[v] > first_arc_[v + 1] || first_arc_[v + 1] > arcs_.size()) return false;
    const auto row = arcs(v);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool is_in_order = i == 0 || row[i - 1].head < row[i].head;
      if (row[i].head >= n || row[i].head == v || row[i].length_mm == 0 || !is_in_order) return false;
    }
  }
  for (VertexId v = 0; v < n; ++v) {
    for (const Arc& arc : arcs(v)) {
      const auto other = arcs(arc.head);
      const auto back = std::lower_bound(other.begin(), other.end(), v,
                                         [](const Arc& a, VertexId wanted) { return a.head < wanted; });
      if (back == other.end() || back->head != v || back->length_mm != arc.length_mm) return false;
    }
  }
  return true;
}

Graph Graph::with_arc_lengths(std::span<const LengthMm> length_mm) const {
  if (length_mm.size() != arcs_.size()) throw InvalidOption("length", "must be given for each arc");
  auto storage = std::make_shared<Storage>();
  storage->first_arc.assign(first_arc_.begin(), first_arc_.end());
  storage->arcs.reserve(arcs_.size());
  for (std::size_t i = 0; i < arcs_.size(); ++i) storage->arcs.push_back({arcs_[i].head, length_mm[i]});
  return Graph(std::move(storage));
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
