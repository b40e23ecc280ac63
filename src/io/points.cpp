// SPDX-License-Identifier: Apache-2.0
#include "io/points.hpp"

#include <string_view>
#include <utility>

#include "io/points_csv.hpp"
#include "io/points_dat.hpp"
#include "io/points_geojson.hpp"
#include "io/points_gpx.hpp"
#include "io/words.hpp"

namespace fogline::io {

FileSpot PointTable::spot(std::size_t point) const {
  return lines_are_records ? FileSpot{source, 0, line[point]} : FileSpot{source, line[point], 0};
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
                          ".gz), or state it with -f");
}

PointTable read_points(TextSource& source, const PointReadOptions& options) {
  const PointFormat format =
      options.format == PointFormat::by_suffix ? point_format_of(source.name()) : options.format;
  switch (format) {
    case PointFormat::geojson:
      return read_points_geojson(source, options);
    case PointFormat::gpx:
      return read_points_gpx(source, options);
    case PointFormat::dat:
      return read_points_dat(source, options);
    case PointFormat::csv:
    case PointFormat::by_suffix:
      break;
  }
  return read_points_csv(source, options);
}

PointTable read_points(const std::string& file, const PointReadOptions& options) {
  TextSource source = TextSource::from_file(file);
  return read_points(source, options);
}

}  // namespace fogline::io
