// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <geodesic.h>

#include "geometry/coordinates.hpp"

namespace fogline::geometry {

/// The ellipsoid all positions refer to.
const geod_geodesic& wgs84();

/// Length of the shortest line on the WGS84 ellipsoid, accurate to a micrometre.
///
///     double metres = geodesic_m({0, 0}, {1, 0});              // 111,319.491
///     std::uint64_t length = geodesic_mm({0, 0}, {1, 0});      // 111,319,491
///
/// Throws InvalidOption for a position out of range.
double geodesic_m(const LonLat& from, const LonLat& to);

/// The same in whole millimetres, rounded to the nearest and at least 1, as lengths of edges are.
std::uint64_t geodesic_mm(const LonLat& from, const LonLat& to);

}  // namespace fogline::geometry
