// SPDX-License-Identifier: Apache-2.0
#include "traces/frame/trip_shape.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace fogline::traces {
namespace {

/// Of so few all pairs are looked at, of more the corners of their hull: both find the same pair, so that time alone
/// hangs on this.
constexpr std::size_t few_points = 32;

double squared(const PlanePoint& a, const PlanePoint& b) {
  const double dx = static_cast<double>(b.x) - a.x, dy = static_cast<double>(b.y) - a.y;
  return dx * dx + dy * dy;
}

/// Twice the area of the triangle, positive if it turns left. The product of differences of floats is exact enough: what rounding could drop lies on
/// the hull's edge to within it.
double left_turn(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c) {
  return (static_cast<double>(b.x) - a.x) * (static_cast<double>(c.y) - a.y) -
         (static_cast<double>(b.y) - a.y) * (static_cast<double>(c.x) - a.x);
}

/// Appends one side of the hull of points sorted by x, then y.
void one_side(const std::vector<PlanePoint>& sorted, double side, std::vector<PlanePoint>& hull) {
  const std::size_t begin = hull.size();
  for (const PlanePoint& p : sorted) {
    while (hull.size() >= begin + 2 && side * left_turn(hull[hull.size() - 2], hull.back(), p) <= 0)
      hull.pop_back();
    hull.push_back(p);
  }
}

std::vector<PlanePoint> hull_corners(std::span<const PlanePoint> points) {
  std::vector<PlanePoint> sorted(points.begin(), points.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const PlanePoint& a, const PlanePoint& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::vector<PlanePoint> hull;
  one_side(sorted, 1, hull);
  one_side(sorted, -1, hull);
  return hull;
}

double widest(std::span<const PlanePoint> points) {
  double largest = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) largest = std::max(largest, squared(points[i], points[j]));
  return std::sqrt(largest);
}

}  // namespace

double distance_m(const PlanePoint& a, const PlanePoint& b) {
  return std::sqrt(squared(a, b));
}

double length_m(std::span<const PlanePoint> trip) {
  double length = 0;
  for (std::size_t i = 1; i < trip.size(); ++i) length += distance_m(trip[i - 1], trip[i]);
  return length;
}

double diameter_m(std::span<const PlanePoint> trip) {
  return trip.size() <= few_points ? widest(trip) : widest(hull_corners(trip));
}

double turn_degrees(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c) {
  if (a == b || b == c) return -1;
  const double ax = static_cast<double>(b.x) - a.x, ay = static_cast<double>(b.y) - a.y;
  const double bx = static_cast<double>(c.x) - b.x, by = static_cast<double>(c.y) - b.y;
  return std::atan2(std::abs(ax * by - ay * bx), ax * bx + ay * by) * 180 / std::numbers::pi;
}

}  // namespace fogline::traces
