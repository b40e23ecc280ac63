// SPDX-License-Identifier: Apache-2.0
#include "traces/invention/coarse_ways.hpp"

#include <gtest/gtest.h>

#include "random/key.hpp"
#include "traces/counts/moves.hpp"

namespace fogline::traces::coarse_ways_test {
namespace {

constexpr std::size_t coarse_cells = std::size_t{Layout::coarse} * Layout::coarse;

/// Every possible move is alike.
Beliefs all_moves_alike() {
  Beliefs beliefs;
  beliefs.pairs.mean.resize(coarse_cells * king_moves);
  beliefs.triples.mean.resize(coarse_cells * king_moves * king_moves);
  for (std::size_t i = 0; i < beliefs.pairs.mean.size(); ++i) {
    if (!can_move(i / king_moves, i % king_moves)) continue;
    beliefs.pairs.mean[i] = 1;
    for (std::size_t next = 0; next < king_moves; ++next)
      if (can_move(moved(i / king_moves, i % king_moves), next))
        beliefs.triples.mean[i * king_moves + next] = 1;
  }
  return beliefs;
}

/// Eastwards along the lowest row alone.
Beliefs one_street() {
  constexpr std::size_t east = 5;
  Beliefs beliefs;
  beliefs.pairs.mean.resize(coarse_cells * king_moves);
  beliefs.triples.mean.resize(coarse_cells * king_moves * king_moves);
  for (std::size_t cell = 0; cell < 5; ++cell) {
    beliefs.pairs.mean[cell * king_moves + east] = 1;
    if (cell < 4) beliefs.triples.mean[(cell * king_moves + east) * king_moves + east] = 1;
  }
  return beliefs;
}

TEST(CoarseWays, FollowTheOnlyWayThereIs) {
  const CoarseWays ways(one_street());
  QuickRandom random(random::SeededKey(1).stream("ways"));
  std::vector<std::uint16_t> cells;
  ASSERT_TRUE(ways.draw({.from = 1, .to = 4, .moves = 3}, random, cells));
  EXPECT_EQ(cells, (std::vector<std::uint16_t>{1, 2, 3, 4}));
  EXPECT_FALSE(ways.draw({.from = 1, .to = 4, .moves = 2}, random, cells)) << "too short";
  EXPECT_FALSE(ways.draw({.from = 4, .to = 1, .moves = 3}, random, cells)) << "nobody goes back";
  EXPECT_FALSE(ways.draw({.from = 1, .to = 1, .moves = 0}, random, cells));
  EXPECT_FALSE(ways.draw({.from = 1, .to = 4, .moves = CoarseWays::most_moves + 1}, random, cells));
}

TEST(CoarseWays, EndWhereTheyShallWithAsManyMoves) {
  const CoarseWays ways(all_moves_alike());
  QuickRandom random(random::SeededKey(2).stream("ways"));
  std::vector<std::uint16_t> cells;
  for (int round = 0; round < 500; ++round) {
    const std::uint32_t from = random.below(coarse_cells), to = random.below(coarse_cells);
    const std::size_t moves = 6 + random.below(CoarseWays::most_moves - 5);
    ASSERT_TRUE(ways.draw({.from = from, .to = to, .moves = moves}, random, cells));
    ASSERT_EQ(cells.size(), moves + 1);
    EXPECT_EQ(cells.front(), from);
    EXPECT_EQ(cells.back(), to);
    for (std::size_t k = 1; k < cells.size(); ++k) {
      const std::uint32_t move = move_of(cells[k - 1], cells[k], Layout::coarse);
      ASSERT_LT(move, king_moves);
      EXPECT_TRUE(can_move(cells[k - 1], move));
    }
  }
}

}  // namespace
}  // namespace fogline::traces::coarse_ways_test
