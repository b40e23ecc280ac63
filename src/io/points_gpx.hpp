// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/input_file.hpp"
#include "io/points.hpp"

namespace fogline::io {

/// Reads the points of a GPX file (1.0 or 1.1): tracks, routes and waypoints, with their times.
///
/// Each track segment is a trip, "track-1.2" for the second segment of the first track; each route is one,
/// "route-1". Waypoints are in no trip. Everything else (heights, names, extensions) is ignored. A DOCTYPE is
/// refused: GPX needs none, and entities can blow up a small file. Cost: constant memory besides the points.
PointTable read_points_gpx(TextSource& source, const PointReadOptions& options);

}  // namespace fogline::io
