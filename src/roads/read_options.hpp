// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/progress.hpp"
#include "graph/graph.hpp"

namespace fogline::roads {

/// Whose roads an OSM file is read for; roads/osm_tags.hpp lists them.
enum class TravelMode : std::uint8_t { drivable, walkable, all };

/// What becomes a vertex of an OSM network: junctions and dead ends, or every point of every road.
enum class Detail : std::uint8_t { junctions, shape_points };

/// How a network is read. A reader ignores what does not concern its format.
struct ReadOptions {
  TravelMode mode = TravelMode::drivable;  ///< OSM
  Detail detail = Detail::junctions;       ///< OSM
  bool largest_component = true;           ///< leave out what is not connected with most of the network
  std::string coordinates = {};            ///< DIMACS: the .co file; empty: the one beside the .gr file
  double length_unit_m = 0.1;              ///< DIMACS: metres per unit of length, above 0 to 1,000,000
  std::string edges = {};                  ///< CSV: the file of edges = {}; empty: the one beside the nodes
  graph::LengthMm spacing_mm = 0;          ///< longest piece of road between vertices (spacing.hpp); 0: any
  Progress progress = {};                  ///< told of what is read; may cancel
};

}  // namespace fogline::roads
