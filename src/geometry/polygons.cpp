// SPDX-License-Identifier: Apache-2.0
#include "geometry/polygons.hpp"

#include <utility>

#ifndef __clang__
// GCC takes boxes that the library fills piece by piece for uninitialised once it has inlined the calls.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#define BOOST_ALLOW_DEPRECATED_HEADERS  // the library's own use of them is not ours to mend
#include <boost/geometry.hpp>
#include <boost/geometry/geometries/geometries.hpp>

#include "base/error.hpp"

namespace fogline::geometry {
namespace {

namespace bg = boost::geometry;

using BoostPoint = bg::model::d2::point_xy<double>;
using BoostPolygon = bg::model::polygon<BoostPoint>;
using BoostArea = bg::model::multi_polygon<BoostPolygon>;
using BoostLine = bg::model::linestring<BoostPoint>;
using BoostLines = bg::model::multi_linestring<BoostLine>;
using BoostBox = bg::model::box<BoostPoint>;

template <class BoostRing>
void fill(BoostRing& into, const Ring& ring) {
  for (const PointXY& p : ring) into.emplace_back(p.x_m, p.y_m);
}

BoostArea boost_area(const Polygons& area) {
  BoostArea result;
  for (const Polygon& polygon : area) {
    BoostPolygon one;
    fill(one.outer(), polygon.outer);
    one.inners().resize(polygon.holes.size());
    for (std::size_t i = 0; i < polygon.holes.size(); ++i) fill(one.inners()[i], polygon.holes[i]);
    result.push_back(std::move(one));
  }
  bg::correct(result);  // closes rings and turns them the way the library wants
  return result;
}

template <class BoostRing>
Ring plain_ring(const BoostRing& ring) {
  Ring result;
  for (std::size_t i = 0; i + 1 < ring.size(); ++i) result.push_back({ring[i].x(), ring[i].y()});
  return result;
}

Polygons plain(const BoostArea& area) {
  Polygons result;
  for (const BoostPolygon& polygon : area) {
    Polygon one{plain_ring(polygon.outer())};
    for (const auto& hole : polygon.inners()) one.holes.push_back(plain_ring(hole));
    result.push_back(std::move(one));
  }
  return result;
}

/// What the library cannot compute with is the caller's data, not a fault of the program.
template <class Compute>
auto computed(Compute compute) {
  try {
    return compute();
  } catch (const bg::exception&) {
    throw InvalidOption("area",
                        "has borders that cannot be computed with: corners that nearly coincide, or "
                        "coordinates far apart");
  }
}

BoostArea unite_range(std::span<const Polygons> areas) {
  if (areas.empty()) return {};
  if (areas.size() == 1) return boost_area(areas.front());
  BoostArea result;
  bg::union_(unite_range(areas.first(areas.size() / 2)), unite_range(areas.subspan(areas.size() / 2)),
             result);
  return result;
}

std::string words_for(bg::validity_failure_type fault) {
  switch (fault) {
    case bg::no_failure:
      return {};
    case bg::failure_few_points:
      return "has fewer than three corners";
    case bg::failure_wrong_topological_dimension:
      return "has no extent: its corners lie on a line";
    case bg::failure_spikes:
      return "has a spike: its border goes out and back along the same line";
    case bg::failure_interior_rings_outside:
      return "has a hole that lies outside of it";
    case bg::failure_nested_interior_rings:
      return "has a hole within a hole";
    case bg::failure_intersecting_interiors:
      return "has parts that overlap";
    case bg::failure_disconnected_interior:
      return "is cut in two by its holes";
    case bg::failure_invalid_coordinate:
      return "has a corner that is not finite";
    default:
      return "crosses itself";
  }
}

}  // namespace

std::string fault_of(const Polygons& area) {
  const BoostArea whole = boost_area(area);
  bg::validity_failure_type fault = bg::no_failure;
  for (std::size_t i = 0; i < area.size(); ++i) {
    if (area[i].outer.size() < 3) return words_for(bg::failure_few_points);
    if (!bg::is_valid(whole[i], fault)) return words_for(fault);
  }
  return words_for(bg::is_valid(whole) ? bg::no_failure : bg::failure_intersecting_interiors);
}

double area_m2(const Polygons& area) {
  return bg::area(boost_area(area));
}

Polygon box_area(const PointXY& south_west, const PointXY& north_east) {
  return {{south_west, {north_east.x_m, south_west.y_m}, north_east, {south_west.x_m, north_east.y_m}}};
}

Polygons unite(std::span<const Polygons> areas) {
  return computed([&] { return plain(unite_range(areas)); });
}

Polygons intersect(const Polygons& a, const Polygons& b) {
  return computed([&] {
    BoostArea result;
    bg::intersection(boost_area(a), boost_area(b), result);
    return plain(result);
  });
}

Polygons subtract(const Polygons& a, const Polygons& b) {
  if (b.empty()) return a;
  return computed([&] {
    BoostArea result;
    bg::difference(boost_area(a), boost_area(b), result);
    return plain(result);
  });
}

Polygons strip_along(std::span<const PointXY> line, double width_m) {
  constexpr std::size_t points_per_circle = 16;
  BoostLine boost_line;
  for (const PointXY& p : line) boost_line.emplace_back(p.x_m, p.y_m);
  return computed([&] {
    BoostArea result;
    bg::buffer(boost_line, result, bg::strategy::buffer::distance_symmetric<double>(width_m / 2),
               bg::strategy::buffer::side_straight(), bg::strategy::buffer::join_round(points_per_circle),
               bg::strategy::buffer::end_round(points_per_circle),
               bg::strategy::buffer::point_circle(points_per_circle));
    return plain(result);
  });
}

std::vector<std::vector<PointXY>> line_within(std::span<const PointXY> line, const PointXY& south_west,
                                              const PointXY& north_east) {
  BoostLine boost_line;
  for (const PointXY& p : line) boost_line.emplace_back(p.x_m, p.y_m);
  BoostLines parts;
  bg::intersection(boost_line, BoostBox({south_west.x_m, south_west.y_m}, {north_east.x_m, north_east.y_m}),
                   parts);
  std::vector<std::vector<PointXY>> result;
  for (const BoostLine& part : parts) {
    auto& points = result.emplace_back();
    for (const BoostPoint& p : part) points.push_back({p.x(), p.y()});
  }
  return result;
}

}  // namespace fogline::geometry
