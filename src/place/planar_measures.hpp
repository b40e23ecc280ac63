// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "geometry/coordinates.hpp"
#include "place/measures.hpp"
#include "place/planar.hpp"
#include "roads/network.hpp"

namespace fogline::place {

/// A public grid of squares over a network and its surroundings; what falls outside belongs to the nearest square of the rim.
struct CellGrid {
  static constexpr double about = 4096;  ///< squares, more or less
  static constexpr double margin = 3;    ///< e-foldings of the noise beyond the outermost vertices

  double side_m = 0;
  std::vector<geometry::PointXY> centres = {};
};
CellGrid grid_of_cells(const Plm& mechanism, const roads::RoadNetwork& map);

struct PlanarMeasures {
  DistanceMeasures euclidean;
  std::size_t cells = 0;
  double cell_side_m = 0;
};

/// Measures planar noise, in a straight line: no road leads to a point of the plane.
///
///     PlanarMeasures measured = measure(plm, map, {.prior = prior});
///     measured.euclidean.q_loss_m;      // 2 / rate, exactly
///     measured.euclidean.ae_m;          // of the best attacker who sees the square the point lies in
///
/// The attacker sees the square instead of the point, and guesses a vertex. Whoever sees the point does no worse: AE and PC are bounds from
/// above, and come down to the true ones as squares shrink.
///
/// Reads no private record. Throws InvalidOption for a network of more than 6,000 vertices, and for a bad prior. Cost: some ten milliseconds
/// a vertex, and 2 n^2 cells floating-point operations; two tables.
PlanarMeasures measure(const Plm& mechanism, const roads::RoadNetwork& map,
                       const MeasureOptions& options = {});

}  // namespace fogline::place
