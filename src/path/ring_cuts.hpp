// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "graph/bit_graph.hpp"

namespace fogline::path {

/// The graph in which a path is looked for as a ring: its stops, and a hub that joins the two ends of the path.
struct RingGraph {
  using VertexId = graph::VertexId;

  std::size_t stops = 0;                              ///< vertices 0 to stops - 1; the hub is `stops`
  std::vector<std::pair<VertexId, VertexId>> edges;   ///< lower end first
  std::vector<std::vector<std::uint32_t>> at_vertex;  ///< per vertex, its edges

  VertexId hub() const { return static_cast<VertexId>(stops); }
  std::size_t size() const { return stops + 1; }
  void add(VertexId u, VertexId v);  ///< also makes the lists at the vertices
  VertexId other_end(std::uint32_t edge, VertexId end) const {
    return edges[edge].first == end ? edges[edge].second : edges[edge].first;
  }
};

/// A set of stops that a ring through the hub must leave if it visits one of them: the edges out of `inside` sum to at least those at `root`.
struct RingCut {
  std::vector<graph::VertexId> inside;
  graph::VertexId root = 0;
};

/// An edge whose end is not passed: twice the edge is at most the sum at `end`.
struct EndCut {
  std::uint32_t edge = 0;
  graph::VertexId end = 0;
};

struct Cuts {
  std::vector<EndCut> ends;
  std::vector<RingCut> rings;
  bool empty() const { return ends.empty() && rings.empty(); }
};

/// What a fractional ring breaks of these rules: `use` says how much of each edge is taken, and the hub has 2. Nothing is found exactly if nothing is broken by more than
/// one part in a million; then edges taken wholly or not at all form one ring through the hub.
///
///     Cuts cuts = broken_rules(graph, program.solution(), [] {});
///
/// First the parts of the graph that do not hang together, which is cheap; only where there are none, one largest flow from the hub to each group of stops that are joined
/// by whole edges. `watch` is called before each of these, and may throw.
Cuts broken_rules(const RingGraph& graph, std::span<const double> use, const std::function<void()>& watch);

}  // namespace fogline::path
