// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/warnings.hpp"
#include "io/points.hpp"
#include "mobility/trips.hpp"
#include "traces/frame/frame.hpp"

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
  bool may_be_none = false;         ///< that no trip is left is no error
};

/// Trips as the frame sees them. Points outside it are left out, trips longer than the bounds end there, what is left with fewer than two points is left
/// out; each is counted in `warnings`, in the reader's words.
///
/// Throws DataError if no trip is left and there must be one, InvalidOption if trips and frame are not of one unit (plane or degrees).
/// Cost: linear; degrees are projected in parallel, about half a microsecond a point.
TripSet trips_in_frame(const mobility::Trips& trips, const Frame& frame, const TripBounds& bounds,
                       Warnings& warnings);

}  // namespace fogline::traces
