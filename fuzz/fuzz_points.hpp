// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "fuzz_reader.hpp"
#include "io/points.hpp"
#include "io/points_write.hpp"
#include "mobility/trips.hpp"

namespace fogline::fuzz {

/// Reads points and checks what PointTable promises, writes and reads them again, and groups them into trips.
inline std::size_t check_points(io::TextSource& source, const io::PointReadOptions& options) {
  const io::PointTable points = io::read_points(source, options);
  require(points.size() > 0 && points.lat.size() == points.size() && points.line.size() == points.size());
  require(points.has_time ? points.t.size() == points.size() : points.t.empty());
  require(points.traj.empty() || points.traj.size() == points.size());
  require(points.user.empty() || points.user.size() == points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    require(std::isfinite(points.lon[i]) && std::isfinite(points.lat[i]));
    require(points.plane || (std::abs(points.lon[i]) <= 180 && std::abs(points.lat[i]) <= 90));
    require(points.traj.empty() || points.traj[i] < points.traj_names.size());
    require(points.user.empty() || points.user[i] < points.user_names.size());
  }
  require_accepted([&] {
    auto again = io::TextSource::from_memory("again.csv", io::points_csv(points));
    require(io::read_points(again, {}).size() == points.size());
  });
  const mobility::Trips trips = mobility::make_trips(points, {.backwards = mobility::TimeBackwards::sort});
  require(trips.point_count() == points.size() && trips.offset.back() == points.size());
  return points.size();
}

}  // namespace fogline::fuzz
