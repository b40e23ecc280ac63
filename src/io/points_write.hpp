// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "io/output_file.hpp"
#include "io/points.hpp"

namespace fogline::io {

/// Writes points as read_points() reads them: `traj_id,user_id,t,lon,lat`, without the columns the table does
/// not have; degrees with 7 decimals (1 cm), metres on a plane as x_m, y_m with 3.
///
///     OutputFile out("safe.csv", {});
///     write_points_csv(points, out);
///     out.commit();
void write_points_csv(const PointTable& points, OutputFile& out);
std::string points_csv(const PointTable& points);

/// A FeatureCollection with a Point for each position and properties traj_id, user_id and t. Names that are
/// not UTF-8 get replacement characters. Metres on a plane: InvalidOption, GeoJSON holds degrees only.
void write_points_geojson(const PointTable& points, OutputFile& out);
std::string points_geojson(const PointTable& points);

}  // namespace fogline::io
