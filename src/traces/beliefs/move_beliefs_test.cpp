// SPDX-License-Identifier: Apache-2.0
#include "traces/beliefs/move_beliefs.hpp"

#include <gtest/gtest.h>

#include "traces/counts/moves.hpp"

namespace fogline::traces::move_beliefs_test {
namespace {

constexpr std::size_t east = 5, west = 3;

/// A hundred trips along the lowest row of coarse cells, 0 1 2 3 4 5, counted with hardly any noise.
NoisyStatistics corridor() {
  NoisyStatistics known;
  known.trips = 100;
  const auto table = [&](Statistic s) -> NoisyTable& { return known.table[static_cast<std::size_t>(s)]; };
  table(Statistic::pairs) = {std::vector<double>(known.layout.bins_of(Statistic::pairs)), 0.01};
  table(Statistic::triples) = {std::vector<double>(known.layout.bins_of(Statistic::triples)), 0.01};
  for (std::size_t cell = 0; cell < 5; ++cell)
    table(Statistic::pairs).value[cell * king_moves + east] = 100.0 / 5;
  for (std::size_t cell = 0; cell < 4; ++cell)
    table(Statistic::triples).value[(cell * king_moves + east) * king_moves + east] = 100.0 / 4;
  return known;
}

TEST(Moves, LeadBackByTheOpposite) {
  for (std::size_t cell = 0; cell < std::size_t{Layout::coarse} * Layout::coarse; ++cell)
    for (std::size_t move = 0; move < king_moves; ++move)
      if (can_move(cell, move)) {
        EXPECT_EQ(moved(moved(cell, move), opposite(move)), cell);
      }
}

TEST(BelievedMoves, AreWhatWasCountedWithHardlyAnyNoise) {
  const MoveBeliefs moves = believed_moves(corridor());
  for (std::size_t i = 0; i < moves.pairs.mean.size(); ++i) {
    const bool is_there = i / king_moves < 5 && i % king_moves == east;
    EXPECT_NEAR(moves.pairs.mean[i], is_there ? 20 : 0, 1) << i;
  }
  for (std::size_t cell = 0; cell < 4; ++cell)
    EXPECT_NEAR(moves.triples.mean[(cell * king_moves + east) * king_moves + east], 25, 1);
}

TEST(BelievedMoves, DoNotLeaveTheGrid) {
  NoisyStatistics known = corridor();
  known.table[static_cast<std::size_t>(Statistic::pairs)].value[west] = 50;  // from cell 0
  known.table[static_cast<std::size_t>(Statistic::triples)].value[west * king_moves + east] = 50;
  const MoveBeliefs moves = believed_moves(known);
  EXPECT_EQ(moves.pairs.mean[west], 0);
  EXPECT_EQ(moves.triples.mean[west * king_moves + east], 0);
}

TEST(LikelyStrings, AreThoseThatAChainOfMovesMakes) {
  const MoveStrings strings = likely_strings(corridor());
  // 0123 1234 2345, 01234 12345 and 012345 come first.
  ASSERT_GE(strings.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t k = 1; k < strings[i].size(); ++k) EXPECT_EQ(strings[i][k], strings[i][k - 1] + 1) << i;
}

TEST(BelievedStrings, AreInTheUnitOfTheirCounts) {
  NoisyStatistics known = corridor();
  known.strings = MoveStrings({{0, 1, 2, 3}});
  // A triple is one of four parts of a trip, a string one of two: what the chain expects is 50 where triples have 25.
  const double certain = 0.01, hidden = 1e5;
  const MoveBeliefs moves = believed_moves(known);
  known.table[static_cast<std::size_t>(Statistic::strings)] = {std::vector<double>(Layout::most_strings),
                                                               hidden};
  EXPECT_NEAR(believed_strings(known, moves).mean[0], 50, 2);
  known.table[static_cast<std::size_t>(Statistic::strings)] = {{30}, certain};
  EXPECT_NEAR(believed_strings(known, moves).mean[0], 30, 0.5);
  EXPECT_TRUE(believed_strings(corridor(), moves).mean.empty());
}

}  // namespace
}  // namespace fogline::traces::move_beliefs_test
