// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/blocks.hpp"
#include "io/points.hpp"
#include "mobility/trips.hpp"
#include "traces/terms.hpp"
#include "traces/trip_set.hpp"

namespace fogline::cli {

/// How the verbs of `traces` read trips: --plane, --users and --format.
///
///     mobility::Trips trips = reading_.read(session, file, TripReading::Times::as_found);
struct TripReading {
  bool plane = false;
  std::string users, format;

  void declare(OptionSet& options);
  void declare_plane(OptionSet& options);

  enum class Times { as_found, left_out };
  /// Reads a file of trips and prints what is odd about it: one-point trips, jumps, times without a zone. Throws DataError for a file without trips, or time
  /// running backwards.
  mobility::Trips read(Session& session, const std::string& file, Times times) const;

  traces::Frame::Unit unit() const {
    return plane ? traces::Frame::Unit::metres : traces::Frame::Unit::degrees;
  }

 private:
  io::PointFormat format_of(const std::string& file) const;
};

/// What `traces plan`, `release` and `audit` settle in the same words.
///
///     const traces::TraceTerms terms = traces_.terms(reading_.unit());
struct TracesBlock {
  std::string epsilon, area, unit = "trip";
  std::uint64_t trips_per_user = 0, trips = 0, trips_to_make = 0;  ///< 0: not given
  double max_length_km = 0;
  std::uint64_t max_duration_s = 0;
  bool no_times = false;

  void declare(OptionSet& options);
  privacy::Epsilon epsilon_value() const;  ///< throws InvalidOption
  /// Without constraints and network, and with times unless they are not wanted. Throws InvalidOption.
  traces::TraceTerms terms(traces::Frame::Unit coordinates) const;
};

}  // namespace fogline::cli
