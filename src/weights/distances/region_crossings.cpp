// SPDX-License-Identifier: Apache-2.0
#include "weights/distances/region_crossings.hpp"

#include <algorithm>
#include <set>

namespace fogline::weights {

using Vertex = Topology::Vertex;

RegionCrossings::RegionCrossings(const Topology& graph, std::span<const int> depths)
    : graph_(graph), regions_(graph, depths), across_(regions_.levels()) {
  for (std::size_t level = 0; level < regions_.levels(); ++level)
    for (Region r = 0; r < regions_.count(level); ++r) across_[level].push_back(find(level, r));
}

std::size_t RegionCrossings::levels_around(Topology::EdgeId edge) const {
  const Vertex source = graph_.source(edge), target = graph_.target(edge);
  std::size_t level = 0;
  while (level < regions_.levels() && regions_.region_of(level, source) == regions_.region_of(level, target))
    ++level;
  return level;
}

Across RegionCrossings::find(std::size_t level, Region region) const {
  const std::vector<Region> gate = regions_.gates(level, region);
  const auto rim = regions_.rim(level, region);
  std::set<std::pair<Region, Region>> measured;
  Across found;
  for (std::size_t i = 0; i < rim.size(); ++i) {
    const auto hops = hops_within(level, region, rim[i]);
    for (std::size_t j = 0; j < rim.size(); ++j) {
      if (j == i || (!graph_.directed() && j < i) || hops[rim[j]] == no_way) continue;
      const Crossing crossing{rim[i], rim[j], hops[rim[j]], gate[i] != gate[j]};
      found.crossings.push_back(crossing);
      // An undirected way is measured once, whichever gate the rim begins with.
      auto between = std::pair(gate[i], gate[j]);
      if (!graph_.directed()) between = std::minmax(gate[i], gate[j]);
      if (crossing.from_gate_to_gate && measured.insert(between).second) found.measured.push_back(crossing);
    }
  }
  return found;
}

std::vector<std::uint32_t> RegionCrossings::hops_within(std::size_t level, Region region, Vertex from) const {
  std::vector<std::uint32_t> hops(graph_.vertex_count(), no_way);
  std::vector<Vertex> queue{from};
  hops[from] = 0;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    for (const Topology::Arc& arc : graph_.arcs(queue[next])) {
      if (hops[arc.head] != no_way || regions_.region_of(level, arc.head) != region) continue;
      hops[arc.head] = hops[queue[next]] + 1;
      queue.push_back(arc.head);
    }
  }
  return hops;
}

}  // namespace fogline::weights
