// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/int128.hpp"
#include "geometry/lattice_points.hpp"

namespace fogline::geometry {

/// All integer points of the linear space that some integer points span, and coordinates of its own for them.
///
///     SpanLattice span(points);                          // say (2, 4) and (3, 6)
///     span.rank();                                       // 1
///     std::vector<std::int64_t> own(span.rank());
///     span.coordinates(point, own);                      // (5, 10) is 5; (1, 3) lies outside: false
///
/// Every integer point of the space has integer coordinates, and every choice of integers is such a point. Where the points span everything,
/// a point's own coordinates are those it has.
///
/// Limits: as LatticeBody. Own coordinate i is at most 2^i times the largest coordinate, i counted from 0.
class SpanLattice {
 public:
  explicit SpanLattice(const LatticePoints& points);

  std::size_t dimension() const { return dimension_; }
  std::size_t rank() const { return pivots_.size(); }
  bool is_full() const { return rank() == dimension_; }

  /// False if the point lies outside. Throws InvalidOption for a point too far away to tell in 128 bits.
  bool coordinates(std::span<const std::int64_t> point, std::span<std::int64_t> own) const;

 private:
  bool contains(std::span<const std::int64_t> point) const;

  std::size_t dimension_;
  std::vector<std::size_t> pivots_ = {};  // the coordinates that decide the others
  std::vector<std::size_t> others_ = {};
  Int128 scale_ = 1;  // point[others_[j]] * scale_ = sum over i of point[pivots_[i]] * dependence_[i][j]
  std::vector<std::vector<Int128>> dependence_ = {};
  std::vector<std::vector<Int128>> basis_ = {};  // triangular, of the pivot coordinates
};

}  // namespace fogline::geometry
