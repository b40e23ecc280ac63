// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/input_file.hpp"
#include "io/points.hpp"

namespace fogline::io {

/// Reads `traj_id,user_id,t,lon,lat`: columns in any order, only lon and lat required, others ignored.
///
///     traj_id,user_id,t,lon,lat
///     7,ada,2026-11-15T08:00:00Z,13.3770,52.5160
///
/// Columns x_m and y_m instead of lon and lat hold metres on a plane. Spellings: docs/formats.md.
PointTable read_points_csv(TextSource& source, const PointReadOptions& options);

}  // namespace fogline::io
