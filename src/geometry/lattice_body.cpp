// SPDX-License-Identifier: Apache-2.0
#include "geometry/lattice_body.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "geometry/minors.hpp"

namespace fogline::geometry {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// So that rank! * 2^rank * the product of the largest own coordinates stays below 2^126: it bounds the determinants, their sum over all
// cones, and a facet's normal times a vertex. Own coordinates of slices may double from one to the next (SpanLattice).
constexpr std::array<int, most_dimensions + 1> coordinate_bits = {0, 40, 30, 30, 28, 22, 18, 15, 12};

void check(const LatticePoints& points, std::int64_t limit) {
  if (std::ranges::any_of(points.coordinates, [&](std::int64_t x) { return x > limit || x < -limit; }))
    throw InvalidOption("lattice-step",
                        fmt::format("is too fine: in {} dimensions differences may be {} steps at most",
                                    points.dimension, limit));
}

std::vector<LatticeXY> plane_points(const LatticePoints& points) {
  std::vector<LatticeXY> result;
  result.reserve(2 * points.size());
  for (std::size_t i = 0; i < points.size(); ++i) result.push_back({points[i][0], points[i][1]});
  return result;
}

LatticePoints from_plane(std::span<const LatticeXY> corners) {
  LatticePoints points{.dimension = 2};
  for (const LatticeXY corner : corners) points.add(std::array{corner.x, corner.y});
  return points;
}

/// Points and their mirror images, each once, and which point each came from.
struct Mirrored {
  LatticePoints points;
  std::vector<std::pair<std::size_t, bool>> origin = {};  // point, mirrored
};

Mirrored mirrored(const LatticePoints& own) {
  std::map<std::vector<std::int64_t>, std::pair<std::size_t, bool>> seen;
  for (std::size_t i = 0; i < own.size(); ++i) {
    std::vector<std::int64_t> point(own[i].begin(), own[i].end());
    seen.emplace(point, std::pair(i, false));
    for (std::int64_t& coordinate : point) coordinate = -coordinate;
    seen.emplace(std::move(point), std::pair(i, true));
  }
  Mirrored result{.points = {.dimension = own.dimension}};
  for (const auto& [point, origin] : seen) {
    result.points.add(point);
    result.origin.push_back(origin);
  }
  return result;
}

void add_signed(LatticePoints& to, const LatticePoints& from, std::pair<std::size_t, bool> origin) {
  if (origin.second)
    to.add_negative(from[origin.first]);
  else
    to.add(from[origin.first]);
}

LatticePoints in_own_coordinates(const SpanLattice& span, const LatticePoints& points) {
  LatticePoints own{.dimension = span.rank()};
  std::vector<std::int64_t> point(span.rank());
  for (std::size_t i = 0; i < points.size(); ++i) {
    span.coordinates(points[i], point);
    own.add(point);
  }
  return own;
}

/// One of two opposite planes: the one whose first non-zero coordinate is positive.
bool is_first_of_two(const FacetPlane& plane) {
  for (const Int128 coordinate : plane.normal) {
    if (coordinate != 0) return coordinate > 0;
  }
  return false;
}

}  // namespace

std::int64_t LatticeBody::largest_coordinate(std::size_t dimension) {
  if (dimension < 1 || dimension > most_dimensions)
    throw InvalidOption("columns", "a measurement has 1 to 8 columns");
  return std::int64_t{1} << coordinate_bits[dimension];
}

LatticeBody LatticeBody::hull(const LatticePoints& points) {
  check(points, largest_coordinate(points.dimension));
  if (points.dimension == 2) {
    std::vector<LatticeXY> both = plane_points(points);
    for (std::size_t i = 0, size = both.size(); i < size; ++i) both.push_back(-both[i]);
    std::vector<LatticeXY> corners = convex_polygon(std::move(both));
    LatticePoints full = from_plane(corners);
    SpanLattice span(full);
    if (span.is_full()) return polygon(std::move(span), std::move(corners), std::move(full));
  }
  SpanLattice span(points);
  const LatticePoints own = in_own_coordinates(span, points);
  if (span.rank() <= 1) return segment(std::move(span), points, own);
  if (span.rank() > 2) return solid(std::move(span), points, own);
  const Mirrored both = mirrored(own);
  std::vector<LatticeXY> corners = convex_polygon(plane_points(both.points));
  LatticePoints full{.dimension = points.dimension};
  const std::vector<LatticeXY> all = plane_points(both.points);  // sorted, as the map was
  for (const LatticeXY corner : corners) {
    const auto place = std::ranges::lower_bound(all, corner) - all.begin();
    add_signed(full, points, both.origin[static_cast<std::size_t>(place)]);
  }
  return polygon(std::move(span), std::move(corners), std::move(full));
}

LatticeBody LatticeBody::segment(SpanLattice span, const LatticePoints& points, const LatticePoints& own) {
  LatticeBody body(std::move(span));
  body.vertices_.dimension = points.dimension;
  body.own_.dimension = body.rank();
  if (body.rank() == 0) {
    body.vertices_.coordinates.assign(points.dimension, 0);
    return body;
  }
  const auto farthest = static_cast<std::size_t>(
      std::ranges::max_element(own.coordinates, {}, [](std::int64_t x) { return std::abs(x); }) -
      own.coordinates.begin());
  for (const bool opposite : {false, true}) {
    add_signed(body.vertices_, points, {farthest, opposite});
    add_signed(body.own_, own, {farthest, opposite});
  }
  FacetPlane plane{.level = std::abs(own.coordinates[farthest])};
  plane.normal[0] = 1;
  body.add_plane(plane);
  body.add_cone({0});
  body.add_cone({1});
  return body;
}

