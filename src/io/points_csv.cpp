// SPDX-License-Identifier: Apache-2.0
#include "io/points_csv.hpp"

#include <optional>

#include "io/csv.hpp"
#include "io/point_builder.hpp"
#include "io/point_names.hpp"

namespace fogline::io {
namespace {

constexpr std::string_view example_header = "traj_id,user_id,t,lon,lat";

struct Columns {
  bool plane = false;
  std::size_t lon = 0;
  std::size_t lat = 0;
  std::optional<std::size_t> t;
  std::optional<std::size_t> traj;
  std::optional<std::size_t> user;
};

Columns find_columns(const CsvReader& csv) {
  Columns columns;
  const auto x = csv.find_column(point_names::x_m);
  const auto y = csv.find_column(point_names::y_m);
  columns.plane = x && y;
  columns.lon = columns.plane ? *x : csv.require_column("longitude", point_names::lon, example_header);
  columns.lat = columns.plane ? *y : csv.require_column("latitude", point_names::lat, example_header);
  columns.t = csv.find_column(point_names::t);
  columns.traj = csv.find_column(point_names::traj);
  columns.user = csv.find_column(point_names::user);
  return columns;
}

std::string_view time_in(const CsvReader& csv, std::size_t column) {
  const std::string_view text = csv.trimmed(column);
  if (text.empty())
    csv.fail(column, "is empty", "fill it in, or rename the column if its times are not needed");
  return text;
}

std::optional<std::string_view> name_in(const CsvReader& csv, std::size_t column) {
  const std::string_view name = csv.trimmed(column);
  return name.empty() ? std::nullopt : std::optional(name);
}

}  // namespace

PointTable read_points_csv(TextSource& source, const PointReadOptions& options) {
  CsvReader csv(source, {.header = options.csv_header});
  const Columns columns = find_columns(csv);
  PointBuilder builder(
      source.name(), {.plane = columns.plane, .duplicates = options.duplicates, .outside = options.outside});
  PointRecord record;
  while (csv.next()) {
    record.lon = csv.number(columns.lon);
    record.lat = csv.number(columns.lat);
    record.line = csv.line();
    if (columns.t) record.t = builder.time(time_in(csv, *columns.t), csv.line());
    if (columns.traj) record.traj = name_in(csv, *columns.traj);
    if (columns.user) record.user = name_in(csv, *columns.user);
    builder.add(record);
  }
  return std::move(builder).finish();
}

}  // namespace fogline::io
