// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "roads/city_plan.hpp"

namespace fogline::roads::sketch {

/// Rings around the parts of the map where `height` is above 0: counter-clockwise around a part, clockwise
/// around a hole in one. Marching squares on a raster of the given cell, with interpolated corners; nothing is
/// above 0 beyond the map.
std::vector<Line> outlines(const std::function<double(Point)>& height, double cell_m);

}  // namespace fogline::roads::sketch
