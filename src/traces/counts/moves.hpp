// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "traces/counts/layout.hpp"

namespace fogline::traces {

/// The cells around a cell and itself: three rows of three. Entries for each cell in a table of moves; tables of two
/// moves in a row have the square of it.
inline constexpr std::uint32_t king_side = 3, king_moves = king_side * king_side;
/// The middle one, which leads nowhere.
inline constexpr std::uint32_t no_move = king_moves / 2;

/// A king's move from one cell to a neighbour, as 0 to 8, row by row; 4 is no move.
inline std::uint32_t move_of(std::uint32_t from, std::uint32_t to, std::uint32_t columns) {
  const std::uint32_t dx = to % columns + 1 - from % columns, dy = to / columns + 1 - from / columns;
  return dy * king_side + dx;
}

/// The move that leads back.
inline std::size_t opposite(std::size_t move) {
  return king_moves - 1 - move;
}

/// Whether a move leads from a coarse cell to another.
inline bool can_move(std::size_t cell, std::size_t move) {
  const std::size_t x = cell % Layout::coarse + move % king_side,
                    y = cell / Layout::coarse + move / king_side;
  return move != no_move && x >= 1 && x <= Layout::coarse && y >= 1 && y <= Layout::coarse;
}

/// Where a move leads to; can_move() must hold.
inline std::size_t moved(std::size_t cell, std::size_t move) {
  return cell + move / king_side * Layout::coarse + move % king_side - Layout::coarse - 1;
}

}  // namespace fogline::traces
