// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "traces/counts/move_strings.hpp"
#include "traces/counts/moves.hpp"
#include "traces/invention/visit_counts.hpp"

namespace fogline::traces {

/// A trip's moves between coarse cells in the tables of pairs, triples and strings, as TraceStatistics counts them. Changes can be tried, and kept or not.
class MoveCounts {
 public:
  /// The tables and the strings must outlive this.
  MoveCounts(std::span<Weighed> pairs, std::span<Weighed> triples, std::span<Weighed> strings,
             const MoveStrings& asked)
      : asked_(asked),
        table_{pairs, triples, strings},
        change_{Changes(pairs.size()), Changes(triples.size()), Changes(strings.size())} {}

  /// The walk as it would be, for the caller to fill.
  std::vector<std::uint16_t>& tried() { return tried_; }
  void opened() {
    std::swap(walk_, tried_);
    occurrences_ = occurrences(walk_, 0, walk_.size());
  }
  std::uint16_t last() const { return walk_.back(); }
  std::size_t moves() const { return walk_.size() - 1; }

  /// Calls body(table, entry, amount) for each count that a walk adds to.
  template <class Body>
  static void each(std::span<const std::uint16_t> walk, float sign, const Body& body) {
    each_between(walk, 1, walk.size(), part(walk.size(), 0) * sign, part(walk.size(), 1) * sign, body);
  }
  template <class Body>
  void each_now(const Body& body) const {
    each(walk_, 1, body);
    each_string(walk_, 0, walk_.size(), string_part(occurrences_), body);
  }

  /// By how much the tables get worse if the walk becomes the one tried.
  float weigh() {
    for (Changes& c : change_) c.begin();
    const auto add = [&](std::size_t t, std::uint32_t k, float by) { change_[t].add(k, by); };
    const std::size_t shorter = std::min(walk_.size(), tried_.size());
    std::size_t same = 0, tail = 0;
    while (same < shorter && walk_[same] == tried_[same]) ++same;
    occurrences_tried_ = occurrences_;
    if (same == walk_.size() && same == tried_.size()) return 0;
    while (tail < shorter - same && walk_[walk_.size() - 1 - tail] == tried_[tried_.size() - 1 - tail])
      ++tail;
    if (part(walk_.size(), 0) == part(tried_.size(), 0) && part(walk_.size(), 1) == part(tried_.size(), 1)) {
      // A triple ends two moves after the first cell that it looks at.
      const auto end = [&](const auto& walk) { return std::min(walk.size(), walk.size() - tail + 2); };
      const std::size_t begin = std::max<std::size_t>(1, same);
      const float pair = part(walk_.size(), 0), triple = part(walk_.size(), 1);
      each_between(walk_, begin, end(walk_), -pair, -triple, add);
      each_between(tried_, begin, end(tried_), pair, triple, add);
    } else {
      each(walk_, -1, add);
      each(tried_, 1, add);
    }
    weigh_strings(same, tail, add);
    float worse = 0;
    for (std::size_t t = 0; t < tables; ++t)
      for (const std::uint32_t k : change_[t].touched) worse += table_[t][k].worse_by(change_[t].entry[k].by);
    return worse;
  }
  void keep() {
    for (std::size_t t = 0; t < tables; ++t)
      for (const std::uint32_t k : change_[t].touched) table_[t][k].over += change_[t].entry[k].by;
    std::swap(walk_, tried_);
    occurrences_ = occurrences_tried_;
  }

 private:
  struct Changes {
    struct Entry {
      float by = 0;
      std::uint32_t stamp = 0;
    };
    explicit Changes(std::size_t size) : entry(size) {}
    void begin() {
      ++stamp;
      touched.clear();
    }
    void add(std::uint32_t k, float by) {
      if (entry[k].stamp != stamp) {
        entry[k] = {0, stamp};
        touched.push_back(k);
      }
      entry[k].by += by;
    }
    std::vector<Entry> entry;
    std::vector<std::uint32_t> touched;
    std::uint32_t stamp = 0;
  };

  /// What one move (or, with 1, two in a row) of a walk of so many cells counts.
  static float part(std::size_t cells_in_walk, std::size_t less) {
    const std::size_t moves =
        cells_in_walk > less ? cells_in_walk - 1 - std::min(less, cells_in_walk - 1) : 0;
    return 1 / static_cast<float>(std::max<std::size_t>(Layout::least_moves, moves));
  }

  /// What one of so many strings in a walk counts.
  static float string_part(std::size_t found) {
    return 1 / static_cast<float>(std::max<std::size_t>(Layout::least_strings, found));
  }
  std::size_t occurrences(std::span<const std::uint16_t> walk, std::size_t begin, std::size_t end) const {
    std::size_t found = 0;
    asked_.each_from(walk, begin, end, [&](std::uint32_t) { ++found; });
    return found;
  }
  template <class Body>
  void each_string(std::span<const std::uint16_t> walk, std::size_t begin, std::size_t end, float amount,
                   const Body& body) const {
    asked_.each_from(walk, begin, end, [&](std::uint32_t s) { body(2, s, amount); });
  }
  /// The first `same` cells and the last `tail` ones stay.
  template <class Add>
  void weigh_strings(std::size_t same, std::size_t tail, const Add& add) {
    if (asked_.size() == 0) return;
    const std::size_t begin = same - std::min(same, MoveStrings::longest - 1);
    occurrences_tried_ = occurrences_ - occurrences(walk_, begin, walk_.size() - tail) +
                         occurrences(tried_, begin, tried_.size() - tail);
    const float was = string_part(occurrences_), now = string_part(occurrences_tried_);
    const bool all = was != now;
    each_string(walk_, all ? 0 : begin, all ? walk_.size() : walk_.size() - tail, -was, add);
    each_string(tried_, all ? 0 : begin, all ? tried_.size() : tried_.size() - tail, now, add);
  }

  template <class Body>
  static void each_between(std::span<const std::uint16_t> walk, std::size_t begin, std::size_t end,
                           float pair, float triple, const Body& body) {
    for (std::size_t k = begin; k < end; ++k) {
      const std::uint32_t move = move_of(walk[k - 1], walk[k], Layout::coarse);
      body(0, walk[k - 1] * king_moves + move, pair);
      if (k >= 2)
        body(1,
             walk[k - 2] * (king_moves * king_moves) +
                 move_of(walk[k - 2], walk[k - 1], Layout::coarse) * king_moves + move,
             triple);
    }
  }

  const MoveStrings& asked_;
  static constexpr std::size_t tables = 3;
  std::span<Weighed> table_[tables];
  Changes change_[tables];
  std::size_t occurrences_ = 0, occurrences_tried_ = 0;
  std::vector<std::uint16_t> walk_, tried_;
};

}  // namespace fogline::traces
