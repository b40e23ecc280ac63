// SPDX-License-Identifier: Apache-2.0
#include "traces/released_file.hpp"

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/numbers.hpp"

namespace fogline::traces {
namespace {

class ReleasedReader {
 public:
  ReleasedReader(io::TextSource& source, const Frame& frame, ReleasedTimes times)
      : lines_(source), frame_(frame), times_(times == ReleasedTimes::told) {}

  ReleasedTrips csv() {
    std::string_view line;
    if (!next(line) || line != header()) refuse("the columns are not those of released trips");
    while (next(line)) take_row(line);
    end_trip();
    return held_;
  }

  ReleasedTrips dat() {
    if (times_ || !plane()) refuse("a .dat file holds no times and no degrees");
    std::string_view line;
    while (next(line)) {
      if (line != fmt::format("#{}:", held_.trips)) refuse("the trips do not count from 0");
      if (!next(line) || !line.starts_with(">0:")) refuse("the points of a trip are missing");
      line.remove_prefix(3);
      ++held_.trips;
      points_of_trip_ = 0;
      while (!line.empty()) {
        take_pair(cut(line, ';'), 1);
      }
      if (points_of_trip_ < 2) refuse("a trip has fewer than two points");
    }
    return held_;
  }

  ReleasedTrips geojson() {
    if (plane()) refuse("GeoJSON holds no metres");
    std::string_view line;
    if (!next(line) || line != geojson_head) refuse_feature();
    bool more = true;  // the line above ends in a comma, or is the head
    while (next(line) && line != geojson_tail) {
      if (!more) refuse_feature();
      more = line.ends_with(',');
      if (more) line.remove_suffix(1);
      take_feature(line);
    }
    if (line != geojson_tail || more || next(line)) refuse_feature();
    return held_;
  }

 private:
  [[noreturn]] void refuse_feature() const { refuse("is not a feature as a release writes it"); }

  void expect(std::string_view& line, std::string_view text) const {
    if (!line.starts_with(text)) refuse_feature();
    line.remove_prefix(text.size());
  }

  void take_feature(std::string_view line) {
    expect(line, geojson_trip);
    const std::string number = std::to_string(held_.trips);
    if (!line.starts_with(number)) refuse("the trips do not count from 0");
    line.remove_prefix(number.size());
    const std::vector<std::int64_t> times = times_ ? cut_times(line) : std::vector<std::int64_t>();
    begin_trip(held_.trips, times.empty() ? 0 : times.front());
    expect(line, geojson_line);
    if (!line.ends_with(geojson_end)) refuse_feature();
    line.remove_suffix(geojson_end.size());
    while (!line.empty()) {
      if (points_of_trip_ > 0) expect(line, ",");
      expect(line, "[");
      take_pair(cut(line, ']'), 6);
    }
    end_trip();
    if (times_ && times.size() != points_of_trip_) refuse("a trip has other times than points");
  }

  /// The times of a feature, which do not fall.
  std::vector<std::int64_t> cut_times(std::string_view& line) const {
    expect(line, geojson_times);
    std::vector<std::int64_t> times;
    std::string_view rest = cut(line, ']');
    const bool comma_at_end = rest.ends_with(',');
    while (!rest.empty()) {
      const std::string_view text = cut(rest, ',');
      const auto t = io::parse_int64(text);
      if (!t || fmt::format("{}", *t) != text) refuse_number();
      if (!times.empty() && *t < times.back()) refuse("the time falls within a trip");
      times.push_back(*t);
    }
    if (times.empty() || comma_at_end) refuse_number();
    return times;
  }

  /// "x,y" with so many decimals each.
  void take_pair(std::string_view point, int decimals) {
    std::string_view rest = point;
    const auto x = io::parse_double(cut(rest, ',')), y = io::parse_double(rest);
    if (!x || !y || fmt::format("{:.{}f},{:.{}f}", *x, decimals, *y, decimals) != point) refuse_number();
    take_point(*x, *y);
  }

  bool next(std::string_view& line) {
    if (!lines_.next(line)) return false;
    held_.bytes += line.size() + 1;
    return true;
  }

  bool plane() const { return frame_.unit() == Frame::Unit::metres; }

  std::string header() const {
    return fmt::format("traj_id{},{}", times_ ? ",t" : "", plane() ? "x_m,y_m" : "lon,lat");
  }

  /// Takes what stands before the next mark, and the mark, off the front.
  static std::string_view cut(std::string_view& text, char mark) {
    const std::size_t at = text.find(mark);
    const std::string_view part = text.substr(0, at);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
    return part;
  }

  void take_row(std::string_view line) {
    std::string_view rest = line;
    const auto trip = io::parse_uint64(cut(rest, ','));
    const auto t = times_ ? io::parse_int64(cut(rest, ',')) : std::optional<std::int64_t>(0);
    const auto lon = io::parse_double(cut(rest, ',')), lat = io::parse_double(rest);
    if (!trip || !t || !lon || !lat) refuse_number();
    std::string again = fmt::format("{},", *trip);
    if (times_) again += fmt::format("{},", *t);
    again += plane() ? fmt::format("{:.1f},{:.1f}", *lon, *lat) : fmt::format("{:.6f},{:.6f}", *lon, *lat);
    if (again != line) refuse_number();
    if (held_.trips == 0 || *trip != held_.trips - 1) begin_trip(*trip, *t);
    if (*t < last_t_) refuse("the time falls within a trip");
    last_t_ = *t;
    take_point(*lon, *lat);
  }

  void begin_trip(std::uint64_t trip, std::int64_t t) {
    end_trip();
    if (trip != held_.trips) refuse("the trips do not count from 0");
    if (t < 0 || t >= 86'400) refuse("a trip does not begin on the first day of 1970");
    last_t_ = t;
    ++held_.trips;
    points_of_trip_ = 0;
  }

  void end_trip() const {
    if (held_.trips > 0 && points_of_trip_ < 2) refuse("a trip has fewer than two points");
  }

  void take_point(double lon, double lat) {
    // Written numbers are rounded, so a point on the border may be written a little outside.
    // By half of the last decimal at most, and a hair for the doubles of the comparison.
    constexpr double plane_rounding_m = 0.06, rounding_degrees = 6e-7;
    const double rounding = plane() ? plane_rounding_m : rounding_degrees;
    if (!frame_.contains(lon, lat) && !frame_.contains(lon + rounding, lat + rounding) &&
        !frame_.contains(lon - rounding, lat - rounding) &&
        !frame_.contains(lon + rounding, lat - rounding) && !frame_.contains(lon - rounding, lat + rounding))
      refuse("a point lies outside the area");
    counter_.add([&] { return FileSpot{lines_.name(), lines_.line_number()}; });
    ++points_of_trip_;
    ++held_.points;
  }

  [[noreturn]] void refuse_number() const { refuse("a number is missing, or not written as a release does"); }
  [[noreturn]] void refuse(const char* what) const {
    throw DataError({lines_.name(), lines_.line_number()}, what);
  }

  io::LineReader lines_;
  io::RecordCounter counter_;
  const Frame& frame_;
  bool times_;
  ReleasedTrips held_;
  std::uint64_t points_of_trip_ = 0;
  std::int64_t last_t_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace

ReleasedTrips check_released(io::TextSource& source, const Frame& frame, TripFormat format,
                             ReleasedTimes times) {
  ReleasedReader reader(source, frame, times);
  switch (format) {
    case TripFormat::dat:
      return reader.dat();
    case TripFormat::geojson:
      return reader.geojson();
    case TripFormat::csv:
      break;
  }
  return reader.csv();
}

}  // namespace fogline::traces
