// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/input_file.hpp"
#include "io/points.hpp"

namespace fogline::io {

/// Reads the trip format of the trajectory literature: a line `#NUMBER:`, then a line `>0:x,y;x,y;...`.
///
///     #0:
///     >0:14361.5,26097.7;14246.3,26087.0;
///
/// `options.dat_unit` says whether x, y are metres on a plane or degrees (longitude, latitude). There are no
/// times and no users. A trip without points counts a warning; a number used twice is an error.
/// Limit: 64 MiB per trip.
PointTable read_points_dat(TextSource& source, const PointReadOptions& options);

}  // namespace fogline::io
