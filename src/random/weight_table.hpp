// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/int128.hpp"
#include "random/stream.hpp"

namespace fogline::random {

/// Draws an index with probability exactly weight / total, by a uniform integer below the total.
///
///     CumulativeTable table(std::vector<Uint128>{1, 2, 7});
///     std::size_t answer = table.draw(noise);                 // 2 with probability 7/10
///
/// Limits: at least one weight above 0; the total is below 2^128. Cost: 16 bytes a weight; a draw is a binary
/// search. For one or few draws from a table; AliasTable is faster for many.
class CumulativeTable {
 public:
  explicit CumulativeTable(std::span<const Uint128> weights);  ///< throws InvalidOption

  std::size_t draw(Stream& noise) const;
  std::size_t size() const { return up_to_.size(); }
  Uint128 total() const { return up_to_.back(); }
  Uint128 weight(std::size_t index) const { return up_to_[index] - (index > 0 ? up_to_[index - 1] : 0); }

 private:
  std::vector<Uint128> up_to_;
};

/// The same distribution in constant time a draw: each column holds its own index up to a threshold and one
/// other index above it (Walker's alias method, in integers, hence without rounding).
///
/// Limits: as CumulativeTable, and size * largest weight below 2^128. Cost: 32 bytes a weight; two uniform
/// integers a draw.
class AliasTable {
 public:
  explicit AliasTable(std::span<const Uint128> weights);  ///< throws InvalidOption

  std::size_t draw(Stream& noise) const;
  std::size_t size() const { return columns_.size(); }
  Uint128 total() const { return total_; }

 private:
  struct Column {
    Uint128 threshold = 0;  // out of total_
    std::size_t other = 0;
  };
  std::vector<Column> columns_;
  Uint128 total_ = 0;
};

}  // namespace fogline::random
