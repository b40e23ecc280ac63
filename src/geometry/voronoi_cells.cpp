// SPDX-License-Identifier: Apache-2.0
#include "geometry/voronoi_cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <utility>

#include <boost/polygon/voronoi.hpp>

#include "base/error.hpp"

namespace fogline::geometry {
namespace {

constexpr double farthest_corner_m = 2'000'000;
constexpr double unbounded = std::numeric_limits<double>::infinity();

using GridPoint = boost::polygon::point_data<std::int32_t>;

std::int32_t millimetres(double metres) {
  if (!(std::abs(metres) <= farthest_corner_m))
    throw InvalidOption("points", "must lie within 2,000 km of the plane's origin");
  return static_cast<std::int32_t>(std::lround(metres * 1000));
}

}  // namespace

VoronoiCells::VoronoiCells(std::span<const PointXY> points) {
  if (points.empty()) throw InvalidOption("points", "must be at least one");
  site_.reserve(points.size());
  for (const PointXY& point : points) {
    site_.push_back({static_cast<double>(millimetres(point.x_m)) / 1000,
                     static_cast<double>(millimetres(point.y_m)) / 1000});
  }
  build_neighbours();
}

void VoronoiCells::build_neighbours() {
  std::map<std::pair<std::int32_t, std::int32_t>, std::uint32_t> lowest;
  std::vector<GridPoint> different;
  std::vector<std::uint32_t> number;
  for (std::uint32_t i = 0; i < site_.size(); ++i) {
    const GridPoint at(millimetres(site_[i].x_m), millimetres(site_[i].y_m));
    const auto [known, fresh] = lowest.try_emplace({at.x(), at.y()}, i);
    owner_.push_back(known->second);
    if (!fresh) continue;
    different.push_back(at);
    number.push_back(i);
  }
  boost::polygon::voronoi_diagram<double> diagram;
  boost::polygon::construct_voronoi(different.begin(), different.end(), &diagram);
  std::vector<std::vector<std::uint32_t>> beside(site_.size());
  for (const auto& edge : diagram.edges()) {
    beside[number[edge.cell()->source_index()]].push_back(number[edge.twin()->cell()->source_index()]);
  }
  for (const auto& row : beside) {
    first_neighbour_.push_back(static_cast<std::uint32_t>(neighbour_.size()));
    neighbour_.insert(neighbour_.end(), row.begin(), row.end());
  }
  first_neighbour_.push_back(static_cast<std::uint32_t>(neighbour_.size()));
}

// The ray leaves the cell of a for that of b where both are equally far: 2 t u(b - a) = |b - m|^2 - |a - m|^2. Only neighbours farther along the
// ray are entered, so the walk ends, whatever is rounded.
VoronoiCells::Crossing VoronoiCells::next(const PointXY& from, double dx, double dy,
                                          std::uint32_t site) const {
  const double ax = site_[site].x_m - from.x_m, ay = site_[site].y_m - from.y_m;
  Crossing first{site, unbounded};
  for (std::uint32_t i = first_neighbour_[site]; i < first_neighbour_[site + 1]; ++i) {
    const std::uint32_t other = neighbour_[i];
    const double bx = site_[other].x_m - from.x_m, by = site_[other].y_m - from.y_m;
    const double along = dx * (bx - ax) + dy * (by - ay);
    if (!(along > 0)) continue;
    const double at = (bx * bx + by * by - ax * ax - ay * ay) / (2 * along);
    if (at < first.at_m) first = {other, at};
  }
  return first;
}

void VoronoiCells::shares(const PointXY& middle, std::uint32_t nearest, const Round& law,
                          std::span<double> result) const {
  if (law.directions < 8) throw InvalidOption("directions", "must be at least 8");
  if (result.size() != size() || nearest >= size())
    throw InvalidOption("result", "must have room for every cell");
  std::fill(result.begin(), result.end(), 0.0);
  const double each = 1.0 / law.directions;
  for (int ray = 0; ray < law.directions; ++ray) {
    // A start off the axes, so that no ray runs along the streets of a lattice.
    const double angle = 2 * std::numbers::pi * (ray + 0.3819660112501051) * each;
    const double dx = std::cos(angle), dy = std::sin(angle);
    std::uint32_t site = owner_[nearest];
    double inside = 0;
    while (1 - inside > law.rest) {
      const Crossing crossing = next(middle, dx, dy, site);
      const double reached = std::isinf(crossing.at_m) ? 1 : law.within(std::max(0.0, crossing.at_m));
      if (reached > inside) {
        result[site] += (reached - inside) * each;
        inside = reached;
      }
      if (std::isinf(crossing.at_m)) break;
      site = crossing.into;
    }
    result[site] += (1 - inside) * each;
  }
}

}  // namespace fogline::geometry
