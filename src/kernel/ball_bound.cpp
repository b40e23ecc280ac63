// SPDX-License-Identifier: Apache-2.0
#include "kernel/ball_bound.hpp"

#include "graph/dijkstra.hpp"

namespace fogline::kernel {

std::vector<std::uint32_t> ball_bounds(const graph::Graph& graph, graph::DistanceMm radius_mm,
                                       std::span<const std::uint8_t> marked) {
  std::vector<std::uint32_t> bounds(graph.vertex_count());
  std::vector<std::uint8_t> covered(graph.vertex_count());
  graph::Dijkstra search(graph);
  for (graph::VertexId centre = 0; centre < graph.vertex_count(); ++centre) {
    if (covered[centre] != 0) continue;
    const auto near = search.within(centre, 2 * radius_mm);
    std::uint32_t count = 0;
    for (const auto& [vertex, distance_mm] : near) count += marked[vertex];
    for (const auto& [vertex, distance_mm] : near) {
      if (distance_mm > radius_mm) break;  // listed by distance
      if (covered[vertex] == 0) bounds[vertex] = count;
      covered[vertex] = 1;
    }
  }
  return bounds;
}

}  // namespace fogline::kernel
