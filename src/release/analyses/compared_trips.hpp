// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "release/traces_fields.hpp"
#include "traces/frame/frame.hpp"
#include "traces/frame/trip_set.hpp"

namespace fogline::release {

/// Where the area comes from that trips are compared in. Figures in two areas do not compare: in the box of the trips nothing is
/// asked about ground where nobody was, and where a release may invent trips all the same.
enum class AreaSource { option, statement, trips };

/// Several files of trips in one frame, to be compared with each other.
struct ComparedTrips {
  traces::Frame frame;
  AreaSource source;
  std::vector<traces::TripSet> sets;  ///< true, synthetic, and others that were asked for
};

/// What a measure and an attack compare, and where: the two files, `area`, `statement`, and how private trips are read.
///
///     ComparedTrips trips = compared_.read(caller, {heldout_});
struct ComparedFields {
  std::string truth, synthetic;
  std::string area, statement;
  TripReading reading;

  void declare_files(FieldTable& table, const std::string& truth_help);
  void declare_area(FieldTable& table, const std::string& area_help);  ///< with `statement` and `plane`

  /// In the area that `area` names; otherwise in that which the statement of the synthetic trips declares (`statement`, or the one beside them); otherwise in the smallest that holds
  /// all trips of all files, so that no point is left out. "trips" as the area asks for the last. Users are numbered by their names, alike in all sets; a trip without one has a user
  /// of its own. Prints warnings.
  /// Throws InvalidOption if the files are not all of one unit, DataError for a statement of another file.
  ComparedTrips read(Caller& caller, const std::vector<std::string>& other_private = {});

 private:
  mobility::Trips read_file(Caller& caller, const std::string& file, bool is_private);
  ComparedTrips area_for(const std::vector<mobility::Trips>& trips) const;
  std::optional<traces::Frame> declared_area() const;
};

}  // namespace fogline::release
