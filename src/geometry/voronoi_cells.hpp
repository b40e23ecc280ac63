// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "geometry/coordinates.hpp"

namespace fogline::geometry {

/// The parts of the plane that are nearest to each of some points (Voronoi cells), and how much of a round distribution falls into each.
///
///     VoronoiCells cells(plane.forward(city.position));
///     std::vector<double> share(cells.size());
///     cells.shares(here, nearest, {.within = [](double r) { return 1 - (1 + r / 100) * std::exp(-r / 100); }}, share);
///
/// Of several points within the same millimetre the one with the lowest number has the cell, the others none. Throws InvalidOption for no
/// points, or points more than 2,000 km from 0.
/// Cost: building O(n log n), about a microsecond a point; shares() a few neighbours for each cell that each ray crosses.
class VoronoiCells {
 public:
  explicit VoronoiCells(std::span<const PointXY> points);

  std::size_t size() const { return site_.size(); }

  /// A distribution that looks the same in all directions.
  struct Round {
    std::function<double(double)>
        within;             ///< probability of a distance of at most r metres from the middle; grows to 1
    int directions = 1024;  ///< rays to sum over, at least 8
    double rest = 1e-13;    ///< what is left beyond goes to the cell reached then; at least 0
  };

  /// Probability of each cell for a distribution round `middle`, along evenly spread rays: exact along each, so a cell that is hit by k rays is
  /// off by about 1/k of its share, and means of smooth functions by much less. The sum is 1. `nearest` is the point in whose cell
  /// `middle` lies.
  void shares(const PointXY& middle, std::uint32_t nearest, const Round& law, std::span<double> result) const;

 private:
  struct Site {
    double x_m, y_m;
  };
  struct Crossing {
    std::uint32_t into;
    double at_m;
  };
  Crossing next(const PointXY& from, double dx, double dy, std::uint32_t site) const;
  void build_neighbours();

  std::vector<Site> site_;
  std::vector<std::uint32_t> owner_;            // of the cell a point lies in: itself, or its lower twin
  std::vector<std::uint32_t> first_neighbour_;  // compressed rows
  std::vector<std::uint32_t> neighbour_;
};

}  // namespace fogline::geometry
