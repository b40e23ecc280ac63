// SPDX-License-Identifier: Apache-2.0
#include "weights/graph/topology.hpp"

#include <numeric>

#include "base/error.hpp"

namespace fogline::weights {
namespace {

using Vertex = Topology::Vertex;

/// Joins sets of vertices; false if the two were joined already.
class JoinedSets {
 public:
  explicit JoinedSets(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), Vertex{0});
  }
  bool join(Vertex a, Vertex b) {
    a = root(a);
    b = root(b);
    if (a == b) return false;
    parent_[a] = b;
    return true;
  }

 private:
  Vertex root(Vertex v) {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
  }
  std::vector<Vertex> parent_;
};

bool has_no_circle(std::size_t vertices, std::span<const Vertex> source, std::span<const Vertex> target) {
  JoinedSets sets(vertices);
  for (std::size_t e = 0; e < source.size(); ++e)
    if (!sets.join(source[e], target[e])) return false;
  return true;
}

}  // namespace

Topology::Topology(GraphShape shape) : shape_(std::move(shape)) {
  const auto &source = shape_.source, &target = shape_.target;
  if (shape_.vertices == 0) throw InvalidOption("graph", "has no vertices");
  if (source.size() != target.size()) throw InvalidOption("graph", "has edges with one end");
  constexpr std::size_t too_many_edges = std::size_t{1} << 31;  // two arcs each have numbers of 32 bits
  if (source.size() >= too_many_edges) throw InvalidOption("graph", "has 2^31 edges or more");
  first_arc_.assign(shape_.vertices + std::size_t{1}, 0);
  for (std::size_t e = 0; e < source.size(); ++e) {
    if (source[e] >= shape_.vertices || target[e] >= shape_.vertices)
      throw InvalidOption("graph", "has an edge to a vertex that does not exist");
    ++first_arc_[source[e] + 1];
    if (!directed()) ++first_arc_[target[e] + 1];
  }
  std::partial_sum(first_arc_.begin(), first_arc_.end(), first_arc_.begin());
  arcs_.resize(first_arc_.back());
  auto next = first_arc_;
  for (std::size_t e = 0; e < source.size(); ++e) {
    arcs_[next[source[e]]++] = {target[e], static_cast<EdgeId>(e)};
    if (!directed()) arcs_[next[target[e]]++] = {source[e], static_cast<EdgeId>(e)};
  }
  forest_ = !directed() && has_no_circle(shape_.vertices, source, target);
}

std::vector<std::uint32_t> hops_from(const Topology& graph, Topology::Vertex source) {
  std::vector<std::uint32_t> hops(graph.vertex_count(), no_way);
  std::vector<Vertex> queue{source};
  hops[source] = 0;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    for (const Topology::Arc& arc : graph.arcs(queue[next])) {
      if (hops[arc.head] != no_way) continue;
      hops[arc.head] = hops[queue[next]] + 1;
      queue.push_back(arc.head);
    }
  }
  return hops;
}

}  // namespace fogline::weights
