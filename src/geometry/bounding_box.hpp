// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "geometry/coordinates.hpp"

namespace fogline::geometry {

/// The smallest box of longitudes and latitudes that holds some positions.
///
///     BoundingBox box = bounding_box(city.position);
///     LocalProjection plane(box.centre());
///
/// Limit: a region that crosses the 180th meridian gets a box round the whole Earth.
struct BoundingBox {
  LonLat south_west;
  LonLat north_east;

  LonLat centre() const {
    return {(south_west.lon + north_east.lon) / 2, (south_west.lat + north_east.lat) / 2};
  }
  bool contains(const LonLat& position) const;  ///< edges included
  friend bool operator==(const BoundingBox&, const BoundingBox&) = default;
};

/// Throws InvalidOption if there is no position or one is out of range.
BoundingBox bounding_box(std::span<const LonLat> positions);

}  // namespace fogline::geometry
