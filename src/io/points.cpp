// SPDX-License-Identifier: Apache-2.0
#include "io/points.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "io/points_csv.hpp"
#include "io/points_dat.hpp"
#include "io/points_geojson.hpp"
#include "io/points_gpx.hpp"
#include "io/words.hpp"

namespace fogline::io {
namespace {

constexpr std::size_t bytes_that_tell = 256;  // of standard input; blank lines may come first

}  // namespace

FileSpot PointTable::spot(std::size_t point) const {
  return lines_are_records ? FileSpot{source, 0, line[point]} : FileSpot{source, line[point], 0};
}

void keep_points(PointTable& points, const std::vector<bool>& kept) {
  const auto keep = [&](auto& column) {
    if (column.empty()) return;
    std::size_t next = 0;
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (kept[i]) column[next++] = column[i];
    column.resize(next);
  };
  keep(points.lon);
  keep(points.lat);
  keep(points.t);
  keep(points.traj);
  keep(points.user);
  keep(points.line);
}

PointFormat point_format_of(const std::string& file) {
  const std::string name = name_for_suffix(file);
  constexpr std::pair<std::string_view, PointFormat> suffixes[] = {
      {".csv", PointFormat::csv},         {".tsv", PointFormat::csv},      {".txt", PointFormat::csv},
      {".geojson", PointFormat::geojson}, {".json", PointFormat::geojson}, {".gpx", PointFormat::gpx},
      {".dat", PointFormat::dat}};
  for (const auto& [suffix, format] : suffixes) {
    if (name.ends_with(suffix)) return format;
  }
  throw InvalidOption("format",
                      "cannot be told from the name " + file +
                          "; end it in .csv, .tsv, .txt, .geojson, .json, .gpx or .dat (each also with "
                          ".gz), or state it with `format`");
}

PointFormat point_format_of_text(std::string_view start) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (start.starts_with(byte_order_mark)) start.remove_prefix(byte_order_mark.size());
  start.remove_prefix(std::min(start.find_first_not_of(" \t\r\n"), start.size()));
  if (start.starts_with('{') || start.starts_with('[')) return PointFormat::geojson;
  if (start.starts_with('<')) return PointFormat::gpx;
  const bool is_trip = start.size() > 1 && start[0] == '#' && start[1] >= '0' && start[1] <= '9';
  return is_trip ? PointFormat::dat : PointFormat::csv;
}

PointTable read_points(TextSource& source, const PointReadOptions& options) {
  const auto told_by_source = [&] {
    if (source.columns() != nullptr) return PointFormat::csv;
    return source.is_standard_input() ? point_format_of_start(source) : point_format_of(source.name());
  };
  const PointFormat format = options.format == PointFormat::by_suffix ? told_by_source() : options.format;
  switch (format) {
    case PointFormat::geojson:
      return read_points_geojson(source, options);
    case PointFormat::gpx:
      options.columns.map.refuse_if_given("GPX");
      return read_points_gpx(source, options);
    case PointFormat::dat:
      options.columns.map.refuse_if_given(".dat");
      return read_points_dat(source, options);
    case PointFormat::csv:
    case PointFormat::by_suffix:
      break;
  }
  return read_points_csv(source, options);
}

PointFormat point_format_of_start(TextSource& source) {
  return point_format_of_text(source.peek(bytes_that_tell));
}

PointTable read_points(const std::string& file, const PointReadOptions& options) {
  TextSource source = TextSource::from_file(file, options.progress);
  return read_points(source, options);
}

}  // namespace fogline::io
