// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/input_file.hpp"
#include "io/points.hpp"

namespace fogline::io {

/// Reads the positions of a GeoJSON FeatureCollection, Feature or geometry (RFC 7946).
///
/// Each LineString is a trip, named by its property traj_id, else its id, else "feature-3"; the parts of a
/// MultiLineString get ".1", ".2", ... behind it. Points and multipoints are in a trip if they have a
/// property traj_id. Property t gives a point its time; property times (one per position) gives a line its
/// times. Altitudes and other properties are left out; PointTable::columns names them. Polygons and features without geometry count a warning.
/// Spellings of the properties: docs/formats.md. Limits: 2 GiB, 200 levels deep.
PointTable read_points_geojson(TextSource& source, const PointReadOptions& options);

}  // namespace fogline::io
