// SPDX-License-Identifier: Apache-2.0
#include "traces/move_beliefs.hpp"

#include <algorithm>

#include "traces/moves.hpp"

namespace fogline::traces {
namespace {

using Table = std::vector<double>;

/// Counts of moves that leave the grid are noise alone.
NoisyTable possible_pairs(NoisyTable table) {
  for (std::size_t i = 0; i < table.value.size(); ++i)
    if (!can_move(i / 9, i % 9)) table.value[i] = 0;
  return table;
}

Estimate believed_pairs(const NoisyStatistics& known) {
  const NoisyTable noisy = possible_pairs(known.of(Statistic::pairs));
  const NoisyTable& triples = known.of(Statistic::triples);
  Table spread = product_of_sums(noisy.value, 9), onward(noisy.value.size());
  for (std::size_t i = 0; i < noisy.value.size(); ++i) {
    if (!can_move(i / 9, i % 9)) {
      spread[i] = 0;
      continue;
    }
    for (std::size_t m = 0; m < 9; ++m)
      if (can_move(moved(i / 9, i % 9), m)) onward[i] += triples.value[i * 9 + m];
    onward[i] = std::max(0.0, onward[i]);
  }
  const auto reversed = [&](const Table& table) {
    Table back(table.size());
    for (std::size_t i = 0; i < table.size(); ++i)
      if (can_move(i / 9, i % 9)) back[i] = table[moved(i / 9, i % 9) * 9 + 8 - i % 9];
    return back;
  };
  const Table first = denoise(noisy, {spread, onward}).mean;
  return denoise(noisy, {spread, onward, reversed(first)});
}

Estimate believed_triples(const NoisyStatistics& known, const Table& pairs) {
  NoisyTable noisy = known.of(Statistic::triples);
  Table out(Layout::coarse * Layout::coarse), chain(noisy.value.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) out[i / 9] += pairs[i];
  const auto possible = [](std::size_t i) {
    return can_move(i / 81, i / 9 % 9) && can_move(moved(i / 81, i / 9 % 9), i % 9);
  };
  for (std::size_t i = 0; i < noisy.value.size(); ++i) {
    if (!possible(i)) {
      noisy.value[i] = 0;
      continue;
    }
    const std::size_t middle = moved(i / 81, i / 9 % 9);
    chain[i] = out[middle] > 0 ? pairs[i / 9] * pairs[middle * 9 + i % 9] / out[middle] : 0;
  }
  // There and back again is not what a chain expects, so it is a predictor of its own.
  Table turning(chain.size()), straight(chain.size());
  for (std::size_t i = 0; i < chain.size(); ++i) {
    if (i / 9 % 9 + i % 9 == 8)
      turning[i] = chain[i], chain[i] = 0;
    else if (i / 9 % 9 == i % 9)
      straight[i] = chain[i], chain[i] = 0;
  }
  // The three do not overlap.
  const Table first = denoise(noisy, {chain, turning, straight}, {.weights = {1, 1, 1}}).mean;
  Table back(chain.size());
  for (std::size_t i = 0; i < chain.size(); ++i) {
    if (!possible(i)) continue;
    const std::size_t last = moved(moved(i / 81, i / 9 % 9), i % 9);
    back[i] = first[last * 81 + (8 - i % 9) * 9 + 8 - i / 9 % 9];
  }
  return denoise(noisy, {chain, turning, straight, back}, {.weights = {0.5, 0.5, 0.5, 0.5}});
}

/// A string of cells, and how often it is expected.
struct Expected {
  MoveStrings::String string;
  double count = 0;
};

void keep_most_expected(std::vector<Expected>& strings, std::size_t most) {
  const auto more = [](const Expected& a, const Expected& b) {
    return a.count != b.count ? a.count > b.count : a.string < b.string;
  };
  if (strings.size() > most) {
    std::nth_element(strings.begin(), strings.begin() + static_cast<std::ptrdiff_t>(most), strings.end(),
                     more);
    strings.resize(most);
  }
  std::sort(strings.begin(), strings.end(), more);
}

/// A chain of the second order: what follows two cells does not depend on what was before.
class Chain {
 public:
  explicit Chain(const MoveBeliefs& moves) : triples_(moves.triples.mean), onward_(triples_.size() / 9) {
    for (std::size_t i = 0; i < triples_.size(); ++i) onward_[i / 9] += triples_[i];
    // Who ends here does not go on.
    for (std::size_t i = 0; i < onward_.size(); ++i) onward_[i] = std::max(onward_[i], moves.pairs.mean[i]);
  }

