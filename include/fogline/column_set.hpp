// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fogline {

/// Records as columns of plain types, one entry for each record: what a CSV file holds, without the file.
///
///     fogline::ColumnSet positions;
///     positions.borrow("lon", std::span(lon)).borrow("lat", std::span(lat));       // no copy: lon and lat stay with the caller
///
///     const fogline::ColumnSet columns = released.columns();
///     for (double degrees : columns.numbers("lon")) use(degrees);
///
/// Columns are known by their names, as those of a CSV file are (docs/formats.md, "Names of columns"). What is missing is a number that is not
/// finite, or an empty text. A copy of a set shares what the set holds.
class ColumnSet {
 public:
  using Numbers = std::span<const double>;
  using Integers = std::span<const std::int64_t>;
  using Texts = std::span<const std::string_view>;
  using Values = std::variant<Numbers, Integers, Texts>;

  struct Column {
    std::string name;
    Values values;
    std::shared_ptr<const void> owner = {};  ///< of the values; none if they are borrowed
  };

  /// Takes a column that the caller keeps, unchanged, for as long as the set is used. Throws InvalidOption: a name that is empty or given before,
  /// another length than the columns before, a text with a NUL byte.
  ColumnSet& borrow(std::string name, Values values);
  /// The same, and the set keeps the values.
  ColumnSet& hold(std::string name, std::vector<double> values);
  ColumnSet& hold(std::string name, std::vector<std::int64_t> values);
  ColumnSet& hold(std::string name, std::vector<std::string> values);

  std::size_t records() const { return records_; }
  const std::vector<Column>& columns() const { return columns_; }
  const Column* find(std::string_view name) const;  ///< null if there is none

  // The values of a column; InvalidOption if there is none of that name and type.
  Numbers numbers(std::string_view name) const { return values<Numbers>(name); }
  Integers integers(std::string_view name) const { return values<Integers>(name); }
  Texts texts(std::string_view name) const { return values<Texts>(name); }

 private:
  template <class Type>
  Type values(std::string_view name) const;
  ColumnSet& add(Column column);

  std::vector<Column> columns_;
  std::size_t records_ = 0;
};

}  // namespace fogline
