// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "traces/frame/trip_set.hpp"
#include "traces/paper/pair_distances.hpp"

namespace fogline::traces {

/// Trips of one length as vectors of numbers x, y (and t), point by point, with each column's mean taken away.
///
///     TripVectors trips = vectors_of(set);               // 2 n or 3 n numbers a trip, n points in the longest
///     trips.rows(i, trips.per_point() * k);              // x of point k of trip i, less trips.mean[...]
///
/// Alignment as in the paper's section IV.A: the longest trip is the benchmark, and of the points that a trip lacks half repeat its first one and half (the larger, if odd)
/// its last one. Lengths and times are numbers alike there, metres and seconds here. Centred because distances do not change by it, and close ones are then exact.
struct TripVectors {
  std::size_t points = 0;  ///< of the longest trip: the paper's n
  bool times = false;
  Vectors rows;
  Eigen::VectorXd mean;  ///< per column

  Eigen::Index per_point() const { return times ? 3 : 2; }
};

/// Throws InvalidOption for fewer than two trips, and for sets whose vectors would have more than 2^30 numbers.
TripVectors vectors_of(const TripSet& trips);

/// What becomes of the points that alignment added.
enum class TripEnds {
  kept,    ///< all trips as long as the longest, as the paper publishes them
  trimmed  ///< each as long as its original
};

/// From vectors back to trips; `original` says how long each was. Times are rounded to seconds, and one that comes before that of the point before it waits for that one:
/// their number is added to `delayed`.
TripSet trips_of(const TripVectors& vectors, const TripSet& original, TripEnds ends, std::uint64_t& delayed);

}  // namespace fogline::traces
