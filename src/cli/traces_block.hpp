// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/option_set.hpp"
#include "cli/session.hpp"
#include "mobility/trips.hpp"
#include "release/column_fields.hpp"
#include "traces/frame.hpp"
#include "traces/trip_set.hpp"

namespace fogline::cli {

/// --area, --statement and --plane: where trips are told, and in which unit.
struct FrameBlock {
  std::string area;
  std::string statement;
  bool plane = false;

  void declare(OptionSet& options, const std::string& area_help);
};

/// Files of trips to be compared.
struct ComparedFiles {
  std::vector<std::string> names;
  std::size_t released = 1;  ///< which of them is not private: --columns is not for it
};

/// Where the area comes from that trips are compared in. Figures in two areas do not compare: in the box of the trips nothing is
/// asked about ground where nobody was, and where a release may invent trips all the same.
enum class AreaSource { option, statement, trips };

/// As --area: the smallest box around the true trips, as the field's own evaluators take it.
inline constexpr std::string_view area_of_trips = "trips";

/// Several files of trips in one frame, to be compared with each other.
struct ComparedTrips {
  traces::Frame frame;
  AreaSource source;
  std::vector<traces::TripSet> sets;
};

/// In the area that --area names; otherwise in that which the statement of the released file declares (--statement, or the one beside it); otherwise in the smallest that holds
/// all trips of all files, so that no point is left out. "trips" as the area asks for the last. Users are numbered by their names, alike in all sets; a trip without one has a user
/// of its own. Prints warnings.
/// Throws InvalidOption if the files are not all of one unit, DataError for a statement of another file.
ComparedTrips read_compared(Session& session, const FrameBlock& block, const release::ColumnFields& columns,
                            const ComparedFiles& files);

}  // namespace fogline::cli
