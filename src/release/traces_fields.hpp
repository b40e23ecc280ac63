// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/points.hpp"
#include "mobility/trips.hpp"
#include "release/column_fields.hpp"
#include "release/common_fields.hpp"
#include "release/person_fields.hpp"
#include "traces/frame/trip_set.hpp"
#include "traces/paper/dpe_terms.hpp"
#include "traces/terms.hpp"

namespace fogline::release {

/// How trips are read: `plane`, `users`, `format`, `columns`, `time-format` and `sort`.
///
///     mobility::Trips trips = reading_.read(caller, file, TripReading::Times::as_found);
///     if (terms.unit == traces::Unit::user) mobility::require_users(trips);
struct TripReading {
  bool plane = false;
  std::string users, format;
  std::string_view users_field = "users";  ///< no field: which one named that file
  ColumnFields columns;
  bool protects_users = false;  ///< all trips of one person: two columns that may be persons are refused

  void declare(FieldTable& table);
  void declare_plane(FieldTable& table);

  enum class Times { as_found, left_out };
  /// Reads a file of trips and prints which columns are what, and what is odd: jumps, times without a zone. Throws
  /// DataError for a file without trips, or time running backwards unless that is sorted.
  mobility::Trips read(Caller& caller, const InputField& input, Times times);
  /// What read() makes trips of, for those who make other use of it; says nothing.
  io::PointTable read_points(Caller& caller, const InputField& input);
  mobility::TimeBackwards backwards() const;  ///< refused, unless `sort` is given

  traces::Frame::Unit unit()
      const;  ///< in which the area is told: metres if that was said, degrees otherwise
  /// The same, and metres if the trips are a .dat file. Looks at how standard input begins, which read() then reads.
  traces::Frame::Unit unit_of(const InputField& input) const;

 private:
  io::PointFormat format_of() const;
  mobility::Trips trips_of(io::PointTable&& points, const mobility::TripOptions& options) const;
};

/// What `traces plan`, `release` and `audit` settle in the same words.
///
///     const traces::TraceTerms terms = traces_.terms(reading_.unit());
struct TracesFields {
  std::string epsilon, area, unit = "trip";
  PersonFields persons;
  std::uint64_t trips_per_user = 0, trips = 0, trips_to_make = 0;  ///< 0: not given
  double max_length_km = 0;
  std::uint64_t max_duration_s = 0;
  bool no_times = false;
  std::string mechanism{traces::synthesis_name};
  bool published = false;

  void declare(FieldTable& table);
  void declare_form(FieldTable& table);    ///< `mechanism` and `published`
  void require_form() const;               ///< throws InvalidOption if these two do not fit together
  privacy::Epsilon epsilon_value() const;  ///< throws InvalidOption
  PersonFields::Bound bound() const;       ///< throws InvalidOption
  /// Without constraints and network, and with times unless they are not wanted. Throws InvalidOption.
  traces::TraceTerms terms(traces::Frame::Unit coordinates) const;
  /// Of the paper's form, which knows neither rules nor bounds. Throws InvalidOption if one is given.
  traces::DpeTerms published_terms(traces::Frame::Unit coordinates) const;
};

}  // namespace fogline::release
