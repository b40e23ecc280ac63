// SPDX-License-Identifier: Apache-2.0
#include "io/points_csv.hpp"

#include <optional>

#include <fmt/format.h>

#include "io/columns.hpp"
#include "io/csv.hpp"
#include "io/numbers.hpp"
#include "io/point_builder.hpp"

namespace fogline::io {
namespace {

constexpr std::string_view example_header = "traj_id,user_id,t,lon,lat";

/// Between the positions of a polyline: the taxis of Porto, whose file made the form known, report every 15 s.
constexpr std::int64_t polyline_step_s = 15;

std::string_view time_in(const CsvReader& csv, std::size_t column) {
  const std::string_view text = csv.trimmed(column);
  if (text.empty())
    csv.fail(column, "is empty", "fill it in, or say `columns` time=none if the times are not needed");
  return text;
}

/// Takes the next of "[[lon,lat],[lon,lat]]" off the front of `rest`; nothing at its end.
std::optional<std::pair<double, double>> next_position(const CsvReader& csv, std::size_t column,
                                                       std::string_view& rest) {
  const auto take = [&](std::string_view mark) {
    rest = trim(rest);
    if (!rest.starts_with(mark))
      csv.fail(column, "is no list of positions", "write [[longitude,latitude],...]");
    rest.remove_prefix(mark.size());
  };
  const auto number = [&](char end) {
    const std::size_t size = std::min(rest.find(end), rest.size());
    const auto value = parse_double(trim(rest.substr(0, size)));
    if (!value) csv.fail(column, "holds a coordinate that is not a finite number");
    rest.remove_prefix(size);
    take(std::string_view(&end, 1));
    return *value;
  };
  if (rest == "]") return std::nullopt;
  take("[");
  const double lon = number(','), lat = number(']');
  rest = trim(rest);
  if (rest == "]") return std::pair(lon, lat);
  take(",");
  rest = trim(rest);
  if (!rest.starts_with('[')) take("[");  // a comma promises another
  return std::pair(lon, lat);
}

/// Reads points from records with one position, or with a line of them.
class CsvPointReader {
 public:
  CsvPointReader(TextSource& source, const PointReadOptions& options)
      : csv_(source, {.header = options.csv_header}), columns_(csv_, roles(), options.columns) {
    is_plane_ = columns_.of(Role::x) && columns_.of(Role::y);
    is_line_ = !is_plane_ && !columns_.of(Role::lon) && columns_.of(Role::polyline);
    for (const Role role : {Role::x, Role::y})
      if (!is_plane_) columns_.leave(role);
    for (const Role role : {Role::lon, Role::lat}) {
      if (is_plane_ || is_line_) columns_.leave(role);
      if (!is_plane_ && !is_line_) columns_.require(role, example_header);
    }
    if (!is_line_) columns_.leave(Role::polyline);
  }

  PointTable read(const PointReadOptions& options) {
    PointBuilder builder(csv_.file(), {.plane = is_plane_,
                                       .lines_are_records = csv_.is_columns(),
                                       .duplicates = options.duplicates,
                                       .outside = options.outside,
                                       .times = options.times});
    builder.tell_columns(columns_.settle());
    if (is_line_ && columns_.of(Role::time))
      builder.warnings().add("polyline read as a position every 15 s", builder.spot(csv_.line()));
    while (csv_.next()) is_line_ ? add_line(builder) : add_point(builder);
    return std::move(builder).finish();
  }

 private:
  static std::vector<Role> roles() {
    return {Role::lon, Role::lat, Role::x, Role::y, Role::polyline, Role::time, Role::trip, Role::user};
  }

  PointRecord start_record(PointBuilder& builder) const {
    PointRecord record{.line = csv_.line()};
    if (const auto column = columns_.of(Role::time))
      record.t = builder.time(time_in(csv_, *column), csv_.line());
    if (const auto column = columns_.of(Role::trip)) record.traj = csv_.trimmed(*column);
    if (const auto column = columns_.of(Role::user)) record.user = csv_.trimmed(*column);
    return record;
  }

  void add_point(PointBuilder& builder) const {
    PointRecord record = start_record(builder);
    record.lon = csv_.number(*columns_.of(is_plane_ ? Role::x : Role::lon));
    record.lat = csv_.number(*columns_.of(is_plane_ ? Role::y : Role::lat));
    builder.add(record);
  }

  void add_line(PointBuilder& builder) const {
    const std::size_t column = *columns_.of(Role::polyline);
    std::string_view rest = csv_.trimmed(column);
    if (!rest.starts_with('['))
      csv_.fail(column, "is no list of positions", "write [[longitude,latitude],...]");
    rest = trim(rest.substr(1));
    PointRecord record = start_record(builder);
    const std::string line_name = fmt::format("line-{}", csv_.line());
    if (!columns_.of(Role::trip)) record.traj = line_name;
    if (rest == "]") builder.warnings().add("trip without positions left out", builder.spot(csv_.line()));
    while (const auto position = next_position(csv_, column, rest)) {
      record.lon = position->first;
      record.lat = position->second;
      builder.add(record);
      if (record.t) *record.t += polyline_step_s;
    }
  }

  CsvReader csv_;
  CsvColumns columns_;
  bool is_plane_ = false;
  bool is_line_ = false;
};

}  // namespace

PointTable read_points_csv(TextSource& source, const PointReadOptions& options) {
  return CsvPointReader(source, options).read(options);
}

}  // namespace fogline::io
