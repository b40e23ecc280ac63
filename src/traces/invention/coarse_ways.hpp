// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "traces/beliefs/beliefs.hpp"
#include "traces/counts/moves.hpp"
#include "traces/invention/quick_random.hpp"

namespace fogline::traces {

/// Draws ways over coarse cells with given ends and a given number of moves, as often as the believed moves make
/// them: a chain in which the next move depends on the last, seen from both ends.
///
///     CoarseWays ways(beliefs);
///     if (ways.draw({.from = 14, .to = 28, .moves = 4}, random, cells)) ...   // five cells, the ends among them
///
/// One may be used by many threads. Cost: some milliseconds to make, about 20 nanoseconds a move drawn; 1 MB.
class CoarseWays {
 public:
  /// Four times across the grid; ways of more moves are drawn freely. The memory grows with it. Chosen, not derived.
  static constexpr std::size_t most_moves = 24;
  struct Wanted {
    std::uint32_t from = 0, to = 0;
    std::size_t moves = 0;
  };

  explicit CoarseWays(const Beliefs& beliefs);

  /// False if there is no such way; `cells` is then of no use.
  bool draw(const Wanted& wanted, QuickRandom& random, std::vector<std::uint16_t>& cells) const;

 private:
  static constexpr std::size_t cells_ = std::size_t{Layout::coarse} * Layout::coarse,
                               moves_ = cells_ * king_moves;

  /// How likely a way that has just made this move ends there after so many more.
  float arriving(std::uint32_t to, std::size_t more, std::size_t move) const {
    return arriving_[(to * most_moves + more) * moves_ + move];
  }

  std::vector<float> first_;     // how often a trip makes a move at all; by move, as in the table of pairs
  std::vector<float> onward_;    // how likely one move follows another; as in the table of triples
  std::vector<float> arriving_;  // by end, moves to make and last move
};

}  // namespace fogline::traces
