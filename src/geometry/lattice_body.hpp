// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/int128.hpp"

namespace fogline::geometry {

/// Points with integer coordinates, one after another.
struct LatticePoints {
  std::size_t dimension = 0;
  std::vector<std::int64_t> coordinates = {};

  std::size_t size() const { return dimension == 0 ? 0 : coordinates.size() / dimension; }
  std::span<const std::int64_t> operator[](std::size_t point) const {
    return std::span(coordinates).subspan(point * dimension, dimension);
  }
  void add(std::span<const std::int64_t> point) {
    coordinates.insert(coordinates.end(), point.begin(), point.end());
  }
};

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

  std::size_t dimension() const;          ///< of the space
  std::size_t rank() const;               ///< of the body
  const LatticePoints& vertices() const;  ///< with their mirror images; in the plane counter-clockwise
  bool contains(std::span<const std::int64_t> point) const;  ///< exact
  bool in_span(std::span<const std::int64_t> point) const;   ///< exact: is some multiple of the body over it?
  double norm(std::span<const std::int64_t> point) const;    ///< infinite outside the span
  double volume()
      const;  ///< in the plane its area; in a slice, in cells of the slice's own lattice; 1 for rank 0
};

}  // namespace fogline::geometry
