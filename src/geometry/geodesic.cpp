// SPDX-License-Identifier: Apache-2.0
#include "geometry/geodesic.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace fogline::geometry {

const geod_geodesic& wgs84() {
  static const geod_geodesic ellipsoid = [] {
    geod_geodesic made;
    geod_init(&made, 6'378'137.0, 1 / 298.257223563);
    return made;
  }();
  return ellipsoid;
}

double geodesic_m(const LonLat& from, const LonLat& to) {
  if (!is_valid(from) || !is_valid(to)) {
    throw InvalidOption("position", "must have longitude -180 to 180 and latitude -90 to 90 degrees");
  }
  double length_m = 0;
  geod_inverse(&wgs84(), from.lat, from.lon, to.lat, to.lon, &length_m, nullptr, nullptr);
  return length_m;
}

std::uint64_t geodesic_mm(const LonLat& from, const LonLat& to) {
  return static_cast<std::uint64_t>(std::max(1.0, std::round(geodesic_m(from, to) * 1000)));
}

}  // namespace fogline::geometry
