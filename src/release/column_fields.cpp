// SPDX-License-Identifier: Apache-2.0
#include "release/column_fields.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace fogline::release {

void ColumnFields::declare(FieldTable& table) {
  table.value("columns", "MAP", columns, "which columns are what, such as trip=ride,time=none");
}

void ColumnFields::declare_times(FieldTable& table) {
  declare(table);
  table.value("time-format", "ORDER", time_format, "of dates such as 04/05/2020, refused otherwise")
      .rare()
      .choices({"day-first", "month-first"});
}

void ColumnFields::declare_order(FieldTable& table) {
  declare_times(table);
  table.flag("sort", sort, "put in order of time what is not, instead of refusing it");
}

io::ColumnMap ColumnFields::map() const {
  return io::ColumnMap::parse(columns);
}

io::TimeFormat ColumnFields::times() const {
  if (time_format == "day-first") return io::TimeFormat::day_first;
  return time_format == "month-first" ? io::TimeFormat::month_first : io::TimeFormat::year_first;
}

void tell_columns(Caller& caller, const io::ColumnReport& report) {
  if (report.taken.empty() && report.left.empty()) return;
  caller.note(fmt::format("columns: {}", to_string(report)));
  caller.detail(to_details(report));
}

void tell_odd_columns(Caller& caller, const std::string& file, const io::ColumnReport& report) {
  const bool is_ours =
      std::all_of(report.taken.begin(), report.taken.end(), [](const auto& taken) { return taken.is_ours; });
  if (!is_ours || !report.left.empty()) caller.note(fmt::format("{}: columns: {}", file, to_string(report)));
  caller.detail(to_details(report));
}

}  // namespace fogline::release
