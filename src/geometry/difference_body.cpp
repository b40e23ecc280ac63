// SPDX-License-Identifier: Apache-2.0
// LatticeBody's hull of all differences of a set: apart from the rest of it because it needs only what is public there.
#include <algorithm>
#include <map>
#include <numeric>

#include "base/error.hpp"
#include "geometry/lattice_body.hpp"

namespace fogline::geometry {
namespace {

std::vector<LatticeXY> in_plane(const LatticePoints& points) {
  std::vector<LatticeXY> result;
  for (std::size_t i = 0; i < points.size(); ++i) result.push_back({points[i][0], points[i][1]});
  return result;
}

/// Every point once, as the number of the first of its kind.
std::vector<std::uint32_t> distinct(const LatticePoints& points) {
  std::vector<std::uint32_t> order(points.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  const auto less = [&](std::uint32_t a, std::uint32_t b) {
    return std::ranges::lexicographical_compare(points[a], points[b]);
  };
  const auto same = [&](std::uint32_t a, std::uint32_t b) {
    return std::ranges::equal(points[a], points[b]);
  };
  std::ranges::stable_sort(order, less);
  order.erase(std::ranges::unique(order, same).begin(), order.end());
  return order;
}

/// From where `origin` is 0, in the coordinates of the slice through it that holds all points.
LatticePoints shifted(const LatticePoints& points, std::span<const std::uint32_t> chosen) {
  LatticePoints from_first{.dimension = points.dimension};
  for (const std::uint32_t i : chosen) from_first.add_difference(points[i], points[chosen.front()]);
  const SpanLattice span(from_first);
  LatticePoints own{.dimension = span.rank()};
  std::vector<std::int64_t> point(span.rank());
  for (std::size_t i = 0; i < from_first.size(); ++i) {
    span.coordinates(from_first[i], point);
    own.add(point);
  }
  return own;
}

}  // namespace

std::vector<std::uint32_t> LatticeBody::corners(const LatticePoints& points) {
  std::vector<std::uint32_t> chosen = distinct(points);
  if (chosen.size() <= 2) return chosen;
  const LatticePoints own = shifted(points, chosen);
  std::vector<std::uint32_t> result;
  if (own.dimension == 1) {
    const auto [low, high] = std::ranges::minmax_element(own.coordinates);
    return {chosen[static_cast<std::size_t>(low - own.coordinates.begin())],
            chosen[static_cast<std::size_t>(high - own.coordinates.begin())]};
  }
  if (own.dimension == 2) {
    std::map<LatticeXY, std::uint32_t> number;
    const std::vector<LatticeXY> all = in_plane(own);
    for (std::size_t i = 0; i < all.size(); ++i) number.emplace(all[i], chosen[i]);
    for (const LatticeXY corner : convex_polygon(all)) result.push_back(number.at(corner));
    return result;
  }
  for (const std::uint32_t i : polytope(own).vertices) result.push_back(chosen[i]);
  return result;
}

LatticeBody LatticeBody::difference_body(const LatticePoints& points) {
  const std::int64_t limit = largest_coordinate(points.dimension) / 2;
  if (std::ranges::any_of(points.coordinates, [&](std::int64_t x) { return x > limit || x < -limit; }))
    throw InvalidOption("lattice-step", "is too fine for measurements of this size");
  LatticePoints differences{.dimension = points.dimension};
  if (points.dimension == 2) {
    for (const LatticeXY corner : difference_polygon(convex_polygon(in_plane(points))))
      differences.add(std::array{corner.x, corner.y});
    return hull(differences);
  }
  const std::vector<std::uint32_t> extreme = corners(points);
  for (const std::uint32_t a : extreme) {
    for (const std::uint32_t b : extreme) {
      if (a < b) differences.add_difference(points[a], points[b]);
    }
  }
  return hull(differences);
}

}  // namespace fogline::geometry
