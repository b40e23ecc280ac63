// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "traces/frame/frame.hpp"
#include "traces/frame/trip_set.hpp"

namespace fogline::traces {

/// Trips as a file holds them: points as CSV (traj_id, t if they have times, lon and lat or x_m and y_m), as .dat on a plane ("#0:" then ">0:x,y;x,y;"), or as
/// GeoJSON in degrees (a line with properties traj_id and, if they have times, times for each trip).
enum class TripFormat { csv, dat, geojson };
/// By suffix: .csv, .dat, .geojson or .json, each also with .gz; throws InvalidOption.
TripFormat trip_format_of(std::string_view file);
/// Throws InvalidOption for degrees in a .dat file and metres in GeoJSON.
void require_unit(TripFormat format, Frame::Unit unit);

struct TripWriteOptions {
  bool packed = false;  ///< as a .gz file
  ParallelOptions parallel = {};
  Progress progress = {};  ///< told of trips; may cancel
};

/// Hands out such a file piece by piece, so that one of any size needs little memory. Its bytes do not depend on the threads.
///
///     write_trips(made, frame, trip_format_of(name), {.packed = name.ends_with(".gz")}, [&](std::string_view piece) { out << piece; });
///
/// Throws InvalidOption as require_unit() does; Cancelled.
void write_trips(const TripSet& trips, const Frame& frame, TripFormat format, const TripWriteOptions& options,
                 const std::function<void(std::string_view)>& write);

/// One piece: the text of trips [begin, end), with the head if begin is 0 and the tail if end is the last.
std::string trips_text(const TripSet& trips, const Frame& frame, TripFormat format, std::size_t begin,
                       std::size_t end);

/// What stands around the numbers of a GeoJSON file of trips, for who writes and who checks it.
inline constexpr std::string_view geojson_head = R"({"type":"FeatureCollection","features":[)";
inline constexpr std::string_view geojson_trip = R"({"type":"Feature","properties":{"traj_id":)";
inline constexpr std::string_view geojson_times = R"(,"times":[)";
inline constexpr std::string_view geojson_line = R"(},"geometry":{"type":"LineString","coordinates":[)";
inline constexpr std::string_view geojson_end = "]}}";
inline constexpr std::string_view geojson_tail = "]}";

/// How many trips the beginning of a CSV text holds, the last perhaps in part; a line without its end does not count.
std::uint64_t trips_in_csv(std::string_view text);

}  // namespace fogline::traces
