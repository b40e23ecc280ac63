// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include "io/columns.hpp"
#include "io/csv.hpp"

namespace fogline::io {

/// Where a CSV file of edges has what; docs/formats.md lists the names.
struct GraphColumns {
  std::size_t source = 0;
  std::size_t target = 1;
  std::optional<std::size_t> weight = {};
  bool has_header = true;  ///< false: two or three columns of numbers, without names
  ColumnReport report = {};
};

/// From the header, which the reader has read. Throws DataError if source or target have no column, or two, and
/// InvalidOption for a map that does not fit.
GraphColumns graph_columns(const CsvReader& csv, const ColumnMap& map);

}  // namespace fogline::io
