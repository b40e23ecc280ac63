// SPDX-License-Identifier: Apache-2.0
#include "kernel/complete_columns.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace fogline::kernel::complete_columns_test {
namespace {

constexpr std::size_t entries = 16;
constexpr double factor = 2.5;

struct alignas(64) Numbers : std::array<double, entries> {
  Numbers() { fill(0); }
  /// Any numbers between two others, none like its neighbour.
  static Numbers between(double low, double high, int turn) {
    Numbers result;
    for (std::size_t i = 0; i < entries; ++i)
      result[i] = low + (high - low) * (0.5 + 0.5 * std::sin(1.7 * static_cast<double>(i + 1) * turn + turn));
    return result;
  }
};

/// A column in the midst of a solution, with the loops' own definitions beside it, number by number.
struct Column {
  Numbers low = Numbers::between(0.2, 3, 1), high = Numbers::between(0.1, 4, 2);
  Numbers low_dual = Numbers::between(0.3, 2, 3), high_dual = Numbers::between(0.2, 5, 4);
  Numbers cost = Numbers::between(-1, 6, 5), price = Numbers::between(-2, 2, 6);
  Numbers per_low, per_high, inverse, border, right, step;
  Numbers low_target = Numbers::between(0, 1, 7), high_target = Numbers::between(0, 1, 8);

