// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "geometry/bounding_box.hpp"
#include "geometry/coordinates.hpp"
#include "geometry/projection.hpp"

namespace fogline::traces {

/// The public area in which trips are told, and its plane: metres east and north of the area's south-west corner.
///
///     Frame frame = Frame::parse("116.15,39.75,116.60,40.10", Frame::Unit::degrees);
///     geometry::PointXY here = frame.inward({116.4, 39.9});       // metres from the corner
///     geometry::LonLat back = frame.outward(here);
///
/// Degrees are projected about the centre of the area, so that a box of degrees is not quite a box of metres: the frame's width and height are
/// those of the smallest box of metres that holds it, measured on its border, and points are put back into the area on the way out.
/// Throws InvalidOption for an area that is not four finite numbers, is empty, wider than 1,000 km, or out of range.
class Frame {
 public:
  enum class Unit { degrees, metres };

  static Frame parse(std::string_view west_south_east_north, Unit unit);

  Unit unit() const { return unit_; }
  double width_m() const { return width_m_; }
  double height_m() const { return height_m_; }
  double larger_side_m() const { return width_m_ > height_m_ ? width_m_ : height_m_; }

  bool contains(double lon_or_x, double lat_or_y) const;     ///< edges included
  const geometry::BoundingBox& box() const { return box_; }  ///< in the frame's unit
  geometry::PointXY inward(
      const geometry::LonLat& position) const;  ///< within the frame, whatever the position
  geometry::PointXY project(
      const geometry::LonLat& position) const;  ///< the same, but left where it lies outside of the frame
  geometry::LonLat outward(const geometry::PointXY& point) const;  ///< within the area, whatever the point
  std::string text() const;  ///< in one spelling, as parse() reads it: "116.15,39.75,116.6,40.1"

  friend bool operator==(const Frame& a, const Frame& b) { return a.unit_ == b.unit_ && a.box_ == b.box_; }

 private:
  Frame(Unit unit, const geometry::BoundingBox& box);

  Unit unit_;
  geometry::BoundingBox box_;  ///< degrees, or metres
  std::optional<geometry::LocalProjection> projection_;
  geometry::PointXY corner_{};  ///< of the frame, in the projection
  double width_m_ = 0, height_m_ = 0;
};

}  // namespace fogline::traces
