// SPDX-License-Identifier: Apache-2.0
#include "traces/invention/visit_counts.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "random/key.hpp"
#include "traces/invention/move_counts.hpp"
#include "traces/invention/quick_random.hpp"

namespace fogline::traces::visit_counts_test {
namespace {

constexpr std::uint32_t visit_cells = 30;

double cost_of(std::span<const Weighed> table) {
  double sum = 0;
  for (const Weighed& w : table) sum += static_cast<double>(w.weight) * w.over * w.over;
  return sum;
}

std::vector<Weighed> drawn_table(std::size_t size, QuickRandom& random) {
  std::vector<Weighed> table(size);
  for (Weighed& w : table) w = {0.1F + random.uniform_f(), 4 * random.uniform_f() - 2};
  return table;
}

/// What the trip's cells give to a table, from scratch.
std::vector<float> shares_of(const std::multiset<std::uint32_t>& entered, const std::vector<float>& favour,
                             float least) {
  std::vector<float> shares(favour.size());
  const std::set<std::uint32_t> distinct(entered.begin(), entered.end());
  float sum = 0;
  for (const std::uint32_t c : distinct) sum += favour[c];
  for (const std::uint32_t c : distinct) shares[c] = favour[c] / std::max(least, sum);
  return shares;
}

TEST(VisitCounts, WeighsAndKeepsWhatCountingFromScratchGives) {
  QuickRandom random(random::SeededKey(8).stream("visits"));
  for (int round = 0; round < 200; ++round) {
    std::vector<float> favour(visit_cells);
    for (float& f : favour) f = 1 + 9 * random.uniform_f();
    std::vector<Weighed> table = drawn_table(visit_cells, random);
    const float least = random.below(2) == 0 ? 0.0F : 40.0F;
    VisitCounts visits(visit_cells, Sharing(favour, table, least));
    std::multiset<std::uint32_t> entered;
    visits.open();
    for (int k = 0; k < 12; ++k) {
      const std::uint32_t c = random.below(visit_cells);
      visits.enter(c);
      entered.insert(c);
    }
    visits.opened();
    for (int change = 0; change < 20; ++change) {
      std::multiset<std::uint32_t> after = entered;
      visits.begin_change();
      for (int k = 0; k < 4 && after.size() > 1; ++k) {
        const auto out = std::next(after.begin(), random.below(static_cast<std::uint32_t>(after.size())));
        visits.add(*out, -1);
        after.erase(out);
        if (random.below(3) == 0) continue;
        const std::uint32_t in = random.below(visit_cells);
        visits.add(in, 1);
        after.insert(in);
      }
      const std::vector<float> was = shares_of(entered, favour, least), now = shares_of(after, favour, least);
      std::vector<Weighed> moved = table;
      for (std::size_t c = 0; c < visit_cells; ++c) moved[c].over += now[c] - was[c];
      EXPECT_NEAR(visits.weigh(), cost_of(moved) - cost_of(table), 1e-3);
      EXPECT_EQ(visits.visited_after(), std::set(after.begin(), after.end()).size());
      if (random.below(2) == 0) {
        visits.take_back();
        continue;
      }
      visits.keep();
      entered = after;
      for (std::size_t c = 0; c < visit_cells; ++c) EXPECT_NEAR(table[c].over, moved[c].over, 1e-4);
      EXPECT_EQ(visits.visited().size(), std::set(after.begin(), after.end()).size());
    }
  }
}

/// A king's walk on the coarse grid.
std::vector<std::uint16_t> drawn_walk(std::size_t length, QuickRandom& random) {
  constexpr int side = Layout::coarse;
  int x = static_cast<int>(random.below(side)), y = static_cast<int>(random.below(side));
  std::vector<std::uint16_t> walk{static_cast<std::uint16_t>(y * side + x)};
  while (walk.size() < length) {
    const int u = std::clamp(x + static_cast<int>(random.below(3)) - 1, 0, side - 1);
    const int v = std::clamp(y + static_cast<int>(random.below(3)) - 1, 0, side - 1);
    if (u == x && v == y) continue;
    x = u, y = v;
    walk.push_back(static_cast<std::uint16_t>(y * side + x));
  }
  return walk;
}

using MoveTables = std::map<std::pair<std::size_t, std::uint32_t>, float>;
MoveTables counted_moves(std::span<const std::uint16_t> walk, const MoveStrings& asked) {
  MoveTables counts;
  MoveCounts::each(walk, 1, [&](std::size_t t, std::uint32_t k, float v) { counts[{t, k}] += v; });
  float found = 0;
  asked.each_from(walk, 0, walk.size(), [&](std::uint32_t) { ++found; });
  const float each = 1 / std::max(static_cast<float>(Layout::least_strings), found);
  asked.each_from(walk, 0, walk.size(), [&](std::uint32_t s) { counts[{2, s}] += each; });
  return counts;
}

/// Strings that walks are made of, so that they occur.
MoveStrings drawn_strings(std::size_t count, QuickRandom& random) {
  std::set<MoveStrings::String> strings;
  while (strings.size() < count) {
    const auto walk = drawn_walk(MoveStrings::shortest + random.below(3), random);
    strings.emplace(walk.begin(), walk.end());
  }
  return MoveStrings({strings.begin(), strings.end()});
}

TEST(MoveCounts, WeighsAndKeepsWhatCountingFromScratchGives) {
  QuickRandom random(random::SeededKey(9).stream("moves"));
  constexpr std::size_t coarse_cells = Layout::coarse * Layout::coarse;
  for (int round = 0; round < 100; ++round) {
    const MoveStrings asked = drawn_strings(2000, random);
    std::array<std::vector<Weighed>, 3> table{drawn_table(coarse_cells * 9, random),
                                              drawn_table(coarse_cells * 81, random),
                                              drawn_table(asked.size(), random)};
    MoveCounts moves(table[0], table[1], table[2], asked);
    std::vector<std::uint16_t> walk = drawn_walk(1 + random.below(14), random);
    moves.tried() = walk;
    moves.opened();
    for (int change = 0; change < 10; ++change) {
      // Half of the changes leave a beginning as it is, which is the case that is cut short.
      std::vector<std::uint16_t> next = drawn_walk(1 + random.below(14), random);
      if (random.below(2) == 0) {
        next = walk;
        if (next.size() > 2)
          next.erase(next.begin() + 1 + random.below(static_cast<std::uint32_t>(next.size() - 2)));
        bool is_walk = true;
        for (std::size_t k = 1; k < next.size(); ++k) {
          const int dx = next[k] % 6 - next[k - 1] % 6, dy = next[k] / 6 - next[k - 1] / 6;
          is_walk = is_walk && std::max(std::abs(dx), std::abs(dy)) == 1;
        }
        if (!is_walk) continue;
      }
      auto moved = table;
      for (const auto& [key, v] : counted_moves(walk, asked)) moved[key.first][key.second].over -= v;
      for (const auto& [key, v] : counted_moves(next, asked)) moved[key.first][key.second].over += v;
      double worse = 0;
      for (std::size_t t = 0; t < table.size(); ++t) worse += cost_of(moved[t]) - cost_of(table[t]);
      moves.tried() = next;
      EXPECT_NEAR(moves.weigh(), worse, 1e-3);
      if (random.below(2) == 0) continue;
      moves.keep();
      walk = next;
      for (std::size_t t = 0; t < table.size(); ++t)
        for (std::size_t k = 0; k < table[t].size(); ++k)
          ASSERT_NEAR(table[t][k].over, moved[t][k].over, 1e-4);
    }
  }
}

}  // namespace
}  // namespace fogline::traces::visit_counts_test
