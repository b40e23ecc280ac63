// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/int128.hpp"

namespace fogline::geometry {

/// A point of the plane with integer coordinates, each at most 2^31 in size.
struct LatticeXY {
  std::int64_t x = 0, y = 0;
  friend auto operator<=>(const LatticeXY&, const LatticeXY&) = default;
  friend LatticeXY operator+(LatticeXY a, LatticeXY b) { return {a.x + b.x, a.y + b.y}; }
  friend LatticeXY operator-(LatticeXY a, LatticeXY b) { return {a.x - b.x, a.y - b.y}; }
  friend LatticeXY operator-(LatticeXY a) { return {-a.x, -a.y}; }
};

/// Twice the area of the triangle of the origin, a and b; positive if b lies to the left of a.
inline Int128 cross(LatticeXY a, LatticeXY b) {
  return static_cast<Int128>(a.x) * b.y - static_cast<Int128>(a.y) * b.x;
}

/// The corners of a convex hull, counter-clockwise from the least in x (then y); no three on a line. One corner for a point, two for a
/// segment. Cost: n log n.
std::vector<LatticeXY> convex_polygon(std::vector<LatticeXY> points);

/// The hull of all differences of two points of a convex polygon, as `convex_polygon` gives it. Cost: linear.
std::vector<LatticeXY> difference_polygon(std::span<const LatticeXY> polygon);

/// Where the ray from the origin through p leaves a polygon of four corners or more that is its own mirror image in the origin.
struct Crossing {
  std::size_t edge = 0;  ///< from this corner to the next, by ray, or by the opposite ray
  Int128 level = 0;      ///< p lies inside if level <= reach; its norm is level / reach
  Int128 reach = 0;
};
Crossing crossing(std::span<const LatticeXY> polygon, LatticeXY p);  ///< cost: log n

}  // namespace fogline::geometry
