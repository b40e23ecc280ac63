// SPDX-License-Identifier: Apache-2.0
#include "place/planar_measures.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "geometry/nearest_index.hpp"
#include "geometry/voronoi_cells.hpp"
#include "place/tables.hpp"

namespace fogline::place {
namespace {

using Eigen::Index;

kernel::Table cell_table(const Plm& mechanism, const CellGrid& grid, const TableOptions& options) {
  const std::size_t vertices = mechanism.graph().vertex_count();
  const geometry::VoronoiCells cells(grid.centres);
  const geometry::NearestIndex index(grid.centres);
  kernel::Table result(static_cast<Index>(vertices), static_cast<Index>(cells.size()));
  ProgressMeter meter(options.progress, "computing the cells", vertices);
  parallel_for(vertices, {.threads = options.threads, .grain = 4}, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      mechanism.cell_probabilities(static_cast<graph::VertexId>(v), cells, index,
                                   {result.data() + v * cells.size(), cells.size()});
      meter.advance();
    }
  });
  meter.finish();
  return result;
}

}  // namespace

CellGrid grid_of_cells(const Plm& mechanism, const roads::RoadNetwork& map) {
  geometry::PointXY low = mechanism.position(0), high = low;
  for (graph::VertexId v = 1; v < map.vertex_count(); ++v) {
    const geometry::PointXY at = mechanism.position(v);
    low = {std::min(low.x_m, at.x_m), std::min(low.y_m, at.y_m)};
    high = {std::max(high.x_m, at.x_m), std::max(high.y_m, at.y_m)};
  }
  const double beyond = CellGrid::margin / mechanism.rate_per_m();
  const double width = high.x_m - low.x_m + 2 * beyond, height = high.y_m - low.y_m + 2 * beyond;
  CellGrid grid{.side_m = std::sqrt(width * height / CellGrid::about)};
  const auto columns = static_cast<int>(std::ceil(width / grid.side_m));
  const auto rows = static_cast<int>(std::ceil(height / grid.side_m));
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      grid.centres.push_back(
          {low.x_m - beyond + (column + 0.5) * grid.side_m, low.y_m - beyond + (row + 0.5) * grid.side_m});
    }
  }
  return grid;
}

PlanarMeasures measure(const Plm& mechanism, const roads::RoadNetwork& map, const MeasureOptions& options) {
  const std::vector<double> prior = prior_or_uniform(options.prior, map.vertex_count());
  const TableOptions tables{.threads = options.threads, .progress = options.progress};
  const kernel::Table metres = straight_table_m(map, tables);
  const CellGrid grid = grid_of_cells(mechanism, map);
  const kernel::AttackMeasures attacks =
      kernel::measure_attacks(prior, cell_table(mechanism, grid, tables), metres);
  return {.euclidean = with_q_loss(attacks, mechanism.expected_error_m()),
          .cells = grid.centres.size(),
          .cell_side_m = grid.side_m};
}

}  // namespace fogline::place
