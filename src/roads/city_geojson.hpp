// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "roads/city.hpp"

namespace fogline::roads {

/// The ground of a city as a GeoJSON FeatureCollection: one Polygon per area with property `kind` (built_up,
/// industry, campus, wood, park, water) and one LineString per footpath with kind `footpath`.
///
///     io::OutputFile out("ground.geojson", {});
///     out.write(city_geojson(city));
///     out.commit();
std::string city_geojson(const City& city);

/// Where people live and work, as CSV: `vertex,lon,lat,home_weight,work_weight`, one line per vertex.
std::string land_use_csv(const City& city);

}  // namespace fogline::roads
