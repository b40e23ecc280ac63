// SPDX-License-Identifier: Apache-2.0
#include "traces/measures/next_cell.hpp"

#include <algorithm>

namespace fogline::traces {

NextCellCounts::NextCellCounts(const CellGrid& grid)
    : columns_(grid.columns()), counts_(grid.size() * per_cell) {}

void NextCellCounts::add(std::span<const std::uint32_t> walk) {
  std::size_t before = befores - 1;
  for (std::size_t i = 1; i < walk.size(); ++i) {
    const std::uint32_t from = walk[i - 1], to = walk[i];
    const std::size_t move =
        (to / columns_ + 1 - from / columns_) * 3 + (to % columns_ + 1 - from % columns_);
    ++counts_[from * per_cell + before * directions + move];
    before = move;
  }
}

void NextCellCounts::add(const NextCellCounts& other) {
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
}

std::vector<std::uint64_t> NextCellCounts::moves() const {
  std::vector<std::uint64_t> moves(counts_.size() / befores);
  for (std::size_t i = 0; i < counts_.size(); ++i)
    moves[i / per_cell * directions + i % directions] += counts_[i];
  return moves;
}

double NextCellCounts::share_predicted(const NextCellCounts& other) const {
  const std::vector<std::uint64_t> first_order = moves();
  std::uint64_t right = 0, all = 0;
  for (std::size_t at = 0; at < counts_.size(); at += directions) {
    const std::span asked = std::span(other.counts_).subspan(at, directions);
    for (const std::uint64_t count : asked) all += count;
    const std::size_t cell = at / per_cell;
    std::span model = std::span(counts_).subspan(at, directions);
    const bool begins = at / directions % befores == befores - 1;
    if (begins || *std::max_element(model.begin(), model.end()) == 0)
      model = std::span(first_order).subspan(cell * directions, directions);
    const auto likeliest = std::max_element(model.begin(), model.end());
    if (*likeliest > 0) right += asked[static_cast<std::size_t>(likeliest - model.begin())];
  }
  return all == 0 ? 0 : static_cast<double>(right) / static_cast<double>(all);
}

}  // namespace fogline::traces
