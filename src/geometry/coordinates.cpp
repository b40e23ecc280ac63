// SPDX-License-Identifier: Apache-2.0
#include "geometry/coordinates.hpp"

namespace fogline::geometry {

bool is_valid(const LonLat& position) {
  // Written so that NaN fails each comparison.
  return position.lon >= -180 && position.lon <= 180 && position.lat >= -90 && position.lat <= 90;
}

}  // namespace fogline::geometry
