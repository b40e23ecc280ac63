// SPDX-License-Identifier: Apache-2.0
#include "geometry/plane_polygon.hpp"

#include <algorithm>

namespace fogline::geometry {
namespace {

/// Andrew's monotone chain: the lower half of the hull from left to right, or the upper one from right to left.
template <class Iterator>
void add_half(Iterator first, Iterator last, std::vector<LatticeXY>& hull) {
  const std::size_t start = hull.size();
  for (; first != last; ++first) {
    while (hull.size() >= start + 2 && cross(hull.back() - hull[hull.size() - 2], *first - hull.back()) <= 0)
      hull.pop_back();
    hull.push_back(*first);
  }
  hull.pop_back();  // where the other half begins
}

/// Appends an edge, or lengthens the last one if it goes the same way.
void add_edge(LatticeXY edge, std::vector<LatticeXY>& edges) {
  if (!edges.empty() && cross(edges.back(), edge) == 0)
    edges.back() = edges.back() + edge;
  else
    edges.push_back(edge);
}

}  // namespace

std::vector<LatticeXY> convex_polygon(std::vector<LatticeXY> points) {
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 2) return points;
  std::vector<LatticeXY> hull;
  add_half(points.begin(), points.end(), hull);
  add_half(points.rbegin(), points.rend(), hull);
  return hull;
}

std::vector<LatticeXY> difference_polygon(std::span<const LatticeXY> polygon) {
  if (polygon.empty()) return {};
  const std::size_t size = polygon.size();
  const auto right =
      static_cast<std::size_t>(std::max_element(polygon.begin(), polygon.end()) - polygon.begin());
  const auto edge = [&](std::size_t i) { return polygon[(i + 1) % size] - polygon[i]; };
  // From the least to the greatest corner turn the lower edges of the polygon and the upper ones, mirrored: merged by direction.
  std::vector<LatticeXY> edges;
  std::size_t lower = 0, upper = right;
  const std::size_t upper_end = size == 1 ? right : size;
  while (lower < right || upper < upper_end) {
    const bool take_lower = upper == upper_end || (lower < right && cross(edge(lower), -edge(upper)) >= 0);
    add_edge(take_lower ? edge(lower++) : -edge(upper++), edges);
  }
  std::vector<LatticeXY> result;
  LatticeXY corner = polygon[0] - polygon[right];
  for (const LatticeXY step : edges) {
    result.push_back(corner);
    corner = corner + step;
  }
  const std::size_t half = result.size();
  for (std::size_t i = 0; i < half; ++i) result.push_back(-result[i]);
  if (half == 0) result.push_back({});
  return result;
}

Crossing crossing(std::span<const LatticeXY> polygon, LatticeXY p) {
  const std::size_t half = polygon.size() / 2;
  const Int128 side = cross(polygon[0], p);
  const bool opposite =
      side < 0 ||
      (side == 0 && static_cast<Int128>(polygon[0].x) * p.x + static_cast<Int128>(polygon[0].y) * p.y < 0);
  if (opposite) p = -p;
  // Corners 0 to half turn by half a circle; the last one that p does not lie to the right of begins the edge.
  std::size_t low = 0, high = half;
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (cross(polygon[middle], p) >= 0 ? low : high) = middle;
  }
  const LatticeXY from = polygon[low], to = polygon[(low + 1) % polygon.size()];
  return {.edge = low, .level = cross(p, to - from), .reach = cross(from, to)};
}

}  // namespace fogline::geometry
