// SPDX-License-Identifier: Apache-2.0
#include "geometry/polytope.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "geometry/minors.hpp"
#include "geometry/modular_lattice.hpp"
#include "geometry/qhull.hpp"

namespace fogline::geometry {
namespace {

using Face = std::vector<std::uint32_t>;  // vertices, increasing

Uint128 magnitude(Int128 value) {
  return static_cast<Uint128>(value < 0 ? -value : value);
}

/// The plane through the corners of a simplex, either way round; none if they lie on a flat of less.
std::optional<FacetPlane> plane_through(const LatticePoints& points, const Simplex& simplex) {
  const std::size_t dimension = points.dimension;
  Minors minors(dimension + 1);
  for (std::size_t i = 0; i < dimension; ++i) {
    std::array<std::int64_t, Minors::most_columns> row{};
    std::ranges::copy(points[simplex[i]], row.begin());
    row[dimension] = 1;
    minors.add_row(row);
  }
  FacetPlane plane;
  const std::uint32_t all = (std::uint32_t{2} << dimension) - 1;
  Uint128 divisor = 0;
  for (std::size_t j = 0; j < dimension; ++j) {
    const Int128 minor = minors.of(all & ~(std::uint32_t{1} << j));
    plane.normal[j] = (dimension - 1 - j) % 2 == 0 ? minor : -minor;
    divisor = greatest_common_divisor(divisor, magnitude(minor));
  }
  if (divisor == 0) return std::nullopt;
  plane.level = minors.of(all & ~(std::uint32_t{1} << dimension));
  for (std::size_t j = 0; j < dimension; ++j) plane.normal[j] /= static_cast<Int128>(divisor);
  plane.level /= static_cast<Int128>(divisor);  // exact: the plane holds integer points
  return plane;
}

/// The points in floating point, to leave the exact comparison to those that lie close.
class Screen {
 public:
  explicit Screen(const LatticePoints& points) : points_(points), centre_(points.dimension) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (std::size_t j = 0; j < points.dimension; ++j) {
        const auto value = static_cast<double>(points[i][j]);
        largest_ = std::max(largest_, std::abs(value));
        centre_[j] += value / static_cast<double>(points.size());
      }
    }
  }

  /// Turns the plane outwards and finds the points on it; none if a point lies beyond it.
  std::optional<Face> touching(FacetPlane& plane) const {
    double tolerance = 0, side = -static_cast<double>(plane.level);
    std::array<double, most_dimensions> normal{};
    for (std::size_t j = 0; j < points_.dimension; ++j) {
      normal[j] = static_cast<double>(plane.normal[j]);
      tolerance += 1e-12 * std::abs(normal[j]) * largest_;
      side += normal[j] * centre_[j];
    }
    if (side > 0) {
      for (std::size_t j = 0; j < points_.dimension; ++j) {
        plane.normal[j] = -plane.normal[j];
        normal[j] = -normal[j];
      }
      plane.level = -plane.level;
    }
    Face face;
    const auto level = static_cast<double>(plane.level);
    for (std::uint32_t i = 0; i < points_.size(); ++i) {
      double value = -level;
      for (std::size_t j = 0; j < points_.dimension; ++j)
        value += normal[j] * static_cast<double>(points_[i][j]);
      if (value < -tolerance) continue;
      const Int128 exact = along(plane, points_[i]);
      if (exact > plane.level) return std::nullopt;
      if (exact == plane.level) face.push_back(i);
    }
    return face;
  }

 private:
  const LatticePoints& points_;
  std::vector<double> centre_;
  double largest_ = 0;
};

Face common(const Face& a, const Face& b) {
  Face both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return both;
}

/// Cuts faces into simplices by pulling: a face is cut from its first vertex to the cuts of its own facets that do not hold it. What a face's
/// facets are follows from which vertices lie on which planes.
class Cutter {
 public:
  Cutter(const std::vector<FacetPlane>& facets, std::size_t dimension, std::vector<Simplex>& out)
      : facets_(facets), dimension_(dimension), out_(out) {}

  void cut(const Face& face) { cut(face, dimension_ - 1); }

