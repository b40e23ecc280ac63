// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/points.hpp"

namespace fogline::io {

/// One point as a reader found it.
struct PointRecord {
  double lon = 0;
  double lat = 0;
  std::uint64_t line = 0;
  std::optional<std::int64_t> t{};
  std::optional<std::string_view> traj{};  ///< blank where the file has a place for the name, and it is empty
  std::optional<std::string_view> user{};
};

/// Checks points one by one and gathers them into a PointTable: what every reader of positions shares.
///
///     PointBuilder builder(source.name(), {.duplicates = options.duplicates});
///     builder.add({.lon = 13.377, .lat = 52.516, .line = 2, .t = builder.time("2026-11-15T08:00:00Z", 2)});
///     return std::move(builder).finish();
///
/// Cost: constant a point, besides the hash of its names.
class PointBuilder {
 public:
  struct Options {
    bool plane = false;              ///< coordinates are metres, within 10^9 of the origin
    bool lines_are_records = false;  ///< PointRecord::line counts features
    DuplicatePoints duplicates = DuplicatePoints::keep;
    OutsidePoints outside = OutsidePoints::refuse;
    TimeFormat times = TimeFormat::year_first;
  };
  PointBuilder(std::string source, const Options& options);

  void add(const PointRecord& record);  ///< DataError if the position is not one, unless dropped
  std::int64_t time(std::string_view text, std::uint64_t line);  ///< unix seconds; DataError if it is no time
  Warnings& warnings() { return table_.warnings; }
  void tell_columns(ColumnReport report) { table_.columns = std::move(report); }
  FileSpot spot(std::uint64_t line) const;

  PointTable finish() &&;  ///< DataError if there is no point

 private:
  bool is_inside(const PointRecord& record) const;
  [[noreturn]] void refuse_position(const PointRecord& record) const;
  void settle_times();
  void settle_names(std::vector<std::uint32_t>& column, NameTable& names, std::size_t named,
                    std::string_view what);
  void settle_duplicates();
  void drop(const std::vector<bool>& marked);

  PointTable table_;
  Options options_;
  TimeReader times_;
  RecordCounter counter_;
  std::size_t timed_ = 0;
  std::size_t in_trip_ = 0;
  std::size_t with_user_ = 0;
};

}  // namespace fogline::io
