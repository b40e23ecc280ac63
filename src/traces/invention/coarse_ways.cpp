// SPDX-License-Identifier: Apache-2.0
#include "traces/invention/coarse_ways.hpp"

#include <array>

#include "traces/counts/moves.hpp"

namespace fogline::traces {

CoarseWays::CoarseWays(const Beliefs& beliefs)
    : first_(beliefs.pairs.mean.begin(), beliefs.pairs.mean.end()),
      onward_(moves_ * king_moves),
      arriving_(cells_ * most_moves * moves_) {
  // Given that a trip goes on at all: how many moves it makes is drawn elsewhere.
  for (std::size_t move = 0; move < moves_; ++move) {
    double all = 0;
    for (std::size_t next = 0; next < king_moves; ++next)
      all += beliefs.triples.mean[move * king_moves + next];
    for (std::size_t next = 0; next < king_moves && all > 0; ++next)
      onward_[move * king_moves + next] =
          static_cast<float>(beliefs.triples.mean[move * king_moves + next] / all);
  }
  // Backwards from each end: how likely a way ends there after no more moves, after one more, and so on. The chain
  // drawn forwards with these as factors is the chain conditioned on its end and its number of moves (a Markov
  // bridge), so that no draw misses its end.
  for (std::uint32_t to = 0; to < cells_; ++to) {
    float* const of_end = &arriving_[to * most_moves * moves_];
    for (std::size_t move = 0; move < moves_; ++move)
      of_end[move] =
          can_move(move / king_moves, move % king_moves) && moved(move / king_moves, move % king_moves) == to
              ? 1
              : 0;
    for (std::size_t more = 1; more < most_moves; ++more)
      for (std::size_t move = 0; move < moves_; ++move) {
        if (!can_move(move / king_moves, move % king_moves)) continue;
        const std::size_t cell = moved(move / king_moves, move % king_moves);
        float sum = 0;
        for (std::size_t next = 0; next < king_moves; ++next)
          sum += onward_[move * king_moves + next] * of_end[(more - 1) * moves_ + cell * king_moves + next];
        of_end[more * moves_ + move] = sum;
      }
  }
}

bool CoarseWays::draw(const Wanted& wanted, QuickRandom& random, std::vector<std::uint16_t>& cells) const {
  if (wanted.moves < 1 || wanted.moves > most_moves) return false;
  cells.assign(1, static_cast<std::uint16_t>(wanted.from));
  std::size_t cell = wanted.from, last = 0;
  for (std::size_t made = 0; made < wanted.moves; ++made) {
    std::array<float, king_moves> weight{};
    float all = 0;
    for (std::size_t move = 0; move < king_moves; ++move) {
      const float often = made == 0 ? first_[cell * king_moves + move] : onward_[last * king_moves + move];
      weight[move] = often * arriving(wanted.to, wanted.moves - 1 - made, cell * king_moves + move);
      all += weight[move];
    }
    if (!(all > 0)) return false;
    // Rounding may leave a little after the last weight: the last move that is possible is taken then.
    float at = random.uniform_f() * all;
    std::size_t move = king_moves - 1;
    for (std::size_t k = 0; k < king_moves; ++k) {
      if (!(weight[k] > 0)) continue;
      move = k;
      at -= weight[k];
      if (at < 0) break;
    }
    last = cell * king_moves + move;
    cell = moved(cell, move);
    cells.push_back(static_cast<std::uint16_t>(cell));
  }
  return true;
}

}  // namespace fogline::traces
