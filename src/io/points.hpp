// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/warnings.hpp"
#include "io/columns.hpp"
#include "io/input_file.hpp"
#include "io/name_table.hpp"
#include "io/timestamp.hpp"

namespace fogline::io {

/// Positions as plain columns, one entry per point, in the order of the file.
///
/// `lon` and `lat` hold WGS84 degrees, or metres east and north when `plane` is set. A column the file does
/// not have is empty. Never empty as a whole: a file without points is an error.
struct PointTable {
  std::string source;               ///< file name, for messages
  bool plane = false;               ///< lon, lat are metres on a plane
  bool lines_are_records = false;   ///< `line` counts features, not lines
  bool has_time = false;            ///< every point has a time
  bool times_left_out = false;      ///< some had one, and others not
  std::vector<double> lon;          ///< degrees east, -180 to 180; metres if `plane`
  std::vector<double> lat;          ///< degrees north, -90 to 90; metres if `plane`
  std::vector<std::int64_t> t;      ///< unix seconds, or empty
  std::vector<std::uint32_t> traj;  ///< index into traj_names, or empty
  std::vector<std::uint32_t> user;  ///< index into user_names, or empty
  std::vector<std::uint64_t> line;  ///< where each point was found, from 1
  NameTable traj_names;
  NameTable user_names;
  ColumnReport columns;  ///< what was taken for what; empty for formats without columns
  Warnings warnings;

  std::size_t size() const { return lon.size(); }
  FileSpot spot(std::size_t point) const;  ///< where a point was found
};

/// Leaves out every point whose entry in `kept`, one per point, is false. Names that nobody has any more stay in the tables of names.
void keep_points(PointTable& points, const std::vector<bool>& kept);

enum class PointFormat : std::uint8_t { by_suffix, csv, geojson, gpx, dat };

/// What to do with a second point of the same trip (same user if the file has no trips) and time.
enum class DuplicatePoints : std::uint8_t { keep, drop, refuse };

/// What to do with a position outside the range of degrees (or over 10^9 metres from the origin).
enum class OutsidePoints : std::uint8_t { refuse, drop };

enum class DatUnit : std::uint8_t { metres, degrees };

struct PointReadOptions {
  PointFormat format = PointFormat::by_suffix;
  DatUnit dat_unit = DatUnit::metres;  ///< what a .dat file's numbers are
  DuplicatePoints duplicates =
      DuplicatePoints::keep;                      ///< keep and drop count a warning; drop keeps the first
  OutsidePoints outside = OutsidePoints::refuse;  ///< drop counts a warning
  std::string csv_header{};  ///< names for the columns of a CSV file without header: "user_id,t,lon,lat"
  ColumnOptions columns{};   ///< of CSV files, and of the properties of GeoJSON
  TimeFormat times = TimeFormat::year_first;
  Progress progress = {};  ///< told of the bytes of a file that is read; may cancel
};

/// Reads positions: CSV, GeoJSON, GPX or .dat, plain or gzipped; docs/formats.md describes each.
///
///     PointTable points = read_points("trips.csv.gz", {});
///     for (const auto& item : points.warnings.items()) tell(to_string(item));
///
/// Refused with a DataError naming file and line: no points, numbers that are not finite or out of range,
/// swapped longitude and latitude (where the ranges show it), damaged or truncated files, columns that look like a
/// trip, a user or a time and were not taken for one (io/columns.hpp). Counted in
/// `warnings`: duplicates, fractions of a second cut off, times without zone, points without time or trip
/// among others with. Cost: CSV is streamed, 40 bytes a point with every column; GeoJSON is held in memory
/// whole.
///
/// Standard input ("-") has no suffix: `by_suffix` then looks at how it begins.
PointTable read_points(const std::string& file, const PointReadOptions& options);

/// The same from any source: `by_suffix` looks at its name, and takes columns in memory by theirs.
PointTable read_points(TextSource& source, const PointReadOptions& options);

/// The format that a text begins like: { is GeoJSON, < is GPX, # and a digit is .dat, everything else is CSV.
PointFormat point_format_of_text(std::string_view start);
PointFormat point_format_of_start(TextSource& source);  ///< the same; takes nothing away from the source

/// The format a file name stands for: .csv, .tsv, .txt, .geojson, .json, .gpx, .dat, each also with .gz.
/// Anything else: InvalidOption that lists them.
PointFormat point_format_of(const std::string& file);

}  // namespace fogline::io
