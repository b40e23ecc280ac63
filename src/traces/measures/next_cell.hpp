// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "traces/frame/cell_grid.hpp"

namespace fogline::traces {

/// Where walks on a grid go next, given the cell and the move that led there: the counts of a Markov model of second order. Since each step of a walk is a king's
/// move, they fit a small table; both a model and the walks it is tested on are such a table.
///
///     NextCellCounts learned(grid), asked(grid);
///     learned.add(walk_of_one_trip);  asked.add(walk_of_another);
///     double right = learned.share_predicted(asked);
class NextCellCounts {
 public:
  explicit NextCellCounts(const CellGrid& grid);

  void add(std::span<const std::uint32_t> walk);  ///< cells as CellGrid::walk gives them
  void add(const NextCellCounts& other);          ///< of the same grid

  std::vector<std::uint64_t> moves()
      const;  ///< of first order: how often each cell was left in each of 9 directions

  /// The share of the other's moves that this one predicts: the move most frequent after the same cell and move before it; if that was never seen,
  /// or the walk begins here, the move most frequent from the cell; if that was never seen either, none. Ties go to the south, then the west. 0 if the other
  /// has no moves.
  double share_predicted(const NextCellCounts& other) const;

 private:
  static constexpr std::size_t directions = 9;  // dy + 1 times 3, and dx + 1; the middle one is no move
  static constexpr std::size_t befores = directions + 1;  // the last: no move before
  static constexpr std::size_t per_cell = befores * directions;

  std::uint32_t columns_;
  std::vector<std::uint64_t> counts_;  // per cell, per move before, per move
};

}  // namespace fogline::traces
