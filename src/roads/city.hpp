// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "geometry/coordinates.hpp"
#include "roads/network.hpp"

namespace fogline::roads {

enum class AreaKind : std::uint8_t { built_up, industry, campus, wood, park, water };
std::string_view to_string(AreaKind kind);

/// A piece of ground, for drawing. Rings are not closed: the last point joins the first.
struct CityArea {
  AreaKind kind = AreaKind::built_up;
  std::vector<geometry::LonLat> outer;
  std::vector<std::vector<geometry::LonLat>> holes;
};

/// A town that does not exist, for examples, tests and demonstrations. Everything in it is invented and public.
struct City {
  std::uint64_t seed = 0;
  RoadNetwork network;                     ///< drivable streets; vertices are junctions and dead ends
  std::vector<std::uint32_t> home_weight;  ///< per vertex: how many people live there, relatively
  std::vector<std::uint32_t> work_weight;  ///< per vertex: how many work there, relatively
  std::vector<CityArea> areas;             ///< in the order in which to draw them
  std::vector<std::vector<geometry::LonLat>> footpaths;  ///< through the parks; not in the network
  geometry::LonLat centre;                               ///< the middle of the old town
};

/// Draws a town of about 7 by 6 km and 3,000 to 4,000 junctions: a crooked old town on a river with six
/// bridges, ring roads and avenues, districts with grids of their own, villages, an industrial area, a campus,
/// parks, and a motorway past it all with its ramps.
///
///     roads::City city = roads::make_city(1);
///     graph::Dijkstra search(city.network.graph);
///
/// The same seed draws the same town on every machine. It lies around 45 N 30 W, in the open Atlantic, so that
/// nobody takes it for a real one. All vertices are connected, and every street can be reached and left by car
/// except the outer ends of the motorway. Cost: about a second.
City make_city(std::uint64_t seed);

}  // namespace fogline::roads
