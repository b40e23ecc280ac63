// SPDX-License-Identifier: Apache-2.0
#include "geometry/bounding_box.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace fogline::geometry {

bool BoundingBox::contains(const LonLat& position) const {
  return position.lon >= south_west.lon && position.lon <= north_east.lon && position.lat >= south_west.lat &&
         position.lat <= north_east.lat;
}

BoundingBox bounding_box(std::span<const LonLat> positions) {
  if (positions.empty()) throw InvalidOption("positions", "must hold at least one");
  BoundingBox box{positions[0], positions[0]};
  for (const LonLat& position : positions) {
    if (!is_valid(position)) {
      throw InvalidOption("position", "must have longitude -180 to 180 and latitude -90 to 90 degrees");
    }
    box.south_west = {std::min(box.south_west.lon, position.lon), std::min(box.south_west.lat, position.lat)};
    box.north_east = {std::max(box.north_east.lon, position.lon), std::max(box.north_east.lat, position.lat)};
  }
  return box;
}

}  // namespace fogline::geometry
