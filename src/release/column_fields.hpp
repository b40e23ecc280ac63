// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "io/columns.hpp"
#include "io/timestamp.hpp"
#include "release/caller.hpp"
#include "release/field_table.hpp"

namespace fogline::release {

/// `columns`, `time-format` and `sort`: how a private file's columns and times are to be understood.
///
///     io::PointTable points = io::read_points(file, {.columns = {.map = columns_.map()}, .times = columns_.times()});
///     tell_columns(caller, points.columns);
struct ColumnFields {
  std::string columns, time_format;
  bool sort = false;

  void declare(FieldTable& table);        ///< `columns`
  void declare_times(FieldTable& table);  ///< `columns` and `time-format`
  void declare_order(FieldTable& table);  ///< all three
  io::ColumnMap map() const;              ///< throws InvalidOption
  /// Throws InvalidOption if the map cannot be read or, guarded, says of any column what decides whose records are protected, or what is released as it stands.
  void require(bool is_guarded) const;
  io::TimeFormat times() const;
};

/// Says which columns were taken for what and which were left: in one line, and with -v column by column. Says nothing
/// of formats without columns.
void tell_columns(Caller& caller, const io::ColumnReport& report);

/// The same where nothing is charged and several files are read: the line comes only if a column has another name than
/// in our own files, or was left.
void tell_odd_columns(Caller& caller, const std::string& file, const io::ColumnReport& report);

}  // namespace fogline::release
