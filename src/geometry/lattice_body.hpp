// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/int128.hpp"
#include "geometry/lattice_points.hpp"
#include "geometry/plane_polygon.hpp"
#include "geometry/polytope.hpp"
#include "geometry/span_lattice.hpp"

namespace fogline::geometry {

/// The convex hull of integer points and their mirror images in the origin: a sensitivity hull, and the norm whose unit ball it is.
///
///     LatticeBody body = LatticeBody::hull(differences);
///     body.contains(difference);                 // exact
///     body.norm(point);                          // 1 on the boundary, infinite outside its span
///
/// It may be flat: rank() says of which dimension it is (0: the origin alone), and everything is then about that slice. In the plane the
/// hull comes from a sort, in higher dimension from qhull, whose facets are then checked in integers: a point that qhull's rounding left out
/// would be an error, never a smaller body.
///
/// Limits: 1 to 8 dimensions, coordinates up to largest_coordinate(dimension). Cost: n log n in the plane; above, as qhull.
class LatticeBody {
 public:
  static std::int64_t largest_coordinate(std::size_t dimension);

  /// Throws InvalidOption for coordinates beyond the limit.
  static LatticeBody hull(const LatticePoints& points);
  /// The hull of all differences of two of the points, whose coordinates may be half as large: the same as `hull` of the n^2 differences, in
  /// n log n in the plane, and from the corners of the points' own hull above.
  static LatticeBody difference_body(const LatticePoints& points);
  /// Corners of the hull of points as they are, without mirror images, as numbers of points.
  static std::vector<std::uint32_t> corners(const LatticePoints& points);

  std::size_t dimension() const { return span_.dimension(); }  ///< of the space
  std::size_t rank() const { return span_.rank(); }            ///< of the body
  const LatticePoints& vertices() const {
    return vertices_;
  }  ///< with their mirror images; in the plane counter-clockwise
  bool contains(std::span<const std::int64_t> point) const;  ///< exact
  bool in_span(std::span<const std::int64_t> point) const;   ///< exact: is some multiple of the body over it?
  double norm(std::span<const std::int64_t> point) const;    ///< infinite outside the span
  /// out[i] = norm(from - to[i]): many at once, about a nanosecond per point and pair of opposite facets.
  void distances(std::span<const std::int64_t> from, const LatticePoints& to, std::span<double> out) const;
  double volume()
      const;  ///< in the plane its area; in a slice, in cells of the slice's own lattice; 1 for rank 0

  /// A piece of the boundary with the origin: every point of the slice is a sum of non-negative multiples of the corners of a cone, and its norm
  /// the sum of these multiples. Cones overlap in their sides only.
  struct Cone {
    Simplex corner = {};  ///< the first rank() of them; numbers of vertices()
    Uint128 determinant =
        0;  ///< points of the slice's lattice in the half-open parallelepiped of the corners
  };
  std::span<const Cone> cones() const { return cones_; }  ///< none for rank 0
  /// Vertices in coordinates of the slice's own lattice, which are all integer points of the slice; rank() numbers each.
  const LatticePoints& own_vertices() const { return own_; }
  /// The same of any integer point; false outside the slice.
  bool own_coordinates(std::span<const std::int64_t> point, std::span<std::int64_t> own) const {
    return span_.coordinates(point, own);
  }

 private:
  explicit LatticeBody(SpanLattice span) : span_(std::move(span)) {}
  static LatticeBody segment(SpanLattice span, const LatticePoints& points, const LatticePoints& own);
  static LatticeBody polygon(SpanLattice span, std::vector<LatticeXY> corners, LatticePoints full);
  static LatticeBody solid(SpanLattice span, const LatticePoints& points, const LatticePoints& own);
  void add_plane(const FacetPlane& plane);
  void add_cone(const Simplex& corner);

  SpanLattice span_;
  LatticePoints vertices_ = {}, own_ = {};
  std::vector<LatticeXY> polygon_ = {};  // own_, if rank is 2
  std::vector<FacetPlane> planes_ = {};  // one of each two opposite ones, by own coordinates; none for rank 2
  std::vector<double> forms_ = {};  // normal / level of one of each two opposite facets, rank numbers each
  std::vector<Cone> cones_ = {};
};

}  // namespace fogline::geometry
