// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "traces/counts/moves.hpp"

namespace fogline::traces {

/// Strings of coarse cells, each a king's move from the one before, and where they occur in walks.
///
///     MoveStrings asked({{14, 15, 21, 22}, {15, 21, 22, 28}});
///     asked.each_from(walk, 0, walk.size(), [&](std::uint32_t string) { ++count[string]; });
///
/// Cost of reading a walk: a step for each cell, and one for each cell more that some string shares with it.
class MoveStrings {
 public:
  /// Cells. Strings of three are the triples, which are counted anyway; that none has more than six was chosen, not
  /// derived: the longer a string, the fewer trips pass it.
  static constexpr std::size_t shortest = 4, longest = 6;

  using String = std::vector<std::uint8_t>;

  MoveStrings() = default;
  /// Each must have `shortest` to `longest` cells and be there once.
  explicit MoveStrings(std::vector<String> strings);

  std::size_t size() const { return strings_.size(); }
  const String& operator[](std::size_t i) const { return strings_[i]; }

  /// Calls body(i) for each occurrence of string i that begins at walk[begin] to walk[end - 1].
  template <class Cell, class Body>
  void each_from(std::span<const Cell> walk, std::size_t begin, std::size_t end, const Body& body) const {
    if (strings_.empty()) return;
    for (std::size_t first = begin; first < end; ++first) {
      std::uint16_t node = static_cast<std::uint16_t>(walk[first]);
      for (std::size_t k = first + 1; k < walk.size(); ++k) {
        node = next_[node][move_of(walk[k - 1], walk[k], Layout::coarse)];
        if (node == none) break;
        if (string_[node] != no_string) body(std::uint32_t{string_[node]});
      }
    }
  }

 private:
  static constexpr std::uint16_t none = 0xFFFF, no_string = 0xFFFF;

  std::vector<String> strings_;
  // A tree of beginnings: the first nodes are the coarse cells, a node leads on by moves.
  std::vector<std::array<std::uint16_t, king_moves>> next_;
  std::vector<std::uint16_t> string_;  // that ends at a node
};

}  // namespace fogline::traces
