// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "roads/network.hpp"

namespace fogline::roads {

/// Networks made by rule, for tests, examples and figures. They lie around longitude 0, latitude 0, centred
/// there, so that LocalProjection({0, 0}) gives back the metres of the rule.
///
///     RoadNetwork grid = make_lattice({.rows = 20, .columns = 20, .side_m = 1500});
///     RoadNetwork street = make_line({.vertices = 11, .length_m = 1000});

/// Streets that cross at right angles. Vertices are numbered row by row from 0, from west to east, the first
/// row in the south; neighbours are joined. `side_m` is the longer side; the spacing is rounded to whole
/// millimetres.
struct LatticeOptions {
  std::uint64_t rows = 2;     ///< 1 to 1,000,000
  std::uint64_t columns = 2;  ///< 1 to 1,000,000; rows times columns 2 to 1,000,000
  double side_m = 100;        ///< up to 1,000,000; the spacing must be at least 1 mm
};
RoadNetwork make_lattice(const LatticeOptions& options);

/// One straight road with vertices at even distances, numbered from west to east.
struct LineOptions {
  std::uint64_t vertices = 2;  ///< 2 to 1,000,000
  double length_m = 100;       ///< up to 1,000,000; the spacing must be at least 1 mm
};
RoadNetwork make_line(const LineOptions& options);

}  // namespace fogline::roads
