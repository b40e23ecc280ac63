// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "fuzz_reader.hpp"
#include "io/graph_file.hpp"

namespace fogline::fuzz {

/// Reads a graph as leniently as the options allow, so that as much code as possible runs, and checks what
/// GraphTable promises.
inline std::size_t check_graph(io::TextSource& source) {
  const io::GraphTable graph = io::read_graph(source, {.repeats = io::RepeatedEdge::sum,
                                                       .negative_weights = io::OddEdge::keep,
                                                       .bad_weights = io::OddEdge::drop,
                                                       .missing_ends = io::OddEdge::drop});
  const std::size_t edges = graph.edge_count();
  require(edges > 0 && graph.target.size() == edges && graph.weight.size() == edges &&
          graph.line.size() == edges);
  require(graph.length.empty() || graph.length.size() == edges);
  require(graph.free_flow_time.size() == graph.length.size());
  require(graph.cost.empty() || graph.cost.size() == edges);
  for (std::size_t e = 0; e < edges; ++e) {
    require(graph.source[e] < graph.vertex_count() && graph.target[e] < graph.vertex_count());
    require(graph.source[e] != graph.target[e] && std::isfinite(graph.weight[e]));
  }
  return edges;
}

}  // namespace fogline::fuzz