  double expected(const MoveStrings::String& string) const {
    double count = triples_[at(string, 2)];
    for (std::size_t k = 3; k < string.size(); ++k) count *= going_on(at(string, k));
    return count;
  }
  double going_on(std::size_t triple) const {
    return onward_[triple / 9] > 0 ? triples_[triple] / onward_[triple / 9] : 0;
  }
  const Table& triples() const { return triples_; }

  /// Of the three cells that end at string[last], in the table of triples.
  static std::size_t at(const MoveStrings::String& string, std::size_t last) {
    return string[last - 2] * 81U + move_of(string[last - 2], string[last - 1], Layout::coarse) * 9U +
           move_of(string[last - 1], string[last], Layout::coarse);
  }

 private:
  Table triples_, onward_;
};

}  // namespace

MoveBeliefs believed_moves(const NoisyStatistics& known) {
  MoveBeliefs moves;
  moves.pairs = believed_pairs(known);
  moves.triples = believed_triples(known, moves.pairs.mean);
  return moves;
}

MoveStrings likely_strings(const NoisyStatistics& so_far) {
  const Chain chain(believed_moves(so_far));
  std::vector<Expected> ends, found;
  for (std::size_t i = 0; i < chain.triples().size(); ++i) {
    if (!(chain.triples()[i] > 0)) continue;
    const std::size_t middle = moved(i / 81, i / 9 % 9), last = moved(middle, i % 9);
    ends.push_back({{static_cast<std::uint8_t>(i / 81), static_cast<std::uint8_t>(middle),
                     static_cast<std::uint8_t>(last)},
                    chain.triples()[i]});
  }
  for (std::size_t cells = MoveStrings::shortest; cells <= MoveStrings::longest; ++cells) {
    // A string is not expected more often than its beginning.
    keep_most_expected(ends, 4 * Layout::most_strings);
    std::vector<Expected> longer;
    for (const Expected& e : ends)
      for (std::size_t move = 0; move < 9; ++move) {
        if (!can_move(e.string.back(), move)) continue;
        Expected next = e;
        next.string.push_back(static_cast<std::uint8_t>(moved(e.string.back(), move)));
        next.count *= chain.going_on(Chain::at(next.string, cells - 1));
        if (next.count > 0) longer.push_back(std::move(next));
      }
    found.insert(found.end(), longer.begin(), longer.end());
    ends = std::move(longer);
  }
  keep_most_expected(found, Layout::most_strings);
  std::vector<MoveStrings::String> strings;
  for (Expected& e : found) strings.push_back(std::move(e.string));
  return MoveStrings(std::move(strings));
}

Estimate believed_strings(const NoisyStatistics& known, const MoveBeliefs& moves) {
  if (known.strings.size() == 0) return {};  // not asked
  const Chain chain(moves);
  NoisyTable noisy = known.of(Statistic::strings);
  noisy.value.resize(known.strings.size());
  Table expected;
  for (std::size_t i = 0; i < known.strings.size(); ++i)
    expected.push_back(chain.expected(known.strings[i]) * Layout::least_moves / Layout::least_strings);
  return denoise(noisy, {expected}, {.weights = {1}});
}

}  // namespace fogline::traces
