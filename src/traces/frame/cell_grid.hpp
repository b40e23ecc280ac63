// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "traces/frame/trip_set.hpp"

namespace fogline::traces {

/// A box of metres cut into columns x rows equal cells, numbered row by row from the south-west.
///
///     CellGrid grid({.width_m = 38'400, .height_m = 38'920, .columns = 6, .rows = 6});
///     std::vector<std::uint32_t> cells;
///     grid.walk(set.trip(i), cells);                 // e.g. 14 15 21: each a king's move from the one before
class CellGrid {
 public:
  struct Options {
    double west_m = 0, south_m = 0;       ///< the corner, in the frame's plane
    double width_m = 0, height_m = 0;     ///< above 0
    std::uint32_t columns = 0, rows = 0;  ///< 1 to 10,000 each
  };
  explicit CellGrid(const Options& options);  ///< throws InvalidOption

  std::uint32_t columns() const { return columns_; }
  std::uint32_t rows() const { return rows_; }
  std::uint32_t size() const { return columns_ * rows_; }

  /// Points outside the box belong to the nearest cell.
  std::uint32_t column_of(double x) const { return place(x - west_, per_column_, columns_); }
  std::uint32_t row_of(double y) const { return place(y - south_, per_row_, rows_); }
  std::uint32_t cell_of(const PlanePoint& p) const { return row_of(p.y) * columns_ + column_of(p.x); }

  /// The cells that a trip passes, repeats in a row dropped and gaps filled with a king's moves that stay nearest to the straight line between the two
  /// cells' centres. Appends nothing else; `cells` is cleared first.
  void walk(std::span<const PlanePoint> trip, std::vector<std::uint32_t>& cells) const;

 private:
  static constexpr std::uint32_t most_along = 10'000;  ///< columns or rows: cells have numbers of 32 bits
  /// More cells than there are along a side: what lies beyond must still fit an integer.
  static constexpr std::uint32_t beyond_all = 1'000'000;
  static_assert(beyond_all > most_along);

  static std::uint32_t place(double metres, double per_cell, std::uint32_t cells) {
    const double at = metres * per_cell;
    return at <= 0 ? 0 : std::min(static_cast<std::uint32_t>(std::min<double>(at, beyond_all)), cells - 1);
  }

  std::uint32_t columns_, rows_;
  double west_, south_, per_column_, per_row_;
};

}  // namespace fogline::traces
