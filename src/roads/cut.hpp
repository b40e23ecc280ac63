// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "geometry/coordinates.hpp"
#include "roads/network.hpp"

namespace fogline::roads {

/// The part of a network within a straight distance of a place: the vertices there, the roads between two of them, and of that the largest
/// connected piece.
///
///     RoadNetwork centre = cut_around(city, geometry::bounding_box(city.position).centre(), 1000);
///
/// Vertices keep their names. Throws InvalidOption for a radius that is not above 0 and finite, DataError if no road is left.
/// Cost: O(n + m).
RoadNetwork cut_around(const RoadNetwork& network, const geometry::LonLat& centre, double radius_m);

}  // namespace fogline::roads
