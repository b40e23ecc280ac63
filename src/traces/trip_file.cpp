// SPDX-License-Identifier: Apache-2.0
#include "traces/trip_file.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/gzip.hpp"
#include "io/numbers.hpp"

namespace fogline::traces {
namespace {

/// Writes trips one after the other, each format its own way.
class TripWriter {
 public:
  TripWriter(const TripSet& trips, const Frame& frame)
      : trips_(trips), frame_(frame), plane_(frame.unit() == Frame::Unit::metres) {}

  std::string csv(std::size_t begin, std::size_t end) && {
    if (begin == 0)
      text_ = fmt::format("traj_id{},{}\n", trips_.has_time() ? ",t" : "", plane_ ? "x_m,y_m" : "lon,lat");
    for (std::size_t i = begin; i < end; ++i) {
      const std::string number = std::to_string(i);
      for (std::uint64_t p = trips_.offset[i]; p < trips_.offset[i + 1]; ++p) {
        text_.append(number).push_back(',');
        if (trips_.has_time()) {
          io::append_integer(text_, trips_.t[p]);
          text_.push_back(',');
        }
        append_point(p);
        text_.push_back('\n');
      }
    }
    return std::move(text_);
  }

  std::string dat(std::size_t begin, std::size_t end) && {
    for (std::size_t i = begin; i < end; ++i) {
      text_.append("#").append(std::to_string(i)).append(":\n>0:");
      for (std::uint64_t p = trips_.offset[i]; p < trips_.offset[i + 1]; ++p) {
        append_point(p);
        text_.push_back(';');
      }
      text_.push_back('\n');
    }
    return std::move(text_);
  }

  /// A feature a line, so that whoever checks the file needs one trip at a time.
  std::string geojson(std::size_t begin, std::size_t end) && {
    if (begin == 0) text_.append(geojson_head).push_back('\n');
    for (std::size_t i = begin; i < end; ++i) {
      text_.append(geojson_trip).append(std::to_string(i));
      if (trips_.has_time()) append_times(i);
      text_.append(geojson_line);
      for (std::uint64_t p = trips_.offset[i]; p < trips_.offset[i + 1]; ++p) {
        text_.append(p == trips_.offset[i] ? "[" : ",[");
        append_point(p);
        text_.push_back(']');
      }
      text_.append(geojson_end).append(i + 1 < trips_.size() ? ",\n" : "\n");
    }
    if (end == trips_.size()) text_.append(geojson_tail).push_back('\n');
    return std::move(text_);
  }

 private:
  void append_point(std::uint64_t p) {
    const geometry::LonLat at = frame_.outward({trips_.point[p].x, trips_.point[p].y});
    // A tenth of a metre, and about as much in degrees: 10^-6 of them are 11 cm.
    constexpr unsigned plane_decimals = 1, degree_decimals = 6;
    const unsigned decimals = plane_ ? plane_decimals : degree_decimals;
    io::append_fixed(text_, at.lon, decimals);
    text_.push_back(',');
    io::append_fixed(text_, at.lat, decimals);
  }

  void append_times(std::size_t trip) {
    text_.append(geojson_times);
    for (const std::int64_t t : trips_.times(trip)) {
      io::append_integer(text_, t);
      text_.push_back(',');
    }
    text_.back() = ']';
  }

  const TripSet& trips_;
  const Frame& frame_;
  bool plane_;
  std::string text_;
};

}  // namespace

TripFormat trip_format_of(std::string_view file) {
  if (file.ends_with(".gz")) file.remove_suffix(3);
  if (file.ends_with(".csv")) return TripFormat::csv;
  if (file.ends_with(".dat")) return TripFormat::dat;
  if (file.ends_with(".geojson") || file.ends_with(".json")) return TripFormat::geojson;
  throw InvalidOption("output", "must end in .csv, .geojson, .json or .dat, or in one of these and .gz");
}

void require_unit(TripFormat format, Frame::Unit unit) {
  if (format == TripFormat::dat && unit != Frame::Unit::metres)
    throw InvalidOption("output", ".dat holds metres on a plane: choose .csv or .geojson, or `plane`");
  if (format == TripFormat::geojson && unit != Frame::Unit::degrees)
    throw InvalidOption("output", "GeoJSON holds degrees, not metres on a plane: choose .csv or .dat");
}

std::string trips_text(const TripSet& trips, const Frame& frame, TripFormat format, std::size_t begin,
                       std::size_t end) {
  require_unit(format, frame.unit());
  TripWriter writer(trips, frame);
  switch (format) {
    case TripFormat::dat:
      return std::move(writer).dat(begin, end);
    case TripFormat::geojson:
      return std::move(writer).geojson(begin, end);
    case TripFormat::csv:
      break;
  }
  return std::move(writer).csv(begin, end);
}

void write_trips(const TripSet& trips, const Frame& frame, TripFormat format, const TripWriteOptions& options,
                 const std::function<void(std::string_view)>& write) {
  // Bounds the memory; a piece is worth a thread's while, and there are enough of them for many threads.
  constexpr std::size_t trips_a_piece = 512, pieces_at_once = 64;
  std::optional<io::GzipPacker> packer;
  if (options.packed) packer.emplace();
  ProgressMeter meter(options.progress, "writing trips", trips.size());
  std::vector<std::string> text(pieces_at_once);
  for (std::size_t first = 0; first < trips.size(); first += trips_a_piece * pieces_at_once) {
    parallel_for(text.size(), options.parallel, [&](std::size_t begin, std::size_t end) {
      for (std::size_t piece = begin; piece < end; ++piece) {
        const std::size_t begin_at = std::min(first + piece * trips_a_piece, trips.size());
        const std::size_t until = std::min(begin_at + trips_a_piece, trips.size());
        text[piece] = begin_at < until ? trips_text(trips, frame, format, begin_at, until) : "";
      }
    });
    for (const std::string& piece : text) write(packer ? packer->add(piece) : piece);
    meter.advance(std::min(trips_a_piece * pieces_at_once, trips.size() - first));
  }
  if (packer) write(packer->finish());
}

std::uint64_t trips_in_csv(std::string_view text) {
  std::uint64_t trips = 0;
  std::string_view last;
  bool is_header = true;
  for (std::size_t end = 0; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
    const std::string_view name = text.substr(0, std::min(end, text.find(',')));
    if (!std::exchange(is_header, false) && name != last) ++trips;
    last = name;
  }
  return trips;
}

}  // namespace fogline::traces
