// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/int128.hpp"

namespace fogline::geometry {

/// All determinants of a small integer matrix: rows are added one by one, and after each the minors of every choice of columns are there.
///
///     Minors minors(3);
///     for (auto& row : {a, b}) minors.add_row(row);
///     minors.of(0b101);                      // of the first and the third column
///
/// By expansion along the last row, without a division, so that no number on the way is larger than a minor times an entry times the
/// columns. Limits: 9 columns. Cost: columns * 2^columns multiplications for all rows together.
class Minors {
 public:
  static constexpr std::size_t most_columns = 9;

  explicit Minors(std::size_t columns) : columns_(columns) { value_[0] = 1; }
  // There are 2^columns minors, and only these are copied: copies of all were most of the time of hulls in the plane.
  Minors(const Minors& other) : columns_(other.columns_) { *this = other; }
  Minors& operator=(const Minors& other) {
    columns_ = other.columns_;
    rows_ = other.rows_;
    std::copy_n(other.value_.begin(), std::size_t{1} << columns_, value_.begin());
    return *this;
  }

  template <class Row>
  void add_row(const Row& row) {
    ++rows_;
    for (std::uint32_t chosen = 1; chosen < (std::uint32_t{1} << columns_); ++chosen) {
      if (std::popcount(chosen) == static_cast<int>(rows_)) value_[chosen] = expand(row, chosen);
    }
  }

  std::size_t rows() const { return rows_; }
  /// Of all rows and the columns whose bits are set, which must be as many.
  Int128 of(std::uint32_t columns) const { return value_[columns]; }

 private:
  template <class Row>
  Int128 expand(const Row& row, std::uint32_t chosen) const {
    Int128 sum = 0;
    bool minus = rows_ % 2 == 0;
    for (std::uint32_t left = chosen; left != 0; left &= left - 1, minus = !minus) {
      const auto column = static_cast<std::size_t>(std::countr_zero(left));
      const Int128 term = static_cast<Int128>(row[column]) * value_[chosen & ~(std::uint32_t{1} << column)];
      sum += minus ? -term : term;
    }
    return sum;
  }

  std::size_t columns_;
  std::size_t rows_ = 0;
  std::array<Int128, std::size_t{1} << most_columns> value_;
};

}  // namespace fogline::geometry
