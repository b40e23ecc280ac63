// SPDX-License-Identifier: Apache-2.0
#include "io/points_dat.hpp"

#include "io/numbers.hpp"
#include "io/point_builder.hpp"

namespace fogline::io {
namespace {

class DatReader {
 public:
  DatReader(TextSource& source, const PointReadOptions& options)
      : lines_(source),
        builder_(source.name(), {.plane = options.dat_unit == DatUnit::metres,
                                 .duplicates = options.duplicates,
                                 .outside = options.outside}) {}

  PointTable read() {
    for (std::string_view line; lines_.next(line);) {
      line = trim(line);
      if (line.empty()) continue;
      if (line.front() == '#') {
        begin_trip(line);
      } else if (line.front() == '>') {
        read_trip(line);
      } else {
        fail("starts with neither # nor >");
      }
    }
    if (trip_open_) fail("the last trip has no line of points");
    return std::move(builder_).finish();
  }

 private:
  [[noreturn]] void fail(std::string_view problem) const {
    throw DataError({lines_.name(), lines_.line_number()}, problem,
                    "write a line #0: and then a line >0:x,y;x,y; for each trip");
  }

  void begin_trip(std::string_view line) {
    if (trip_open_) fail("a trip begins before the one above has a line of points");
    if (line.ends_with(':')) line.remove_suffix(1);
    if (!parse_uint64(line.substr(1))) fail("the trip has no number");
    trip_ = line.substr(1);
    const std::size_t before = trips_.size();
    counter_.add([&] { return FileSpot{lines_.name(), lines_.line_number()}; });  // trips may have no points
    if (trips_.intern(trip_) != before) fail("the trip's number was used before");
    trip_open_ = true;
  }

  void read_trip(std::string_view line) {
    if (!trip_open_) fail("points come before the trip's number");
    trip_open_ = false;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) fail("has no colon after >0");
    std::string_view rest = trim(line.substr(colon + 1));
    if (rest.empty()) {
      builder_.warnings().add("trip without points left out", {lines_.name(), lines_.line_number()});
    }
    while (!rest.empty()) {
      const std::size_t end = rest.find(';');
      read_point(rest.substr(0, end));
      rest = end == std::string_view::npos ? std::string_view() : trim(rest.substr(end + 1));
    }
  }

  void read_point(std::string_view text) {
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos) fail("a point is not a pair x,y");
    const auto x = parse_double(trim(text.substr(0, comma)));
    const auto y = parse_double(trim(text.substr(comma + 1)));
    if (!x || !y) fail("a coordinate is not a finite number");
    builder_.add({.lon = *x, .lat = *y, .line = lines_.line_number(), .traj = trip_});
  }

  LineReader lines_;
  PointBuilder builder_;
  NameTable trips_;
  RecordCounter counter_;
  std::string trip_;
  bool trip_open_ = false;
};

}  // namespace

PointTable read_points_dat(TextSource& source, const PointReadOptions& options) {
  return DatReader(source, options).read();
}

}  // namespace fogline::io
