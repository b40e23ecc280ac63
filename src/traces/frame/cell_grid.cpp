// SPDX-License-Identifier: Apache-2.0
#include "traces/frame/cell_grid.hpp"

#include <cmath>

#include "base/error.hpp"

namespace fogline::traces {

CellGrid::CellGrid(const Options& options)
    : columns_(options.columns),
      rows_(options.rows),
      west_(options.west_m),
      south_(options.south_m),
      per_column_(options.columns / options.width_m),
      per_row_(options.rows / options.height_m) {
  if (!(options.width_m > 0) || !(options.height_m > 0))
    throw InvalidOption("grid", "needs a width and a height above 0");
  if (options.columns < 1 || options.rows < 1 || options.columns > most_along || options.rows > most_along)
    throw InvalidOption("grid", "has 1 to 10,000 columns and rows");
}

void CellGrid::walk(std::span<const PlanePoint> trip, std::vector<std::uint32_t>& cells) const {
  cells.clear();
  int column = 0, row = 0;
  for (const PlanePoint& p : trip) {
    const int to_column = static_cast<int>(column_of(p.x)), to_row = static_cast<int>(row_of(p.y));
    if (cells.empty()) {
      cells.push_back(static_cast<std::uint32_t>(to_row) * columns_ + static_cast<std::uint32_t>(to_column));
    } else {
      const int dx = to_column - column, dy = to_row - row;
      const int moves = std::max(std::abs(dx), std::abs(dy));
      for (int i = 1; i <= moves; ++i) {
        // Halves are rounded away from zero in both directions, so that a way and its way back pass the same number of cells.
        const int x = column + static_cast<int>(std::lround(static_cast<double>(dx) * i / moves));
        const int y = row + static_cast<int>(std::lround(static_cast<double>(dy) * i / moves));
        cells.push_back(static_cast<std::uint32_t>(y) * columns_ + static_cast<std::uint32_t>(x));
      }
    }
    column = to_column;
    row = to_row;
  }
}

}  // namespace fogline::traces