  CompleteColumn view() {
    return {low.data(),      high.data(),    low_dual.data(), high_dual.data(),  per_low.data(),
            per_high.data(), inverse.data(), border.data(),   low_target.data(), high_target.data(),
            right.data(),    step.data(),    cost.data()};
  }
  double low_weight(std::size_t i) const { return low_dual[i] / low[i]; }
  double high_weight(std::size_t i) const { return high_dual[i] / high[i]; }
};

/// What a step does to an entry's two slacks and duals, by the equations that it solves.
struct Move {
  double low, high, low_dual, high_dual;
};
Move move_of(const Column& c, std::size_t i, double hub) {
  const double low = c.step[i] - hub, high = factor * hub - c.step[i];
  return {low, high, (c.low_target[i] - c.low_dual[i] * low) / c.low[i] - c.low_dual[i],
          (c.high_target[i] - c.high_dual[i] * high) / c.high[i] - c.high_dual[i]};
}

class Loops : public testing::Test {
 protected:
  /// All that a step needs, for these prices and this move of the hub.
  DirectionLook direct(double hub) {
    Numbers diagonal, sums;
    loops.weigh(c.view(), diagonal.data());
    loops.right_side(c.view());
    return loops.direct(c.view(), c.price.data(), hub, sums.data());
  }
  Column c;
  CompleteLoops loops{entries, factor};
};

TEST_F(Loops, EliminateTheEntriesOfAColumn) {
  Numbers diagonal = Numbers::between(1, 2, 9);
  const Numbers before = diagonal;
  const double pivot = loops.weigh(c.view(), diagonal.data());
  double expected = 0;
  for (std::size_t i = 0; i < entries; ++i) {
    const double low = c.low_weight(i), high = c.high_weight(i), bordering = low + factor * high;
    EXPECT_NEAR(c.inverse[i], 1 / (low + high), 1e-12);
    EXPECT_NEAR(c.border[i], bordering / (low + high), 1e-12);
    EXPECT_NEAR(diagonal[i], before[i] + 1 / (low + high), 1e-12);
    // The hub's own entry less what the others take from it: the pivot, before it is written so that nothing cancels.
    expected += low + factor * factor * high - bordering * bordering / (low + high);
  }
  EXPECT_NEAR(pivot, expected, 1e-10 * expected);
}

TEST_F(Loops, TakeTheRightSideFromTheTargets) {
  Numbers diagonal;
  loops.weigh(c.view(), diagonal.data());
  const double hub = loops.right_side(c.view());
  double expected = 0;
  for (std::size_t i = 0; i < entries; ++i) {
    const double low = c.low_target[i] / c.low[i], high = c.high_target[i] / c.high[i];
    EXPECT_NEAR(c.right[i], low - high - c.cost[i], 1e-12);
    expected += c.border[i] * c.right[i] - low + factor * high;
  }
  EXPECT_NEAR(hub, expected, 1e-10);
}

/// The step satisfies what it is solved for: the new duals price each entry at its cost.
TEST_F(Loops, StepsSolveTheNewtonEquations) {
  for (const double hub : {-0.3, 0.0, 0.7}) {
    direct(hub);
    for (std::size_t i = 0; i < entries; ++i) {
      const Move move = move_of(c, i, hub);
      EXPECT_NEAR(c.low_dual[i] + move.low_dual - (c.high_dual[i] + move.high_dual), c.cost[i] - c.price[i],
                  1e-10);
    }
  }
}

TEST_F(Loops, SumTheMovesOfTheEntries) {
  Numbers with_prices, without;
  const double hub = 0.7;
  direct(hub);
  loops.direct(c.view(), c.price.data(), hub, with_prices.data());
  for (std::size_t i = 0; i < entries; ++i) EXPECT_EQ(with_prices[i], c.step[i]);
  loops.add_moves(c.view(), hub, without.data());
  double priced = 0;
  for (std::size_t i = 0; i < entries; ++i) {
    EXPECT_NEAR(without[i], c.step[i] - c.inverse[i] * c.price[i], 1e-12);
    priced += c.border[i] * c.price[i];
  }
  EXPECT_NEAR(loops.priced(c.view(), c.price.data()), priced, 1e-12);
}

/// What a look at a direction foretells is what going along it does, for steps of any length.
TEST_F(Loops, LooksForetellTheMove) {
  const double hub = 0.7;
  for (const auto& [primal, dual] : {std::pair(0.0, 0.0), std::pair(0.1, 0.05), std::pair(0.02, 0.3)}) {
    c = Column();
    const DirectionLook look = direct(hub);
    double now = 0, falls = 0, dual_falls = 0;
    std::array<Move, entries> moves;
    for (std::size_t i = 0; i < entries; ++i) {
      moves[i] = move_of(c, i, hub);
      now += c.low[i] * c.low_dual[i] + c.high[i] * c.high_dual[i];
      falls = std::max({falls, -moves[i].low / c.low[i], -moves[i].high / c.high[i]});
      dual_falls =
          std::max({dual_falls, -moves[i].low_dual / c.low_dual[i], -moves[i].high_dual / c.high_dual[i]});
    }
    EXPECT_NEAR(look.primal, falls, 1e-12);
    EXPECT_NEAR(look.dual, dual_falls, 1e-12);
    const Column before = c;
    Numbers sums;
    const double after = loops.move(c.view(), hub, primal, dual, sums.data());
    EXPECT_NEAR(after,
                now + primal * look.slack_change + dual * look.dual_change + primal * dual * look.both_change,
                1e-9);
    for (std::size_t i = 0; i < entries; ++i) {
      EXPECT_NEAR(c.low[i], before.low[i] + primal * moves[i].low, 1e-12);
      EXPECT_NEAR(c.high[i], before.high[i] + primal * moves[i].high, 1e-12);
      EXPECT_NEAR(c.low_dual[i], before.low_dual[i] + dual * moves[i].low_dual, 1e-12);
      EXPECT_NEAR(c.high_dual[i], before.high_dual[i] + dual * moves[i].high_dual, 1e-12);
      EXPECT_EQ(sums[i], c.low[i]);
    }
  }
}

TEST(DirectionLook, IsTheWorstOfItsColumns) {
  DirectionLook look{.primal = 0.5, .dual = 0.1, .slack_change = 1, .dual_change = 2, .both_change = 3};
  look.take({.primal = 0.2, .dual = 0.4, .slack_change = 10, .dual_change = 20, .both_change = 30});
  EXPECT_EQ(look.primal, 0.5);
  EXPECT_EQ(look.dual, 0.4);
  EXPECT_EQ(look.slack_change, 11);
  EXPECT_EQ(look.dual_change, 22);
  EXPECT_EQ(look.both_change, 33);
}

/// Mehrotra's corrector: the predictor aims at 0 and misses by the product of its two moves, which the next target takes back.
TEST_F(Loops, AimWhereThePredictorMissed) {
  const double hub = 0.7, centring = 0.3;
  c.low_target = c.high_target = Numbers();
  direct(hub);
  std::array<Move, entries> moves;
  for (std::size_t i = 0; i < entries; ++i) moves[i] = move_of(c, i, hub);
  loops.aim(c.view(), hub, centring);
  for (std::size_t i = 0; i < entries; ++i) {
    EXPECT_NEAR(c.low_target[i], centring - moves[i].low * moves[i].low_dual, 1e-9);
    EXPECT_NEAR(c.high_target[i], centring - moves[i].high * moves[i].high_dual, 1e-9);
  }
}

/// Gondzio's correction: products that would leave a tenth to ten times the centring are pulled back to it, down by no more than ten times it.
TEST_F(Loops, PullProductsThatStrayFromTheCentre) {
  const double hub = 0.7, primal = 0.3, dual = 0.4, centring = 0.5;
  direct(hub);
  const Column before = c;
  loops.pull(c.view(), hub, primal, dual, centring);
  int kept = 0, pulled = 0;
  const auto expect_pulled = [&](double product, double change) {
    const double wanted = std::clamp(product, 0.1 * centring, 10 * centring) - product;
    EXPECT_NEAR(change, std::max(wanted, -10 * centring), 1e-9);
    ++(wanted == 0 ? kept : pulled);
  };
  for (std::size_t i = 0; i < entries; ++i) {
    const Move move = move_of(before, i, hub);
    expect_pulled((before.low[i] + primal * move.low) * (before.low_dual[i] + dual * move.low_dual),
                  c.low_target[i] - before.low_target[i]);
    expect_pulled((before.high[i] + primal * move.high) * (before.high_dual[i] + dual * move.high_dual),
                  c.high_target[i] - before.high_target[i]);
  }
  EXPECT_GT(kept, 0);
  EXPECT_GT(pulled, 0);
}

TEST(WorthOf, IsTheLeastOverAllColumnsBetweenTheBounds) {
  const Numbers cost = Numbers::between(-1, 2, 1), price = Numbers::between(-1, 2, 2),
                weight = Numbers::between(0, 1, 3);
  double least = 0;
  for (std::size_t i = 0; i < entries; ++i)  // linear in each entry, so that an end is best
    least += std::min(cost[i] - price[i], factor * (cost[i] - price[i]));
  const Worth found = worth_of(cost.data(), price.data(), weight.data(), factor, entries);
  EXPECT_NEAR(found.worth, least, 1e-12);
  Numbers lowered;
  const double by = 1e-6;
  for (std::size_t i = 0; i < entries; ++i) lowered[i] = price[i] - by * weight[i];
  EXPECT_NEAR(found.rate,
              (worth_of(cost.data(), lowered.data(), weight.data(), factor, entries).worth - least) / by,
              1e-6);
}

}  // namespace
}  // namespace fogline::kernel::complete_columns_test
