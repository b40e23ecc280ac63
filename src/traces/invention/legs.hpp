// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "traces/counts/layout.hpp"
#include "traces/frame/trip_set.hpp"

namespace fogline::traces {

/// Cells in a row, at most so many.
template <std::size_t most>
class CellList {
 public:
  void clear() { size_ = 0; }
  void push(std::uint32_t cell) { cell_[size_++] = static_cast<std::uint16_t>(cell); }
  std::span<const std::uint16_t> all() const { return {cell_.data(), size_}; }
  friend bool operator==(const CellList& a, const CellList& b) {
    return std::ranges::equal(a.all(), b.all());
  }

 private:
  std::size_t size_ = 0;
  std::array<std::uint16_t, most> cell_;  // only what was pushed is ever read
};

/// A way from node to node as the grids see it: the cells entered, one after another. A straight way enters at most as many cells as a grid has rows and columns.
struct Leg {
  CellList<2 * Layout::coarse> coarse;
  CellList<2 * Layout::medium> medium;
  CellList<2 * Layout::finest> fine;
  float length = 0;  ///< for the caller to set
};

/// Finds the cells that legs enter: on each grid, king moves from point to point of a trip.
class LegReader {
 public:
  explicit LegReader(const Layout& layout);

  /// The cells that a trip begins in.
  void begin(const PlanePoint& p, Leg& leg) const;
  /// The cells entered from one node to the next by a trip whose points are `step` apart.
  void read(const PlanePoint& from, const PlanePoint& to, float step, Leg& leg) const;

 private:
  struct At {
    int x = 0, y = 0;
  };
  At place(const PlanePoint& p) const {
    return {std::clamp(static_cast<int>(p.x * per_x_), 0, limit_),
            std::clamp(static_cast<int>(p.y * per_y_), 0, limit_)};
  }
  At medium_of(const At& f) const {
    return {to_medium_[static_cast<std::size_t>(f.x)], to_medium_[static_cast<std::size_t>(f.y)]};
  }
  At coarse_of(const At& f) const {
    return {to_coarse_[static_cast<std::size_t>(f.x)], to_coarse_[static_cast<std::size_t>(f.y)]};
  }

  int limit_;
  float per_x_, per_y_, least_step_;
  std::vector<std::uint8_t> to_coarse_, to_medium_;
};

}  // namespace fogline::traces