LatticeBody LatticeBody::polygon(SpanLattice span, std::vector<LatticeXY> corners, LatticePoints full) {
  LatticeBody body(std::move(span));
  body.vertices_ = std::move(full);
  body.own_ = from_plane(corners);
  body.polygon_ = std::move(corners);
  const auto size = static_cast<std::uint32_t>(body.polygon_.size());
  for (std::uint32_t i = 0; i < size; ++i) {
    const LatticeXY from = body.polygon_[i], to = body.polygon_[(i + 1) % size];
    body.cones_.push_back(
        {.corner = {i, (i + 1) % size}, .determinant = static_cast<Uint128>(cross(from, to))});
    if (i >= size / 2) continue;
    const auto level = static_cast<double>(cross(from, to));
    body.forms_.push_back(static_cast<double>(to.y - from.y) / level);
    body.forms_.push_back(static_cast<double>(from.x - to.x) / level);
  }
  return body;
}

LatticeBody LatticeBody::solid(SpanLattice span, const LatticePoints& points, const LatticePoints& own) {
  LatticeBody body(std::move(span));
  const Mirrored both = mirrored(own);
  const Polytope hull = geometry::polytope(both.points);
  body.vertices_.dimension = points.dimension;
  body.own_.dimension = body.rank();
  std::vector<std::uint32_t> number(both.points.size());
  for (std::uint32_t i = 0; i < hull.vertices.size(); ++i) {
    number[hull.vertices[i]] = i;
    add_signed(body.vertices_, points, both.origin[hull.vertices[i]]);
    body.own_.add(both.points[hull.vertices[i]]);
  }
  for (const FacetPlane& plane : hull.facets) {
    if (is_first_of_two(plane)) body.add_plane(plane);
  }
  for (Simplex simplex : hull.simplices) {
    for (std::size_t i = 0; i < body.rank(); ++i) simplex[i] = number[simplex[i]];
    body.add_cone(simplex);
  }
  return body;
}

void LatticeBody::add_plane(const FacetPlane& plane) {
  for (std::size_t j = 0; j < rank(); ++j)
    forms_.push_back(static_cast<double>(plane.normal[j]) / static_cast<double>(plane.level));
  planes_.push_back({.normal = plane.normal, .level = plane.level});
}

void LatticeBody::add_cone(const Simplex& corner) {
  Minors minors(rank());
  for (std::size_t i = 0; i < rank(); ++i) minors.add_row(own_[corner[i]]);
  const Int128 determinant = minors.of((std::uint32_t{1} << rank()) - 1);
  cones_.push_back(
      {.corner = corner, .determinant = static_cast<Uint128>(determinant < 0 ? -determinant : determinant)});
}

bool LatticeBody::in_span(std::span<const std::int64_t> point) const {
  std::array<std::int64_t, most_dimensions> own{};
  return span_.coordinates(point, std::span(own).first(rank()));
}

bool LatticeBody::contains(std::span<const std::int64_t> point) const {
  const std::int64_t limit = largest_coordinate(dimension());
  // Beyond the limit on vertices it lies outside, and products might not fit.
  if (std::ranges::any_of(point, [&](std::int64_t x) { return x > limit || x < -limit; })) return false;
  std::array<std::int64_t, most_dimensions> space{};
  const std::span own = std::span(space).first(rank());
  if (!span_.coordinates(point, own)) return false;
  if (rank() == 2) {
    const Crossing found = crossing(polygon_, {own[0], own[1]});
    return found.level <= found.reach;
  }
  return std::ranges::all_of(planes_, [&](const FacetPlane& plane) {
    const Int128 level = along(plane, own);
    return level <= plane.level && -level <= plane.level;
  });
}

double LatticeBody::norm(std::span<const std::int64_t> point) const {
  double result = 0;
  LatticePoints origin{.dimension = dimension(), .coordinates = std::vector<std::int64_t>(dimension())};
  distances(point, origin, std::span(&result, 1));
  return result;
}

void LatticeBody::distances(std::span<const std::int64_t> from, const LatticePoints& to,
                            std::span<double> out) const {
  constexpr std::size_t block = 256;
  std::array<std::array<double, block>, most_dimensions> own;
  std::array<double, block> norm;
  std::array<std::int64_t, most_dimensions> difference{}, coordinates{};
  const std::span in_slice = std::span(coordinates).first(rank());
  for (std::size_t first = 0; first < to.size(); first += block) {
    const std::size_t count = std::min(block, to.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < dimension(); ++j) difference[j] = from[j] - to[first + i][j];
      const bool inside = span_.coordinates(std::span(difference).first(dimension()), in_slice);
      norm[i] = inside ? 0 : infinity;
      for (std::size_t j = 0; j < rank(); ++j) own[j][i] = inside ? static_cast<double>(coordinates[j]) : 0;
    }
    for (std::size_t form = 0; form < forms_.size(); form += rank()) {
      std::array<double, block> value;
      for (std::size_t i = 0; i < count; ++i) value[i] = forms_[form] * own[0][i];
      for (std::size_t j = 1; j < rank(); ++j) {
        for (std::size_t i = 0; i < count; ++i) value[i] += forms_[form + j] * own[j][i];
      }
      for (std::size_t i = 0; i < count; ++i) norm[i] = std::max(norm[i], std::abs(value[i]));
    }
    std::copy_n(norm.begin(), count, out.begin() + static_cast<std::ptrdiff_t>(first));
  }
}

double LatticeBody::volume() const {
  double sum = rank() == 0 ? 1 : 0;
  for (const Cone& cone : cones_) sum += static_cast<double>(cone.determinant);
  return sum / std::tgamma(static_cast<double>(rank()) + 1);
}

}  // namespace fogline::geometry
