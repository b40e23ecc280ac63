// SPDX-License-Identifier: Apache-2.0
#include "traces/frame/plane_areas.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fogline::traces {
namespace {

using geometry::PointXY;
using geometry::Polygons;

/// On a sphere of the Earth's mean radius, 6,371 km: margins and the number of pieces need no better.
constexpr double metres_per_degree = 111'195;
/// Longer lines get corners in between: one of degrees bends in the plane, by 3 cm over this along a parallel at 60
/// degrees.
constexpr double straight_m = 1'000;
/// Areas and lines are cut off so far outside the frame: well beyond OpenGround::skirt_m, so that no cut lies where
/// trips are.
constexpr double kept_beyond_m = 200;
/// A cosine counts for so much at least: at a pole a degree east has no length at all.
constexpr double least_cosine = 0.01;

double degrees_east(const Frame& frame, double metres) {
  const double latitude = frame.box().centre().lat * std::numbers::pi / 180;
  return metres / (metres_per_degree * std::max(least_cosine, std::cos(latitude)));
}

struct FileBox {
  PointXY south_west, north_east;
};

FileBox widened(const Frame& frame, double metres) {
  const bool degrees = frame.unit() == Frame::Unit::degrees;
  const double east = degrees ? degrees_east(frame, metres) : metres;
  const double north = degrees ? metres / metres_per_degree : metres;
  const geometry::BoundingBox& box = frame.box();
  FileBox wide{{box.south_west.lon - east, box.south_west.lat - north},
               {box.north_east.lon + east, box.north_east.lat + north}};
  if (degrees)
    wide = {{std::max(wide.south_west.x_m, -180.0), std::max(wide.south_west.y_m, -90.0)},
            {std::min(wide.north_east.x_m, 180.0), std::min(wide.north_east.y_m, 90.0)}};
  return wide;
}

std::size_t pieces(const PointXY& a, const PointXY& b, const Frame& frame) {
  if (frame.unit() == Frame::Unit::metres) return 1;
  const double east = (b.x_m - a.x_m) / degrees_east(frame, 1), north = (b.y_m - a.y_m) * metres_per_degree;
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(std::hypot(east, north) / straight_m)));
}

void project_side(const PointXY& a, const PointXY& b, const Frame& frame, std::vector<PointXY>& into) {
  const std::size_t count = pieces(a, b, frame);
  for (std::size_t i = 0; i < count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(count);
    into.push_back(frame.project({a.x_m + share * (b.x_m - a.x_m), a.y_m + share * (b.y_m - a.y_m)}));
  }
}

geometry::Ring project_ring(const geometry::Ring& ring, const Frame& frame) {
  geometry::Ring result;
  for (std::size_t i = 0; i < ring.size(); ++i)
    project_side(ring[i], ring[(i + 1) % ring.size()], frame, result);
  return result;
}

Polygons project_area(const Polygons& area, const Frame& frame) {
  Polygons result;
  for (const geometry::Polygon& polygon : area) {
    geometry::Polygon& one = result.emplace_back();
    one.outer = project_ring(polygon.outer, frame);
    for (const geometry::Ring& hole : polygon.holes) one.holes.push_back(project_ring(hole, frame));
  }
  return result;
}

}  // namespace

Polygons plane_area(const Polygons& file_area, const Frame& frame) {
  const FileBox box = widened(frame, kept_beyond_m);
  const Polygons kept = {geometry::box_area(box.south_west, box.north_east)};
  return project_area(geometry::intersect(file_area, kept), frame);
}

std::vector<std::vector<PointXY>> plane_lines(std::span<const PointXY> file_line, const Frame& frame) {
  const FileBox box = widened(frame, kept_beyond_m);
  std::vector<std::vector<PointXY>> result;
  for (const auto& part : geometry::line_within(file_line, box.south_west, box.north_east)) {
    auto& line = result.emplace_back();
    for (std::size_t i = 1; i < part.size(); ++i) project_side(part[i - 1], part[i], frame, line);
    line.push_back(frame.project({part.back().x_m, part.back().y_m}));
  }
  return result;
}

Polygons outline_of(const Frame& frame, double wider_m) {
  const FileBox box = widened(frame, wider_m);
  return project_area({geometry::box_area(box.south_west, box.north_east)}, frame);
}

}  // namespace fogline::traces