 private:
  void cut(const Face& face, std::size_t face_dimension) {
    if (face.size() == face_dimension + 1) {
      Simplex simplex = pulled_;
      std::ranges::copy(face, simplex.begin() + static_cast<std::ptrdiff_t>(depth_));
      out_.push_back(simplex);
      return;
    }
    pulled_[depth_++] = face.front();
    for (const Face& side : sides(face, face_dimension)) {
      if (side.front() != face.front()) cut(side, face_dimension - 1);
    }
    --depth_;
  }

  /// The largest proper faces: what is left of it on other planes, and not a part of another such.
  std::vector<Face> sides(const Face& face, std::size_t face_dimension) const {
    std::set<Face> shared;
    for (const FacetPlane& plane : facets_) {
      Face side = common(face, plane.vertices);
      if (side.size() >= face_dimension && side.size() < face.size()) shared.insert(std::move(side));
    }
    std::vector<Face> result;
    for (const Face& side : shared) {
      const bool part_of_another = std::ranges::any_of(shared, [&](const Face& other) {
        return other.size() > side.size() && std::ranges::includes(other, side);
      });
      if (!part_of_another) result.push_back(side);
    }
    return result;
  }

  const std::vector<FacetPlane>& facets_;
  std::size_t dimension_;
  std::vector<Simplex>& out_;
  Simplex pulled_ = {};
  std::size_t depth_ = 0;
};

/// Points that lie on facets but are no corner share all their facets with another point.
void keep_corners(Polytope& hull, std::size_t points) {
  std::vector<std::optional<Face>> smallest(points);
  for (const FacetPlane& facet : hull.facets) {
    for (const std::uint32_t point : facet.vertices)
      smallest[point] = smallest[point] ? common(*smallest[point], facet.vertices) : facet.vertices;
  }
  for (std::uint32_t i = 0; i < points; ++i) {
    if (smallest[i] && smallest[i]->size() == 1) hull.vertices.push_back(i);
  }
  for (FacetPlane& facet : hull.facets) facet.vertices = common(facet.vertices, hull.vertices);
}

/// Every side of a simplex is a side of one other: a boundary with a hole, or a facet too many, would show.
bool is_closed(const std::vector<Simplex>& simplices, std::size_t dimension) {
  std::vector<Face> sides;
  for (const Simplex& simplex : simplices) {
    for (std::size_t left_out = 0; left_out < dimension; ++left_out) {
      Face side;
      for (std::size_t i = 0; i < dimension; ++i) {
        if (i != left_out) side.push_back(simplex[i]);
      }
      std::ranges::sort(side);
      sides.push_back(std::move(side));
    }
  }
  std::ranges::sort(sides);
  for (std::size_t i = 0; i < sides.size(); i += 2) {
    if (i + 1 == sides.size() || sides[i] != sides[i + 1]) return false;
    if (i + 2 < sides.size() && sides[i + 2] == sides[i]) return false;
  }
  return !sides.empty();
}

}  // namespace

Int128 along(const FacetPlane& plane, std::span<const std::int64_t> point) {
  Int128 sum = 0;
  for (std::size_t j = 0; j < point.size(); ++j) sum += plane.normal[j] * point[j];
  return sum;
}

Polytope polytope(const LatticePoints& points) {
  Polytope hull;
  const Screen screen(points);
  std::set<std::pair<std::array<Int128, most_dimensions>, Int128>> known;
  for (const Simplex& proposal : qhull_facets(points)) {
    auto plane = plane_through(points, proposal);
    if (!plane) continue;
    auto face = screen.touching(*plane);
    if (!face || !known.emplace(plane->normal, plane->level).second) continue;
    plane->vertices = std::move(*face);
    hull.facets.push_back(std::move(*plane));
  }
  keep_corners(hull, points.size());
  Cutter cutter(hull.facets, points.dimension, hull.simplices);
  for (const FacetPlane& facet : hull.facets) cutter.cut(facet.vertices);
  if (!is_closed(hull.simplices, points.dimension))
    throw Error("the hull of these measurements is too thin for floating point; try a coarser lattice step");
  return hull;
}

}  // namespace fogline::geometry
