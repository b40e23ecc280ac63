// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace fogline::io {

/// How files spell the columns of a point, ours first; in lower case, with underscores.
namespace point_names {

inline constexpr std::array<std::string_view, 8> lon = {
    "lon", "longitude", "longitude_deg", "lng", "long", "lon_deg", "x", "point_x"};
inline constexpr std::array<std::string_view, 6> lat = {"lat", "latitude", "lat_deg",
                                                        "y",   "point_y",  "latitude_deg"};
inline constexpr std::array<std::string_view, 3> x_m = {"x_m", "x_metres", "x_meters"};
inline constexpr std::array<std::string_view, 3> y_m = {"y_m", "y_metres", "y_meters"};
inline constexpr std::array<std::string_view, 8> t = {"t",         "time", "timestamp", "datetime",
                                                      "date_time", "unix", "unix_time", "utc"};
inline constexpr std::array<std::string_view, 9> traj = {
    "traj_id", "traj", "trajectory", "trajectory_id", "trip_id", "trip", "track", "track_id", "tid"};
inline constexpr std::array<std::string_view, 9> user = {
    "user_id", "user", "uid", "taxi_id", "taxi", "vehicle", "driver", "vehicle_id", "device_id"};

/// GeoJSON only: a time for each position of a line.
inline constexpr std::array<std::string_view, 4> times = {"times", "coordtimes", "coord_times", "timestamps"};

}  // namespace point_names
}  // namespace fogline::io
