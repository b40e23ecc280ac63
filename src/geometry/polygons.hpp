// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "geometry/coordinates.hpp"

namespace fogline::geometry {

/// The corners of a closed line, each once: the last is joined to the first. Either way round.
using Ring = std::vector<PointXY>;

struct Polygon {
  Ring outer;
  std::vector<Ring> holes = {};
};

/// An area in any number of pieces, none of which overlap; empty: nothing.
///
///     Polygons town = {box_area({0, 0}, {1000, 1000})};
///     Polygons open = subtract(town, park);
///     double share = area_m2(open) / area_m2(town);
///
/// Set operations are Boost.Geometry's, on doubles: corners where two borders cross are exact to about 10^-7 of the whole area's side.
/// Their arguments must be valid (fault_of() says nothing). They throw InvalidOption where the library gives up. Cost: about n log n of the corners.
using Polygons = std::vector<Polygon>;

/// What is wrong with an area, in words that fit behind "the area": "crosses itself"; empty if nothing is.
std::string fault_of(const Polygons& area);

double area_m2(const Polygons& area);
Polygon box_area(const PointXY& south_west, const PointXY& north_east);

Polygons unite(std::span<const Polygons> areas);
Polygons intersect(const Polygons& a, const Polygons& b);
Polygons subtract(const Polygons& a, const Polygons& b);

/// The places within half the width of a line of two points or more, with round ends and bends.
Polygons strip_along(std::span<const PointXY> line, double width_m);

/// The parts of a line within a box.
std::vector<std::vector<PointXY>> line_within(std::span<const PointXY> line, const PointXY& south_west,
                                              const PointXY& north_east);

}  // namespace fogline::geometry
