// SPDX-License-Identifier: Apache-2.0
#include "release/analyses/compared_trips.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/identity.hpp"
#include "io/points.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/statement.hpp"

namespace fogline::release {
namespace {

using traces::Frame;

/// As `area`: the smallest box around the true trips, as the field's own evaluators take it.
constexpr std::string_view area_of_trips = "trips";

Frame::Unit unit_of_trips(const mobility::Trips& trips) {
  return trips.plane ? Frame::Unit::metres : Frame::Unit::degrees;
}

/// The smallest area around all trips, with a border that also gives width to trips on one line.
Frame frame_around_all(std::span<const mobility::Trips> trips) {
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
      unit_of_trips(trips.front()));
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

}  // namespace

void ComparedFields::declare_files(FieldTable& table, const std::string& truth_help) {
  table.positional("truth", "TRUE", truth, truth_help).required().role(FieldRole::private_input);
  table.positional("synthetic", "SYNTHETIC", synthetic, "the synthetic ones")
      .required()
      .role(FieldRole::public_input);
}

void ComparedFields::declare_area(FieldTable& table, const std::string& area_help) {
  table.value("area", "W,S,E,N", area, area_help);
  table.value("statement", "FILE", statement, "of SYNTHETIC, if it is not beside it: declares the area")
      .role(FieldRole::public_input);
  reading.declare_plane(table);
}

ComparedTrips ComparedFields::read(Caller& caller, const std::vector<std::string>& other_private) {
  std::vector<mobility::Trips> trips;
  const auto take = [&](const std::string& file, bool is_private) {
    const mobility::Trips& taken = trips.emplace_back(read_file(caller, file, is_private));
    caller.warn(taken.warnings);
    if (reading.plane && !taken.plane) throw InvalidOption("plane", file + " is in degrees");
    if (taken.plane != trips.front().plane)
      throw InvalidOption("trips", fmt::format("must all be of one unit, but {} is in {}", file,
                                               taken.plane ? "metres" : "degrees"));
  };
  take(truth, true);
  take(synthetic, false);
  for (const std::string& file : other_private) take(file, true);
  number_users_alike(trips);
  ComparedTrips compared = area_for(trips);
  for (const mobility::Trips& some : trips) {
    Warnings warnings;
    compared.sets.push_back(traces::trips_in_frame(some, compared.frame, {}, warnings));
    caller.warn(warnings);
  }
  return compared;
}

/// Looks for no columns under other names in what was released, by us or by others: that is read as it stands.
mobility::Trips ComparedFields::read_file(Caller& caller, const std::string& file, bool is_private) {
  io::PointTable points =
      is_private ? reading.read_points(caller, {.file = file})
                 : io::read_points(file, {.columns = {.needed = {}}, .progress = caller.progress()});
  tell_odd_columns(caller, file, points.columns);
  return mobility::make_trips(
      std::move(points), {.backwards = is_private ? reading.backwards() : mobility::TimeBackwards::refuse});
}

ComparedTrips ComparedFields::area_for(const std::vector<mobility::Trips>& trips) const {
  if (!area.empty() && !statement.empty())
    throw InvalidOption("area", "is not for `statement`, which declares an area");
  if (!area.empty() && area != area_of_trips)
    return {Frame::parse(area, unit_of_trips(trips.front())), AreaSource::option, {}};
  if (area.empty())
    if (const auto declared = declared_area()) return {*declared, AreaSource::statement, {}};
  return {frame_around_all(trips), AreaSource::trips, {}};
}

/// Nothing if no statement was named and there is none beside the file, or if it declares none.
std::optional<Frame> ComparedFields::declared_area() const {
  const std::string file = statement.empty() ? synthetic + ".statement.json" : statement;
  if (statement.empty() && !std::filesystem::exists(file)) return std::nullopt;
  const privacy::Statement told = privacy::read_statement(file);
  const std::string sha256 = privacy::sha256_of_file(synthetic);
  if (std::ranges::none_of(told.outputs, [&](const auto& output) { return output.sha256 == sha256; }))
    throw DataError({file}, fmt::format("is the statement of another file than {}", synthetic),
                    "give the release as it was written, or `area`");
  if (told.form == privacy::Form::published) return traces::dpe_terms_from(told).frame;
  return traces::terms_from(told).frame;
}

}  // namespace fogline::release
