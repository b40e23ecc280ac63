// SPDX-License-Identifier: Apache-2.0
#include "cli/columns_block.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace fogline::cli {

void ColumnsBlock::declare(OptionSet& options) {
  options.value("--columns", "MAP", columns, "which columns are what, such as trip=ride,time=none");
}

void ColumnsBlock::declare_times(OptionSet& options) {
  declare(options);
  options.value("--time-format", "ORDER", time_format, "of dates such as 04/05/2020, refused otherwise")
      .choices({"day-first", "month-first"});
}

void ColumnsBlock::declare_order(OptionSet& options) {
  declare_times(options);
  options.flag("--sort", sort, "put in order of time what is not, instead of refusing it");
}

io::ColumnMap ColumnsBlock::map() const {
  return io::ColumnMap::parse(columns);
}

io::TimeFormat ColumnsBlock::times() const {
  if (time_format == "day-first") return io::TimeFormat::day_first;
  return time_format == "month-first" ? io::TimeFormat::month_first : io::TimeFormat::year_first;
}

void tell_columns(Session& session, const io::ColumnReport& report) {
  if (report.taken.empty() && report.left.empty()) return;
  session.note(fmt::format("columns: {}", to_string(report)));
  session.detail(to_details(report));
}

void tell_odd_columns(Session& session, const std::string& file, const io::ColumnReport& report) {
  const bool is_ours =
      std::all_of(report.taken.begin(), report.taken.end(), [](const auto& taken) { return taken.is_ours; });
  if (!is_ours || !report.left.empty()) session.note(fmt::format("{}: columns: {}", file, to_string(report)));
  session.detail(to_details(report));
}

}  // namespace fogline::cli
