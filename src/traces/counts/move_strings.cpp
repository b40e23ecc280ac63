// SPDX-License-Identifier: Apache-2.0
#include "traces/counts/move_strings.hpp"

#include <utility>

namespace fogline::traces {

MoveStrings::MoveStrings(std::vector<String> strings) : strings_(std::move(strings)) {
  const auto add_node = [&] {
    next_.emplace_back().fill(none);
    string_.push_back(no_string);
    return static_cast<std::uint16_t>(next_.size() - 1);
  };
  for (std::uint32_t c = 0; c < Layout::coarse * Layout::coarse; ++c) add_node();
  for (std::size_t i = 0; i < strings_.size(); ++i) {
    const String& s = strings_[i];
    std::uint16_t node = s.front();
    for (std::size_t k = 1; k < s.size(); ++k) {
      const std::uint32_t move = move_of(s[k - 1], s[k], Layout::coarse);
      if (next_[node][move] == none) {
        const std::uint16_t added = add_node();
        next_[node][move] = added;
      }
      node = next_[node][move];
    }
    string_[node] = static_cast<std::uint16_t>(i);
  }
}

}  // namespace fogline::traces
