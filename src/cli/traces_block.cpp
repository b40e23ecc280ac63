// SPDX-License-Identifier: Apache-2.0
#include "cli/traces_block.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <span>

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/points.hpp"

namespace fogline::cli {
namespace {

using traces::Frame;

/// The smallest area around all trips, with a border that also gives width to trips on one line.
Frame frame_around(std::span<const mobility::Trips> trips) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double west = infinity, south = infinity, east = -infinity, north = -infinity;
  for (const mobility::Trips& some : trips)
    for (std::size_t p = 0; p < some.point_count(); ++p) {
      west = std::min(west, some.lon[p]);
      east = std::max(east, some.lon[p]);
      south = std::min(south, some.lat[p]);
      north = std::max(north, some.lat[p]);
    }
  const bool plane = trips.front().plane;
  const double border = plane ? 1 : 1e-5, widest = plane ? 1e9 : 180, highest = plane ? 1e9 : 90;
  return Frame::parse(
      fmt::format("{},{},{},{}", std::max(west - border, -widest), std::max(south - border, -highest),
                  std::min(east + border, widest), std::min(north + border, highest)),
      plane ? Frame::Unit::metres : Frame::Unit::degrees);
}

/// One number for each name, whatever the file.
void number_users_alike(std::span<mobility::Trips> trips) {
  std::map<std::string, std::uint32_t> numbers;
  for (mobility::Trips& some : trips)
    for (std::uint32_t& user : some.user)
      user = numbers.emplace(some.user_name[user], static_cast<std::uint32_t>(numbers.size())).first->second;
}

}  // namespace

void FrameBlock::declare(OptionSet& options, const std::string& area_help) {
  options.value("--area", "W,S,E,N", area, area_help);
  options.flag("--plane", plane, "positions and area are metres on a plane; .dat files always are");
}

mobility::Trips read_trips(Session& session, const std::string& file) {
  mobility::Trips trips = mobility::make_trips(io::read_points(file, {}), {});
  session.warn(trips.warnings);
  return trips;
}

ComparedTrips read_compared(Session& session, const FrameBlock& block,
                            const std::vector<std::string>& files) {
  std::vector<mobility::Trips> trips;
  for (const std::string& file : files) {
    trips.push_back(read_trips(session, file));
    if (block.plane && !trips.back().plane) throw InvalidOption("--plane", file + " is in degrees");
    if (trips.back().plane != trips.front().plane)
      throw InvalidOption("trips", fmt::format("must all be of one unit, but {} is in {}", file,
                                               trips.back().plane ? "metres" : "degrees"));
  }
  number_users_alike(trips);
  const auto unit = trips.front().plane ? Frame::Unit::metres : Frame::Unit::degrees;
  ComparedTrips compared{block.area.empty() ? frame_around(trips) : Frame::parse(block.area, unit), {}};
  for (const mobility::Trips& some : trips) {
    Warnings warnings;
    compared.sets.push_back(traces::trips_in_frame(some, compared.frame, {}, warnings));
    session.warn(warnings);
  }
  return compared;
}

}  // namespace fogline::cli
