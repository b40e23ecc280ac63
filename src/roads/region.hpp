// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "geometry/bounding_box.hpp"
#include "geometry/coordinates.hpp"
#include "io/input_file.hpp"

namespace fogline::roads {

/// Which part of a map is meant; cut() cuts it out.
///
///     Region town = parse_box("-8.63,41.14,-8.59,41.16");                 // west, south, east, north
///     Region centre = parse_circle("-8.611,41.147,1500");                  // longitude, latitude, metres
///     Region around = Around{parse_place("around", "-8.611,41.147"), 700};
///     Region district = read_polygons(source);                             // GeoJSON

/// Within so many metres of a place, in a straight line.
struct Circle {
  geometry::LonLat centre;
  double radius_m = 0;  ///< above 0
};

/// What a number of closed lines enclose: inside of an odd number of them, so that a hole is another line. Straight lines between degrees.
struct Outline {
  std::vector<std::vector<geometry::LonLat>> rings;
};

/// The vertices that are nearest by road to the one nearest to a place.
struct Around {
  geometry::LonLat centre;
  std::uint64_t vertices = 0;  ///< that the part has at most, 2 or more
};

using Region = std::variant<geometry::BoundingBox, Circle, Outline, Around>;

bool contains(const Outline& outline, const geometry::LonLat& position);

// Each throws InvalidOption, naming the field, unless the text is as above, the place is one, and west lies west of east.
geometry::BoundingBox parse_box(std::string_view text);
Circle parse_circle(std::string_view text);
geometry::LonLat parse_place(std::string_view field, std::string_view text);

/// The polygons of a GeoJSON text: a Polygon, a MultiPolygon, a Feature or a FeatureCollection of such. Throws DataError if it holds anything else, or none.
Outline read_polygons(io::TextSource& source);

}  // namespace fogline::roads
