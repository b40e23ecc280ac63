// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "traces/counts/layout.hpp"

namespace fogline::traces {

/// Entries for each cell in a table of moves; tables of two moves in a row have the square of it.
inline constexpr std::uint32_t king_moves = 9;

/// A king's move from one cell to a neighbour, as 0 to 8; 4 is no move.
inline std::uint32_t move_of(std::uint32_t from, std::uint32_t to, std::uint32_t columns) {
  const std::uint32_t dx = to % columns + 1 - from % columns, dy = to / columns + 1 - from / columns;
  return dy * 3 + dx;
}

/// The move that leads back.
inline std::size_t opposite(std::size_t move) {
  return king_moves - 1 - move;
}

/// Whether a move leads from a coarse cell to another.
inline bool can_move(std::size_t cell, std::size_t move) {
  const std::size_t x = cell % Layout::coarse + move % 3, y = cell / Layout::coarse + move / 3;
  return move != 4 && x >= 1 && x <= Layout::coarse && y >= 1 && y <= Layout::coarse;
}

/// Where a move leads to; can_move() must hold.
inline std::size_t moved(std::size_t cell, std::size_t move) {
  return cell + move / 3 * Layout::coarse + move % 3 - Layout::coarse - 1;
}

}  // namespace fogline::traces
