// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace fogline::geometry {

/// A position in WGS84 degrees, as files hold it. Longitude first, by name.
struct LonLat {
  double lon = 0;  ///< degrees east, -180 to 180
  double lat = 0;  ///< degrees north, -90 to 90
  friend bool operator==(const LonLat&, const LonLat&) = default;
};

/// A position on a local plane in metres, as the core computes with it.
struct PointXY {
  double x_m = 0;  ///< metres east of the plane's origin
  double y_m = 0;  ///< metres north of the plane's origin
  friend bool operator==(const PointXY&, const PointXY&) = default;
};

/// Straight, on the plane.
inline double distance_m(const PointXY& a, const PointXY& b) {
  return std::hypot(b.x_m - a.x_m, b.y_m - a.y_m);
}

/// True if both are finite and inside their ranges.
bool is_valid(const LonLat& position);

}  // namespace fogline::geometry
