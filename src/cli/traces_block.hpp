// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/option_set.hpp"
#include "cli/session.hpp"
#include "mobility/trips.hpp"
#include "traces/frame.hpp"
#include "traces/trip_set.hpp"

namespace fogline::cli {

/// --area and --plane: where trips are told, and in which unit.
struct FrameBlock {
  std::string area;
  bool plane = false;

  void declare(OptionSet& options, const std::string& area_help);
};

/// Reads trips; prints warnings.
mobility::Trips read_trips(Session& session, const std::string& file);

/// Several files of trips in one frame, to be compared with each other.
struct ComparedTrips {
  traces::Frame frame;
  std::vector<traces::TripSet> sets;
};

/// In the area that the options name, in the unit of the files; without one, in the smallest that holds all trips of all files, so that no point is left out. Users are numbered by their names, alike in all
/// sets. Prints warnings.
/// Throws InvalidOption if the files are not all of one unit.
ComparedTrips read_compared(Session& session, const FrameBlock& block, const std::vector<std::string>& files);

}  // namespace fogline::cli
