// SPDX-License-Identifier: Apache-2.0
#include "traces/beliefs/move_beliefs.hpp"

#include <algorithm>

#include "traces/counts/moves.hpp"

namespace fogline::traces {
namespace {

using Table = std::vector<double>;

/// Where an entry of the table of triples lies: its cell, and its two moves.
struct TripleAt {
  explicit TripleAt(std::size_t entry)
      : cell(entry / (king_moves * king_moves)),
        first(entry / king_moves % king_moves),
        second(entry % king_moves) {}
  std::size_t cell, first, second;

  bool is_possible() const { return can_move(cell, first) && can_move(moved(cell, first), second); }
  std::size_t middle() const { return moved(cell, first); }  ///< first must be possible
};

/// Counts of moves that leave the grid are noise alone.
NoisyTable clear_impossible_pairs(NoisyTable table) {
  for (std::size_t i = 0; i < table.value.size(); ++i)
    if (!can_move(i / king_moves, i % king_moves)) table.value[i] = 0;
  return table;
}

/// Predicted by cells and moves as if they had nothing to do with each other; by the triples that begin with the move,
/// whose noise is independent; and, once there is an estimate, by the way back, since what goes there comes back.
Estimate believe_pairs(const NoisyStatistics& known) {
  const NoisyTable noisy = clear_impossible_pairs(known.of(Statistic::pairs));
  const NoisyTable& triples = known.of(Statistic::triples);
  Table spread = product_of_sums(noisy.value, king_moves), onward(noisy.value.size());
  for (std::size_t i = 0; i < noisy.value.size(); ++i) {
    const std::size_t cell = i / king_moves, move = i % king_moves;
    if (!can_move(cell, move)) {
      spread[i] = 0;
      continue;
    }
    // Trips that end after the move make no triple, so this falls short. The weight that it gets makes up for that.
    for (std::size_t m = 0; m < king_moves; ++m)
      if (can_move(moved(cell, move), m)) onward[i] += triples.value[i * king_moves + m];
    onward[i] = std::max(0.0, onward[i]);
  }
  const auto reverse = [&](const Table& table) {
    Table back(table.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
      const std::size_t cell = i / king_moves, move = i % king_moves;
      if (can_move(cell, move)) back[i] = table[moved(cell, move) * king_moves + opposite(move)];
    }
    return back;
  };
  const Table first = denoise(noisy, {spread, onward}).mean;
  return denoise(noisy, {spread, onward, reverse(first)});
}

/// Predicted by a chain of the first order: what follows a move depends on where it led to alone.
Estimate believe_triples(const NoisyStatistics& known, const Table& pairs) {
  // The three parts of the chain do not overlap, so each usually has the whole weight. The way back covers all of them
  // again, and they share the weight with it.
  constexpr double alone = 1, shared = 0.5;
  NoisyTable noisy = known.of(Statistic::triples);
  Table out(Layout::coarse * Layout::coarse), chain(noisy.value.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) out[i / king_moves] += pairs[i];
  for (std::size_t i = 0; i < noisy.value.size(); ++i) {
    const TripleAt at(i);
    if (!at.is_possible()) {
      noisy.value[i] = 0;
      continue;
    }
    const std::size_t middle = at.middle();
    chain[i] =
        out[middle] > 0 ? pairs[i / king_moves] * pairs[middle * king_moves + at.second] / out[middle] : 0;
  }
  // There and back again, and straight on, are not what a chain expects, so they are predictors of their own: how much
  // more or less often trips do so is a weight to be learned.
  Table turning(chain.size()), straight(chain.size());
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const TripleAt at(i);
    if (at.second == opposite(at.first)) {
      turning[i] = chain[i];
      chain[i] = 0;
    } else if (at.first == at.second) {
      straight[i] = chain[i];
      chain[i] = 0;
    }
  }
  const Table first = denoise(noisy, {chain, turning, straight}, {.weights = {alone, alone, alone}}).mean;
  Table back(chain.size());
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const TripleAt at(i);
    if (!at.is_possible()) continue;
    const std::size_t last = moved(at.middle(), at.second);
    back[i] = first[(last * king_moves + opposite(at.second)) * king_moves + opposite(at.first)];
  }
  return denoise(noisy, {chain, turning, straight, back}, {.weights = {shared, shared, shared, shared}});
}

/// A string of cells, and how often it is expected.
struct Expected {
  MoveStrings::String string;
  double count = 0;
};

/// The most expected ones, in order. Ties are broken by the strings, so that the same strings are asked everywhere.
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
  explicit Chain(const MoveBeliefs& moves)
      : triples_(moves.triples.mean), onward_(triples_.size() / king_moves) {
    for (std::size_t i = 0; i < triples_.size(); ++i) onward_[i / king_moves] += triples_[i];
    // Who ends here does not go on: of those who make a move fewer may make another. Noise may claim more.
    for (std::size_t i = 0; i < onward_.size(); ++i) onward_[i] = std::max(onward_[i], moves.pairs.mean[i]);
  }

  double expected(const MoveStrings::String& string) const {
    double count = triples_[at(string, 2)];
    for (std::size_t k = 3; k < string.size(); ++k) count *= going_on(at(string, k));
    return count;
  }
  double going_on(std::size_t triple) const {
    const double before = onward_[triple / king_moves];
    return before > 0 ? triples_[triple] / before : 0;
  }
  const Table& triples() const { return triples_; }

  /// Of the three cells that end at string[last], in the table of triples.
  static std::size_t at(const MoveStrings::String& string, std::size_t last) {
    return (string[last - 2] * king_moves + move_of(string[last - 2], string[last - 1], Layout::coarse)) *
               king_moves +
           move_of(string[last - 1], string[last], Layout::coarse);
  }

 private:
  Table triples_, onward_;
};

}  // namespace

MoveBeliefs believed_moves(const NoisyStatistics& known) {
  MoveBeliefs moves;
  moves.pairs = believe_pairs(known);
  moves.triples = believe_triples(known, moves.pairs.mean);
  return moves;
}

MoveStrings likely_strings(const NoisyStatistics& so_far) {
  // Strings grow by a cell at a time from the most expected beginnings (beam search). No string is expected more
  // often than its beginning; four times as many beginnings as strings are kept because not all of them go on. A
  // narrower beam would cost no privacy, only a string that might have been worth asking about.
  constexpr std::size_t beam = 4 * Layout::most_strings;
  const Chain chain(believed_moves(so_far));
  std::vector<Expected> ends, found;
  for (std::size_t i = 0; i < chain.triples().size(); ++i) {
    if (!(chain.triples()[i] > 0)) continue;
    const TripleAt at(i);
    const std::size_t middle = at.middle(), last = moved(middle, at.second);
    ends.push_back({{static_cast<std::uint8_t>(at.cell), static_cast<std::uint8_t>(middle),
                     static_cast<std::uint8_t>(last)},
                    chain.triples()[i]});
  }
  for (std::size_t cells = MoveStrings::shortest; cells <= MoveStrings::longest; ++cells) {
    keep_most_expected(ends, beam);
    std::vector<Expected> longer;
    for (const Expected& e : ends)
      for (std::size_t move = 0; move < king_moves; ++move) {
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
  // A triple counts one of least_moves parts of a trip, a string one of least_strings.
  Table expected;
  for (std::size_t i = 0; i < known.strings.size(); ++i)
    expected.push_back(chain.expected(known.strings[i]) * Layout::least_moves / Layout::least_strings);
  return denoise(noisy, {expected}, {.weights = {1}});
}

}  // namespace fogline::traces
