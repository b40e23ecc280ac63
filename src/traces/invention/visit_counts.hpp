// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace fogline::traces {

/// A count of a table: how much a miss weighs, and by how much it is over what is believed.
struct Weighed {
  float weight = 0, over = 0;

  /// What adding this does to weight * over^2.
  float worse_by(float added) const { return weight * added * (2 * over + added); }
};

/// A table in which each visited cell gets its share of a trip: its favour / the sum of the favours visited, or / the least sum if that is more.
class Sharing {
 public:
  /// `table` must outlive this.
  Sharing(std::vector<float> favour, std::span<Weighed> table, float least = 0)
      : favour_(std::move(favour)), table_(table), least_(least) {}

  float share(std::uint32_t cell) const { return favour_[cell] / whole(favours_); }

  void open(std::span<const std::uint32_t> visited) {
    favours_ = 0;
    for (const std::uint32_t c : visited) favours_ += favour_[c];
    learn(visited);
  }
  /// By how much the table gets worse when these cells are visited in addition and those no more. Costs as much as they are, however many a trip visits.
  float weigh(std::span<const std::uint32_t> gained, std::span<const std::uint32_t> lost) {
    tried_ = favours_;
    for (const std::uint32_t c : gained) tried_ += favour_[c];
    for (const std::uint32_t c : lost) tried_ -= favour_[c];
    const float now = 1 / whole(tried_), was = 1 / whole(favours_), by = now - was;
    // As if all that was visited stayed; then what did not.
    float worse = by * (2 * slope_ + by * bend_);
    for (const std::uint32_t c : lost)
      worse += table_[c].worse_by(-favour_[c] * was) - table_[c].worse_by(favour_[c] * by);
    for (const std::uint32_t c : gained) worse += table_[c].worse_by(favour_[c] * now);
    return worse;
  }
  /// Makes what was weighed last so.
  void keep(std::span<const std::uint32_t> before, std::span<const std::uint32_t> after) {
    for (const std::uint32_t c : before) table_[c].over -= favour_[c] / whole(favours_);
    for (const std::uint32_t c : after) table_[c].over += favour_[c] / whole(tried_);
    favours_ = tried_;
    learn(after);
  }

 private:
  float whole(float favours) const { return std::max(least_, favours); }

  void learn(std::span<const std::uint32_t> visited) {
    slope_ = bend_ = 0;
    for (const std::uint32_t c : visited) {
      slope_ += table_[c].weight * favour_[c] * table_[c].over;
      bend_ += table_[c].weight * favour_[c] * favour_[c];
    }
  }

  std::vector<float> favour_;
  std::span<Weighed> table_;
  float least_;
  float favours_ = 0, tried_ = 0;
  float slope_ = 0, bend_ = 0;  ///< of the cost, as the trip's share of everything it visits grows
};

/// Which cells of a grid a trip visits. Changes can be tried, and kept or taken back.
///
///     visits.open(); visits.enter(cell)...; visits.opened();
///     visits.begin_change(); visits.add(cell, +1)...; const float worse = visits.weigh();
///     worse < 0 ? visits.keep() : visits.take_back();
class VisitCounts {
 public:
  VisitCounts(std::size_t cells, Sharing table) : table_(std::move(table)), cell_(cells) {}

  void open() {
    for (const std::uint32_t c : visited_) cell_[c].count = 0;
    visited_.clear();
  }
  void enter(std::uint32_t cell) {
    if (cell_[cell].count++ == 0) visited_.push_back(cell);
  }
  void opened() { table_.open(visited_); }
  std::span<const std::uint32_t> visited() const { return visited_; }
  float share(std::uint32_t cell) const { return table_.share(cell); }

  void begin_change() {
    ++change_;
    touched_.clear();
  }
  void add(std::uint32_t cell, int by) {
    Cell& c = cell_[cell];
    if (c.stamp != change_) {
      c.stamp = change_;
      c.before = c.count;
      touched_.push_back(cell);
    }
    c.count = static_cast<std::uint16_t>(c.count + by);
  }
  /// By how much the table gets worse.
  float weigh() {
    gained_.clear();
    lost_.clear();
    for (const std::uint32_t c : touched_) {
      if (cell_[c].before == 0 && cell_[c].count > 0) gained_.push_back(c);
      if (cell_[c].before > 0 && cell_[c].count == 0) lost_.push_back(c);
    }
    return gained_.empty() && lost_.empty() ? 0 : table_.weigh(gained_, lost_);
  }
  std::size_t visited_after() const { return visited_.size() + gained_.size() - lost_.size(); }
  void take_back() {
    for (const std::uint32_t c : touched_) cell_[c].count = cell_[c].before;
  }
  void keep() {
    if (gained_.empty() && lost_.empty()) return;
    after_.clear();
    for (const std::uint32_t c : visited_)
      if (cell_[c].count > 0) after_.push_back(c);
    after_.insert(after_.end(), gained_.begin(), gained_.end());
    table_.keep(visited_, after_);
    std::swap(visited_, after_);
  }

 private:
  struct Cell {
    std::uint16_t count = 0, before = 0;
    std::uint32_t stamp = 0;
  };
  Sharing table_;
  std::vector<Cell> cell_;
  std::vector<std::uint32_t> visited_, after_, touched_, gained_, lost_;
  std::uint32_t change_ = 0;
};

}  // namespace fogline::traces
