// SPDX-License-Identifier: Apache-2.0
#include "traces/trip_set.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "io/numbers.hpp"

namespace fogline::traces {
namespace {

struct Left {
  std::uint64_t outside = 0, cut = 0, short_trips = 0;
};

/// Takes over trip i as far as the bounds reach.
void take(const mobility::Trips& trips, std::size_t i, const std::vector<PlanePoint>& plane,
          const std::vector<char>& inside, const TripBounds& bounds, TripSet& set, Left& left) {
  const std::size_t begin = set.point.size();
  double length = 0;
  bool cut = false;
  for (std::uint64_t p = trips.offset[i]; p < trips.offset[i + 1] && !cut; ++p) {
    if (inside[p] == 0) {
      ++left.outside;
      continue;
    }
    if (set.point.size() > begin) {
      length += std::hypot(plane[p].x - set.point.back().x, plane[p].y - set.point.back().y);
      cut =
          (bounds.max_length_m > 0 && length > bounds.max_length_m) ||
          (bounds.max_duration_s > 0 && trips.has_time && trips.t[p] - set.t[begin] > bounds.max_duration_s);
      if (cut) break;
    }
    set.point.push_back(plane[p]);
    if (trips.has_time) set.t.push_back(trips.t[p]);
  }
  left.cut += cut ? 1 : 0;
  if (set.point.size() < begin + 2) {
    set.point.resize(begin);
    if (trips.has_time) set.t.resize(begin);
    ++left.short_trips;
    return;
  }
  set.end_trip();
  if (!trips.user.empty()) set.user.push_back(trips.user[i]);
}

void tell(const Left& left, const FileSpot& file, Warnings& warnings) {
  if (left.outside > 0) warnings.add("points outside the area left out", file, left.outside);
  if (left.cut > 0) warnings.add("trips cut at the longest length or duration allowed", file, left.cut);
  if (left.short_trips > 0)
    warnings.add("trips with fewer than two points in the area left out", file, left.short_trips);
}

}  // namespace

TripSet trips_in_frame(const mobility::Trips& trips, const Frame& frame, const TripBounds& bounds,
                       Warnings& warnings) {
  if (trips.plane != (frame.unit() == Frame::Unit::metres))
    throw InvalidOption("area", trips.plane ? "is in degrees but the trips are in metres; add `plane`"
                                            : "is in metres but the trips are in degrees");
  std::vector<PlanePoint> plane(trips.point_count());
  std::vector<char> inside(trips.point_count());
  parallel_for(plane.size(), {.threads = 0, .grain = 4096}, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) {
      inside[p] = frame.contains(trips.lon[p], trips.lat[p]) ? 1 : 0;
      if (inside[p] == 0) continue;
      const geometry::PointXY at = frame.inward({trips.lon[p], trips.lat[p]});
      plane[p] = {static_cast<float>(at.x_m), static_cast<float>(at.y_m)};
    }
  });
  TripSet set;
  Left left;
  for (std::size_t i = 0; i < trips.size(); ++i) take(trips, i, plane, inside, bounds, set, left);
  tell(left, {trips.source}, warnings);
  if (set.size() == 0)
    throw DataError({trips.source}, "no trip has two points in the area",
                    "check `area`, and the order of longitude and latitude");
  return set;
}

void begin_on_first_day(TripSet& trips) {
  constexpr std::int64_t day_s = 86'400;
  for (std::size_t i = 0; trips.has_time() && i < trips.size(); ++i) {
    const std::int64_t start = trips.t[trips.offset[i]];
    const std::int64_t midnight = start - (start % day_s + day_s) % day_s;
    for (std::uint64_t p = trips.offset[i]; p < trips.offset[i + 1]; ++p) trips.t[p] -= midnight;
  }
}

std::uint64_t cut_off(TripSet& trips, std::int64_t max_duration_s) {
  if (!trips.has_time()) return 0;
  std::uint64_t cut = 0, to = 0;
  for (std::size_t i = 0; i < trips.size(); ++i) {
    const std::uint64_t begin = trips.offset[i], end = trips.offset[i + 1], first = to;
    const std::int64_t latest = trips.t[begin] + max_duration_s;
    std::uint64_t p = begin;
    for (; p < end && (p < begin + 2 || trips.t[p] <= latest); ++p, ++to) {
      trips.point[to] = trips.point[p];
      trips.t[to] = trips.t[p];
    }
    cut += p < end ? 1 : 0;
    trips.offset[i] = first;
  }
  trips.offset.back() = to;
  trips.point.resize(to);
  trips.t.resize(to);
  return cut;
}

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
    const unsigned decimals = plane_ ? 1 : 6;
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
