// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "geometry/coordinates.hpp"
#include "roads/city.hpp"
#include "roads/network.hpp"

namespace fogline::report {

/// A point to show, with a name beside it and a circle of true size around it.
struct MapMarker {
  geometry::LonLat at;
  std::string label;               ///< empty: no name
  double halo_radius_m = 0;        ///< 0: no circle
  std::string colour = "#b2182b";  ///< any SVG colour
};

/// A line to show on top of the roads: a route, a track.
struct MapTrack {
  std::vector<geometry::LonLat> points = {};
  std::string colour = "#2166ac";
  double width_px = 3;  ///< above 0
};

/// What to draw. Only `network` is needed. The picture shows all of it to whoever sees the file: pass public
/// or released values, never a private record.
struct MapContent {
  const roads::RoadNetwork* network = nullptr;
  std::span<const roads::CityArea> areas = {};  ///< ground, in drawing order
  std::span<const std::vector<geometry::LonLat>> footpaths = {};
  std::span<const double> heat = {};  ///< per vertex, at least 0; empty: none
  std::span<const MapTrack> tracks = {};
  std::span<const MapMarker> markers = {};
};

struct MapOptions {
  double width_px = 1200;  ///< 100 to 20,000; the height follows from the network's extent
  double margin_px = 0;    ///< around the extent of the network, 0 to width_px / 4
  std::string title = {};  ///< shown in the upper left corner and read out by screen readers; empty: none
  bool scale_bar = true;
  double heat_dot_px = 5;  ///< diameter of a heat dot, above 0, at most 100
};

/// Draws a road network as a map: ground, water, roads with casing by class, scale bar, and on top of it heat,
/// tracks and markers.
///
///     MapContent content{.network = &city.network, .areas = city.areas, .footpaths = city.footpaths};
///     std::string svg = map_svg(content, {.title = "Sample city"});
///
/// Colours keep apart by lightness and width, not by hue alone. Coordinates are rounded to a tenth of a pixel
/// and roads of one class share one path. Throws InvalidOption for options out of range,
/// no network, an empty one, heat of another length than the vertices or not finite, or a marker off the
/// globe.
std::string map_svg(const MapContent& content, const MapOptions& options);

}  // namespace fogline::report
