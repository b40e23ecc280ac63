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

void ColumnFields::require(bool is_guarded) const {
  const io::ColumnMap given = map();
  // What these name is a unit of protection, or stands in the output without noise; the weight is the third of the two ends of an edge.
  using enum io::Role;
  for (const io::Role role : {trip, user, source, target, weight}) {
    if (is_guarded && given.settles(role))
      throw InvalidOption("columns",
                          fmt::format("cannot say with `guarded` which column is the {}: it decides "
                                      "what is protected; name it so in the file",
                                      to_string(role)));
  }
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
