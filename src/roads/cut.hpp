// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "geometry/coordinates.hpp"
#include "roads/draft.hpp"
#include "roads/network.hpp"
#include "roads/region.hpp"

namespace fogline::roads {

/// The part of a network within a straight distance of a place: the vertices there, the roads between two of them, and of that the largest
/// connected piece.
///
///     RoadNetwork centre = cut_around(city, geometry::bounding_box(city.position).centre(), 1000);
///
/// Vertices keep their names. Throws InvalidOption for a radius that is not above 0 and finite, DataError if no road is left.
/// Cost: O(n + m).
RoadNetwork cut_around(const RoadNetwork& network, const geometry::LonLat& centre, double radius_m);

struct CutOptions {
  bool largest_piece = true;  ///< of the part; otherwise whatever lies there
  bool contracts =
      false;  ///< join the roads at what is no junction of the part, as a reader of the part would
};

/// The part of a map in a region, for a map of its own: the vertices there and the roads between two of them, loops and parallel roads too. A road
/// that leaves the region is left out as a whole.
///
///     Draft centre = cut(read_draft("porto.osm.pbf"), Around{{-8.611, 41.147}, 700}, {.contracts = true});
///     write_osm(centre, "centre.osm.pbf", {});
///
/// Vertices keep their names. Throws DataError if no road is left. Cost: O(n + m), and a search by road for Around.
Draft cut(Draft map, const Region& region, const CutOptions& options);

}  // namespace fogline::roads
