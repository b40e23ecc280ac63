// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "geometry/polygons.hpp"
#include "traces/frame/frame.hpp"

namespace fogline::traces {

/// From the coordinates of a file to the plane of a frame. GeoJSON's lines are straight in longitude and latitude, hence bent in the plane: they
/// get a corner every kilometre, where the bend is under a centimetre or two. What lies far outside of the frame is cut off before.
///
///     geometry::Polygons park = plane_area({{{{-8.62, 41.15}, {-8.61, 41.15}, {-8.61, 41.16}}}}, frame);
///
/// x_m and y_m of what goes in are degrees (or metres, if the frame is in metres), of what comes out metres from the frame's corner.
geometry::Polygons plane_area(const geometry::Polygons& file_area, const Frame& frame);
std::vector<std::vector<geometry::PointXY>> plane_lines(std::span<const geometry::PointXY> file_line,
                                                        const Frame& frame);

/// The frame's own area in its plane, widened on all sides.
geometry::Polygons outline_of(const Frame& frame, double wider_m);

}  // namespace fogline::traces
