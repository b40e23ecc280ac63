// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/input_file.hpp"
#include "io/points.hpp"

namespace fogline::io {

/// Reads `traj_id,user_id,t,lon,lat`: columns in any order, only lon and lat required.
///
///     traj_id,user_id,t,lon,lat
///     7,ada,2026-11-15T08:00:00Z,13.3770,52.5160
///
/// Columns x_m and y_m instead of lon and lat hold metres on a plane. A column polyline instead, "[[13.377,52.516],...]",
/// holds a trip on one line, as in the taxi trips of Porto: a position every 15 s from its time on. Without a
/// trip's name each line is a trip.
/// Spellings: docs/formats.md. What the columns were taken for stands in PointTable::columns.
PointTable read_points_csv(TextSource& source, const PointReadOptions& options);

}  // namespace fogline::io
