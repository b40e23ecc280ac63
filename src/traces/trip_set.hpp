// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/warnings.hpp"
#include "io/points.hpp"
#include "mobility/trips.hpp"
#include "traces/frame.hpp"

namespace fogline::traces {

/// A point of a trip: metres east and north of the frame's corner.
struct PlanePoint {
  float x = 0, y = 0;
  friend bool operator==(const PlanePoint&, const PlanePoint&) = default;
};

/// Trips in the plane of a frame, as plain columns: trip i owns the points offset[i] to offset[i + 1] - 1. What statistics are taken of, what synthesis makes, and
/// what measures and attacks compare. Every trip has two points or more, all within the frame; times do not fall within a trip.
///
///     for (std::size_t i = 0; i < set.size(); ++i)
///       for (const PlanePoint& p : set.trip(i)) use(p.x, p.y);
struct TripSet {
  std::vector<std::uint64_t> offset = {0};  ///< size() + 1 entries, from 0
  std::vector<PlanePoint> point;
  std::vector<std::int64_t> t;      ///< unix seconds per point; or empty
  std::vector<std::uint32_t> user;  ///< per trip, from 0; or empty

  std::size_t size() const { return offset.size() - 1; }
  bool has_time() const { return !t.empty(); }
  std::span<const PlanePoint> trip(std::size_t i) const {
    return std::span(point).subspan(offset[i], offset[i + 1] - offset[i]);
  }
  std::span<const std::int64_t> times(std::size_t i) const {
    return has_time() ? std::span(t).subspan(offset[i], offset[i + 1] - offset[i])
                      : std::span<const std::int64_t>();
  }
  void end_trip() { offset.push_back(point.size()); }  ///< the points since the last one are a trip
};

/// Moves each trip by whole days, so that it begins on 1 January 1970: synthetic trips know the time of day and no date.
void begin_on_first_day(TripSet& trips);

/// Ends each trip at its last point that it reaches in so many seconds; its first step it goes in any case. Says how many
/// trips end earlier. What is left obeys the same rules as before: there is no new point, and none at another time.
std::uint64_t cut_off(TripSet& trips, std::int64_t max_duration_s);

/// What becomes of each trip by itself before it is counted. A function of that trip alone, so that no trip's part depends on another's.
struct TripBounds {
  double max_length_m = 0;          ///< public: what lies beyond is cut off; 0: no bound
  std::int64_t max_duration_s = 0;  ///< public; 0: no bound
};

/// Trips as the frame sees them. Points outside it are left out, trips longer than the bounds end there, what is left with fewer than two points is left
/// out; each is counted in `warnings`, in the reader's words.
///
/// Throws DataError if no trip is left, InvalidOption if trips and frame are not of one unit (plane or degrees).
/// Cost: linear; degrees are projected in parallel, about half a microsecond a point.
TripSet trips_in_frame(const mobility::Trips& trips, const Frame& frame, const TripBounds& bounds,
                       Warnings& warnings);

/// Trips as a file holds them: points as CSV (traj_id, t if they have times, lon and lat or x_m and y_m), as .dat on a plane ("#0:" then ">0:x,y;x,y;"), or as
/// GeoJSON in degrees (a line with properties traj_id and, if they have times, times for each trip). Written in pieces of whole trips, so that a file of any size
/// needs little memory: the text of trips [begin, end), with the head if begin is 0 and the tail if end is the last.
enum class TripFormat { csv, dat, geojson };
/// By suffix: .csv, .dat, .geojson or .json, each also with .gz; throws InvalidOption.
TripFormat trip_format_of(std::string_view file);
/// Throws InvalidOption for degrees in a .dat file and metres in GeoJSON.
void require_unit(TripFormat format, Frame::Unit unit);
/// What stands around the numbers of a GeoJSON file of trips, for who writes and who checks it.
inline constexpr std::string_view geojson_head = R"({"type":"FeatureCollection","features":[)";
inline constexpr std::string_view geojson_trip = R"({"type":"Feature","properties":{"traj_id":)";
inline constexpr std::string_view geojson_times = R"(,"times":[)";
inline constexpr std::string_view geojson_line = R"(},"geometry":{"type":"LineString","coordinates":[)";
inline constexpr std::string_view geojson_end = "]}}";
inline constexpr std::string_view geojson_tail = "]}";

std::string trips_text(const TripSet& trips, const Frame& frame, TripFormat format, std::size_t begin,
                       std::size_t end);
/// How many trips the beginning of a CSV text holds, the last perhaps in part; a line without its end does not count.
std::uint64_t trips_in_csv(std::string_view text);

}  // namespace fogline::traces
