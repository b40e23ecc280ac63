// SPDX-License-Identifier: Apache-2.0
#include "traces/coarse_ways.hpp"

#include <array>

#include "traces/moves.hpp"

namespace fogline::traces {

CoarseWays::CoarseWays(const Beliefs& beliefs)
    : first_(beliefs.pairs.mean.begin(), beliefs.pairs.mean.end()),
      onward_(moves_ * 9),
      arriving_(cells_ * most_moves * moves_) {
  for (std::size_t move = 0; move < moves_; ++move) {
    double all = 0;
    for (std::size_t next = 0; next < 9; ++next) all += beliefs.triples.mean[move * 9 + next];
    for (std::size_t next = 0; next < 9 && all > 0; ++next)
      onward_[move * 9 + next] = static_cast<float>(beliefs.triples.mean[move * 9 + next] / all);
  }
  for (std::uint32_t to = 0; to < cells_; ++to) {
    float* const of_end = &arriving_[to * most_moves * moves_];
    for (std::size_t move = 0; move < moves_; ++move)
      of_end[move] = can_move(move / 9, move % 9) && moved(move / 9, move % 9) == to ? 1 : 0;
    for (std::size_t more = 1; more < most_moves; ++more)
      for (std::size_t move = 0; move < moves_; ++move) {
        if (!can_move(move / 9, move % 9)) continue;
        const std::size_t cell = moved(move / 9, move % 9);
        float sum = 0;
        for (std::size_t next = 0; next < 9; ++next)
          sum += onward_[move * 9 + next] * of_end[(more - 1) * moves_ + cell * 9 + next];
        of_end[more * moves_ + move] = sum;
      }
  }
}

bool CoarseWays::draw(const Wanted& wanted, QuickRandom& random, std::vector<std::uint16_t>& cells) const {
  if (wanted.moves < 1 || wanted.moves > most_moves) return false;
  cells.assign(1, static_cast<std::uint16_t>(wanted.from));
  std::size_t cell = wanted.from, last = 0;
  for (std::size_t made = 0; made < wanted.moves; ++made) {
    std::array<float, 9> weight{};
    float all = 0;
    for (std::size_t move = 0; move < 9; ++move) {
      const float often = made == 0 ? first_[cell * 9 + move] : onward_[last * 9 + move];
      all += weight[move] = often * arriving(wanted.to, wanted.moves - 1 - made, cell * 9 + move);
    }
    if (!(all > 0)) return false;
    float at = random.uniform_f() * all;
    std::size_t move = 8;
    for (std::size_t k = 0; k < 9; ++k) {
      if (!(weight[k] > 0)) continue;
      move = k;
      if ((at -= weight[k]) < 0) break;
    }
    last = cell * 9 + move;
    cell = moved(cell, move);
    cells.push_back(static_cast<std::uint16_t>(cell));
  }
  return true;
}

}  // namespace fogline::traces
