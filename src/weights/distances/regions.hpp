// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weights/graph/topology.hpp"

namespace fogline::weights {

/// A graph's vertices cut into regions, and these into smaller ones, by shape alone.
///
///     NestedRegions regions(graph, {{2, 5}});                     // 4 regions, each of 8
///     regions.region_of(1, v);                                    // of 32
///     regions.rim(1, regions.region_of(1, v));                    // its vertices with an edge that leaves it
///
/// Each bisection orders a region's vertices by their hops from an end of a longest way (a search's last vertex) and cuts between two
/// hop counts where, in the middle 30 % of the vertices, the fewest vertices lie along the cut, as near the middle as can be. Level i holds the regions after
/// depths[i] bisections; regions of one vertex are not cut. Cost: O(m) a depth.
class NestedRegions {
 public:
  using Vertex = Topology::Vertex;
  using Region = std::uint32_t;

  static constexpr int deepest = 20;  ///< bisections: a million regions

  NestedRegions(const Topology& graph, std::span<const int> depths);

  std::size_t levels() const { return region_of_.size(); }
  std::size_t count(std::size_t level) const { return members_[level].size(); }
  Region region_of(std::size_t level, Vertex vertex) const { return region_of_[level][vertex]; }
  std::span<const Vertex> members(std::size_t level, Region region) const { return members_[level][region]; }
  std::span<const Vertex> rim(std::size_t level, Region region) const { return rims_[level][region]; }
  /// For each vertex of the rim, the neighbouring region of least number that an edge leads to.
  std::vector<Region> gates(std::size_t level, Region region) const;

 private:
  Topology undirected_;
  std::vector<std::vector<Region>> region_of_;             // of each level and vertex
  std::vector<std::vector<std::vector<Vertex>>> members_;  // of each level and region
  std::vector<std::vector<std::vector<Vertex>>> rims_;
};

}  // namespace fogline::weights
