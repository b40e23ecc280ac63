// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weights/distances/regions.hpp"
#include "weights/graph/topology.hpp"

namespace fogline::weights {

/// From one vertex of a region's rim to another, within the region.
struct Crossing {
  Topology::Vertex from = 0, to = 0;
  std::uint32_t hops = 0;         ///< at least
  bool from_gate_to_gate = true;  ///< else within a gate
};

/// The ways across a region. Its rim falls into gates, one towards each neighbour.
struct Across {
  std::vector<Crossing> crossings = {};  ///< between any two vertices of the rim; sorted by where they begin
  std::vector<Crossing> measured = {};   ///< one between any two gates; sorted likewise
};

/// Nested regions with the ways across each, by shape alone.
///
///     RegionCrossings cut(graph, {{2, 5}});
///     for (const Crossing& crossing : cut.across(1, region).crossings) ...
///
/// Cost: for each region a search from each vertex of its rim.
class RegionCrossings {
 public:
  using Region = NestedRegions::Region;

  RegionCrossings(const Topology& graph, std::span<const int> depths);  ///< the graph must outlive it

  const Topology& graph() const { return graph_; }
  const NestedRegions& regions() const { return regions_; }
  const Across& across(std::size_t level, Region region) const { return across_[level][region]; }
  /// How many levels have the edge inside one of their regions; they are the coarsest ones.
  std::size_t levels_around(Topology::EdgeId edge) const;

 private:
  Across find(std::size_t level, Region region) const;
  std::vector<std::uint32_t> hops_within(std::size_t level, Region region, Topology::Vertex from) const;

  const Topology& graph_;
  NestedRegions regions_;
  std::vector<std::vector<Across>> across_;
};

}  // namespace fogline::weights
