// SPDX-License-Identifier: Apache-2.0
#include "traces/frame/frame.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/numbers.hpp"

namespace fogline::traces {
namespace {

/// Points of the plane are floats, which at this distance from the corner tell sixteenths of a metre apart.
constexpr double largest_side_m = 1e6;
constexpr const char* area_form =
    "must be WEST,SOUTH,EAST,NORTH: four numbers, west below east and south below north";

std::array<double, 4> four_numbers(std::string_view text) {
  std::array<double, 4> numbers{};
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t comma = text.find(',');
    if ((comma == std::string_view::npos) != (i == 3)) throw InvalidOption("area", area_form);
    const auto number = io::parse_double(text.substr(0, comma));
    if (!number || !std::isfinite(*number)) throw InvalidOption("area", area_form);
    numbers[i] = *number;
    if (i < 3) text.remove_prefix(comma + 1);
  }
  return numbers;
}

void require_box(const std::array<double, 4>& n, Frame::Unit unit) {
  if (n[0] >= n[2] || n[1] >= n[3]) throw InvalidOption("area", area_form);
  const bool degrees = unit == Frame::Unit::degrees;
  // Farther than any plane on Earth reaches, and exact in doubles to a micrometre.
  constexpr double farthest_m = 1e9;
  const double widest = degrees ? 180 : farthest_m, highest = degrees ? 90 : farthest_m;
  if (std::max(-n[0], n[2]) > widest || std::max(-n[1], n[3]) > highest)
    throw InvalidOption("area", degrees ? "must lie within 180 degrees east and west and 90 north and south; "
                                          "for metres on a plane add `plane`"
                                        : "must lie within 10^9 metres of the origin");
}

}  // namespace

Frame Frame::parse(std::string_view west_south_east_north, Unit unit) {
  const auto n = four_numbers(west_south_east_north);
  require_box(n, unit);
  return Frame(unit, {{n[0], n[1]}, {n[2], n[3]}});
}

Frame::Frame(Unit unit, const geometry::BoundingBox& box) : unit_(unit), box_(box) {
  if (unit == Unit::metres) {
    corner_ = {box.south_west.lon, box.south_west.lat};
    width_m_ = box.north_east.lon - box.south_west.lon;
    height_m_ = box.north_east.lat - box.south_west.lat;
  } else {
    // What is surely too large is refused before it is projected: 12 degrees north are 1,330 km, and 60 east more than
    // 1,000 km up to 81 degrees of latitude.
    constexpr double too_high_degrees = 12, too_wide_degrees = 60;
    if (box.north_east.lat - box.south_west.lat > too_high_degrees ||
        box.north_east.lon - box.south_west.lon > too_wide_degrees)
      throw InvalidOption("area", "must not be wider or higher than 1,000 km");
    projection_.emplace(box.centre());
    // The border bends in the plane; its extremes lie at corners or where it crosses the centre's meridian and parallel.
    geometry::PointXY low{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    geometry::PointXY high{-low.x_m, -low.y_m};
    for (const double lon : {box.south_west.lon, box.centre().lon, box.north_east.lon})
      for (const double lat : {box.south_west.lat, box.centre().lat, box.north_east.lat}) {
        const geometry::PointXY p = projection_->forward({lon, lat});
        low = {std::min(low.x_m, p.x_m), std::min(low.y_m, p.y_m)};
        high = {std::max(high.x_m, p.x_m), std::max(high.y_m, p.y_m)};
      }
    corner_ = low;
    width_m_ = high.x_m - low.x_m;
    height_m_ = high.y_m - low.y_m;
  }
  if (larger_side_m() > largest_side_m)
    throw InvalidOption("area", "must not be wider or higher than 1,000 km");
  if (std::min(width_m_, height_m_) < 1)
    throw InvalidOption("area", "must be at least a metre wide and high");
}

bool Frame::contains(double lon_or_x, double lat_or_y) const {
  return lon_or_x >= box_.south_west.lon && lon_or_x <= box_.north_east.lon &&
         lat_or_y >= box_.south_west.lat && lat_or_y <= box_.north_east.lat;
}

geometry::PointXY Frame::project(const geometry::LonLat& position) const {
  const geometry::PointXY p =
      projection_ ? projection_->forward(position) : geometry::PointXY{position.lon, position.lat};
  return {p.x_m - corner_.x_m, p.y_m - corner_.y_m};
}

geometry::PointXY Frame::inward(const geometry::LonLat& position) const {
  const geometry::PointXY p = project(position);
  return {std::clamp(p.x_m, 0.0, width_m_), std::clamp(p.y_m, 0.0, height_m_)};
}

geometry::LonLat Frame::outward(const geometry::PointXY& point) const {
  const geometry::PointXY p{point.x_m + corner_.x_m, point.y_m + corner_.y_m};
  const geometry::LonLat position = projection_ ? projection_->inverse(p) : geometry::LonLat{p.x_m, p.y_m};
  return {std::clamp(position.lon, box_.south_west.lon, box_.north_east.lon),
          std::clamp(position.lat, box_.south_west.lat, box_.north_east.lat)};
}

std::string Frame::text() const {
  return fmt::format("{},{},{},{}", box_.south_west.lon, box_.south_west.lat, box_.north_east.lon,
                     box_.north_east.lat);
}

}  // namespace fogline::traces
