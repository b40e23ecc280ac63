// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "geometry/coordinates.hpp"
#include "graph/bit_graph.hpp"
#include "path/public_path.hpp"

namespace fogline::report {

/// The vertices of a published route with its candidates as lines between them. What is public comes from `shown`; roads and route are for insiders, and are drawn only
/// if they are given.
struct RouteDrawing {
  const path::PublicPath* shown = nullptr;
  std::vector<geometry::LonLat> position = {};          ///< per vertex; empty: on a circle, up to 40
  const graph::BitGraph* roads = nullptr;               ///< between vertices, as far as the reader knows them
  std::vector<std::vector<path::VertexId>> route = {};  ///< pieces of it, each in order
  bool directed = false;                                ///< the pieces run from start to end
};

/// Two vertices are joined by a thin line if some pair of their stops is a candidate.
///
///     std::string svg = route_svg({.shown = &shown, .position = map.position}, "A route");
///
/// Vertices are named if their names have room; else they are dots, larger where the route passes. The start and the end of a route in one piece are marked if it is
/// directed. Of more than 4,000 candidates the shortest are drawn, and the picture says so. Throws InvalidOption for no vertices, more than 40 of them without
/// positions, positions or roads of another number, or a route with unknown vertices. Cost: a line for each candidate.
std::string route_svg(const RouteDrawing& drawing, const std::string& title);

/// The candidates between vertices: those of any of their stops.
graph::BitGraph candidates_between_vertices(const path::PublicPath& shown);

}  // namespace fogline::report
