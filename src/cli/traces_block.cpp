// SPDX-License-Identifier: Apache-2.0
#include "cli/traces_block.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/identity.hpp"
#include "io/points.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/statement.hpp"
#include "traces/dpe_terms.hpp"
#include "traces/terms.hpp"

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

/// One number for each name, whatever the file; one of its own for each trip without a name.
void number_users_alike(std::span<mobility::Trips> trips) {
  std::map<std::string, std::uint32_t> numbers;
  std::uint32_t next = 0;
  for (mobility::Trips& some : trips)
    for (std::uint32_t& user : some.user) {
      const std::string& name = some.user_name[user];
      const auto known = numbers.find(name);
      user = known == numbers.end() ? next++ : known->second;
      if (known == numbers.end() && !io::is_missing_name(name)) numbers.emplace(name, user);
    }
}

/// The area that a release of these trips declared; nothing if there is no statement beside it, or one that declares none.
std::optional<Frame> declared_area(const FrameBlock& block, const std::string& released) {
  const std::string file = block.statement.empty() ? released + ".statement.json" : block.statement;
  if (block.statement.empty() && !std::filesystem::exists(file)) return std::nullopt;
  const privacy::Statement statement = privacy::read_statement(file);
  const std::string sha256 = privacy::sha256_of_file(released);
  if (std::ranges::none_of(statement.outputs, [&](const auto& output) { return output.sha256 == sha256; }))
    throw DataError({file}, fmt::format("is the statement of another file than {}", released),
                    "give the release as it was written, or --area");
  if (statement.form == privacy::Form::published) return traces::dpe_terms_from(statement).frame;
  return traces::terms_from(statement).frame;
}

/// Where the trips of these files are compared.
ComparedTrips area_to_compare(const FrameBlock& block, const ComparedFiles& files,
                              std::span<const mobility::Trips> trips) {
  const auto unit = trips.front().plane ? Frame::Unit::metres : Frame::Unit::degrees;
  if (!block.area.empty() && !block.statement.empty())
    throw InvalidOption("area", "is not for --statement, which declares an area");
  if (!block.area.empty() && block.area != area_of_trips)
    return {Frame::parse(block.area, unit), AreaSource::option, {}};
  if (block.area.empty())
    if (const auto declared = declared_area(block, files.names[files.released]))
      return {*declared, AreaSource::statement, {}};
  return {frame_around(trips), AreaSource::trips, {}};
}

mobility::Trips read_private_trips(Session& session, const std::string& file,
                                   const release::ColumnFields& columns) {
  io::PointTable points = io::read_points(
      file, {.columns = {.map = columns.map()}, .times = columns.times(), .progress = session.progress()});
  tell_odd_columns(session, file, points.columns);
  return mobility::make_trips(
      std::move(points),
      {.backwards = columns.sort ? mobility::TimeBackwards::sort : mobility::TimeBackwards::refuse});
}

/// Looks for no columns under other names: what was released, by us or by others, is read as it stands.
mobility::Trips read_released_trips(Session& session, const std::string& file) {
  io::PointTable points = io::read_points(file, {.columns = {.needed = {}}, .progress = session.progress()});
  tell_odd_columns(session, file, points.columns);
  return mobility::make_trips(std::move(points), {});
}

}  // namespace

void FrameBlock::declare(OptionSet& options, const std::string& area_help) {
  options.value("--area", "W,S,E,N", area, area_help);
  options.value("--statement", "FILE", statement, "of SYNTHETIC, if it is not beside it: declares the area");
  options.flag("--plane", plane, "positions and area are metres on a plane; .dat files always are");
}

ComparedTrips read_compared(Session& session, const FrameBlock& block, const release::ColumnFields& columns,
                            const ComparedFiles& files) {
  std::vector<mobility::Trips> trips;
  for (const std::string& file : files.names) {
    const bool is_released = trips.size() == files.released;
    trips.push_back(is_released ? read_released_trips(session, file)
                                : read_private_trips(session, file, columns));
    session.warn(trips.back().warnings);
    if (block.plane && !trips.back().plane) throw InvalidOption("plane", file + " is in degrees");
    if (trips.back().plane != trips.front().plane)
      throw InvalidOption("trips", fmt::format("must all be of one unit, but {} is in {}", file,
                                               trips.back().plane ? "metres" : "degrees"));
  }
  number_users_alike(trips);
  ComparedTrips compared = area_to_compare(block, files, trips);
  for (const mobility::Trips& some : trips) {
    Warnings warnings;
    compared.sets.push_back(traces::trips_in_frame(some, compared.frame, {}, warnings));
    session.warn(warnings);
  }
  return compared;
}

}  // namespace fogline::cli
