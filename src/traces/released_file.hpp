// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "io/input_file.hpp"
#include "traces/frame/frame.hpp"
#include "traces/trip_file.hpp"

namespace fogline::traces {

/// What a file of released trips holds.
struct ReleasedTrips {
  std::uint64_t trips = 0, points = 0;
  std::uint64_t bytes =
      0;  ///< of the text, each line with one line feed: a file of another size holds something besides
};

/// Reads a file as write_trips() writes it (trip_file.hpp), and refuses anything else: other columns, trips that do not count from 0 or have one point, numbers written
/// otherwise, points outside the frame, times that fall or that begin on another day than the first of 1970. So nothing can hide in the file beside the trips.
///
///     io::TextSource source = io::TextSource::from_file("synthetic.csv");
///     ReleasedTrips held = check_released(source, frame, TripFormat::csv, times);
///     assert(held.trips == statement.outputs[0].records);
///
/// Throws DataError naming the line. Cost: constant memory, about a microsecond a point.
enum class ReleasedTimes { told, not_told };
ReleasedTrips check_released(io::TextSource& source, const Frame& frame, TripFormat format,
                             ReleasedTimes times);

}  // namespace fogline::traces
