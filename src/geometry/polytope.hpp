// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/int128.hpp"
#include "geometry/lattice_points.hpp"

namespace fogline::geometry {

constexpr std::size_t most_dimensions = 8;

/// A half-space that touches a polytope in a facet: normal . x <= level, in lowest terms.
struct FacetPlane {
  std::array<Int128, most_dimensions> normal = {};
  Int128 level = 0;
  std::vector<std::uint32_t> vertices = {};  ///< all vertices on it, increasing, as numbers of points
};

/// Corners of a piece of the boundary, as numbers of points: as many as the space has dimensions.
using Simplex = std::array<std::uint32_t, most_dimensions>;

/// The convex hull of integer points in three dimensions or more, exact.
struct Polytope {
  std::vector<std::uint32_t> vertices = {};  ///< numbers of points, increasing
  std::vector<FacetPlane> facets = {};
  std::vector<Simplex> simplices = {};  ///< the boundary, cut up
};

/// The hull of distinct points that do not all lie on one plane. qhull proposes the facets; each is computed anew from its integer corners, all
/// points are compared with it in integers, and the boundary they make must be closed. So rounding cannot leave out a point or a facet:
/// throws Error if qhull's proposal fails any of this.
///
/// Limits: 3 to 8 dimensions; coordinates whose determinants fit 125 bits. Cost: as qhull, and points times facets.
Polytope polytope(const LatticePoints& points);

/// normal . x; exact for points of the size that the polytope was made of.
Int128 along(const FacetPlane& plane, std::span<const std::int64_t> point);

}  // namespace fogline::geometry
