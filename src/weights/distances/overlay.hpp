// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "weights/distances/distances.hpp"
#include "weights/distances/length_search.hpp"
#include "weights/distances/region_crossings.hpp"

namespace fogline::weights {

/// Shortest ways in a graph whose regions are crossed at one go: edges are walked only in the regions, of each level, around the two ends.
///
///     OverlaidDistances distances(cut, lengths_of_edges, lengths_of_crossings);      // [level][region][crossing]
///     distances.from(3);
///
/// How   A ground is a region as a search sees it: the rims of the regions in it, joined by their crossings and by the edges between them; of a region
///       of the last level, its vertices and edges. From a source the search goes up through the grounds around it, to the whole graph, and from there
///       down into all of them: one search in each ground.
/// Cost  of a source: about a search in the graph. Lengths must be 0 or more.
class OverlaidDistances : public Distances {
 public:
  OverlaidDistances(std::shared_ptr<const RegionCrossings> cut, std::span<const double> edges,
                    const std::vector<std::vector<std::vector<double>>>& crossings);
  std::vector<double> from(Topology::Vertex source) const override;

 private:
  using Vertex = Topology::Vertex;
  using Region = NestedRegions::Region;
  using Search = LengthGraph<double>;
  using Arcs = std::vector<std::vector<std::vector<Search::Arc>>>;  // of each level and ground
  using Starts = std::vector<std::vector<Search::Start>>;           // of each level
  struct Ground {
    std::vector<Vertex> vertices = {};
    std::vector<Region> inside = {};  // regions one level further down
    Search graph = {};
  };
  struct Entered {
    Vertex vertex = 0;
    double length = 0;
  };

  Region ground_of(std::size_t level, Vertex vertex) const;
  void add(std::vector<Search::Arc>& arcs, Vertex from, Vertex to, double length) const;
  void add_regions(const std::vector<std::vector<std::vector<double>>>& crossings, Arcs& arcs);
  void number(Arcs& arcs);
  Starts upwards(Vertex source) const;
  void descend(std::size_t level, Region region, Vertex source, const Starts& starts,
               std::span<const Entered> entered, std::vector<double>& result) const;

  std::shared_ptr<const RegionCrossings> cut_;
  std::size_t last_;                                // level of the smallest regions; 0 is the whole graph
  std::vector<std::vector<Ground>> grounds_;        // of each level
  std::vector<std::vector<std::uint32_t>> number_;  // of each level and vertex: its number in its ground
};

}  // namespace fogline::weights
