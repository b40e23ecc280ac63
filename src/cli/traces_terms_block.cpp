// SPDX-License-Identifier: Apache-2.0
#include "cli/traces_terms_block.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/identity.hpp"
#include "io/input_file.hpp"
#include "io/points.hpp"

namespace fogline::cli {
namespace {

/// One user a line, in the order of the trips.
std::vector<std::string> read_users(const std::string& file) {
  std::vector<std::string> users;
  if (file.empty()) return users;
  io::TextSource source = io::TextSource::from_file(file);
  io::LineReader lines(source);
  std::uint64_t missing = 0, first_missing = 0;
  for (std::string_view line; lines.next(line);) {
    users.emplace_back(io::trim_name(line));
    if (!io::is_missing_name(users.back())) continue;
    if (missing++ == 0) first_missing = lines.line_number();
  }
  if (missing > 0)
    throw DataError(
        {file, first_missing},
        fmt::format("{} of {} lines name no user (blank, or NA, null and the like)", missing, users.size()),
        "write one user a line, with a name of its own for each unknown person");
  if (users.empty()) throw DataError({file}, "names no user", "write one user a line");
  return users;
}

}  // namespace

void TripReading::declare(OptionSet& options) {
  declare_plane(options);
  options.value("--users", "FILE", users, "one user a line, in the order of the trips, if TRIPS names none");
  options.value("-f,--format", "FORMAT", format, "of TRIPS, whatever its suffix")
      .choices({"csv", "geojson", "gpx", "dat"});
  columns.declare_order(options);
}

io::PointFormat TripReading::format_of() const {
  if (format == "csv") return io::PointFormat::csv;
  if (format == "geojson") return io::PointFormat::geojson;
  if (format == "gpx") return io::PointFormat::gpx;
  return format == "dat" ? io::PointFormat::dat : io::PointFormat::by_suffix;
}

void TripReading::declare_plane(OptionSet& options) {
  options.flag("--plane", plane, "positions and area are metres on a plane; .dat files always are");
}

traces::Frame::Unit TripReading::unit() const {
  return plane ? traces::Frame::Unit::metres : traces::Frame::Unit::degrees;
}

traces::Frame::Unit TripReading::unit_of(Session& session, const std::string& file) {
  io::PointFormat read_as = format_of();
  if (read_as == io::PointFormat::by_suffix && file == "-") {
    standard_input = io::TextSource::from_file(file, session.progress());
    read_as = told_format = io::point_format_of_start(*standard_input);
  }
  if (read_as == io::PointFormat::by_suffix) read_as = io::point_format_of(file);
  return read_as == io::PointFormat::dat ? traces::Frame::Unit::metres : unit();
}

io::PointTable TripReading::read_points(Session& session, const std::string& file) {
  const io::PointReadOptions options{.format = standard_input ? told_format : format_of(),
                                     .columns = {.map = columns.map(), .one_person = protects_users},
                                     .times = columns.times(),
                                     .progress = session.progress()};
  return standard_input ? io::read_points(*standard_input, options) : io::read_points(file, options);
}

mobility::Trips TripReading::read(Session& session, const std::string& file, Times times) {
  mobility::TripOptions options;
  options.users = read_users(users);
  if (columns.sort) options.backwards = mobility::TimeBackwards::sort;
  io::PointTable points = read_points(session, file);
  tell_columns(session, points.columns);
  if (points.traj.empty() && points.user.empty() && !points.columns.left.empty() &&
      !columns.map().settles(io::Role::trip))
    throw DataError(
        {file}, "nothing tells trips apart: all points would be one trip",
        "say which column does, with --columns trip=NAME, or that it is one, with --columns trip=none");
  if (points.traj.empty())
    session.warn(
        fmt::format("{}: nothing tells trips apart (a column traj_id would); all points of {} are one trip",
                    file, points.user.empty() ? "the file" : "a user"));
  // One point without a time must not decide whether all others are told with theirs.
  if (times == Times::as_found && points.times_left_out)
    throw DataError({file}, "some points have times and others have none",
                    "give every point a time, or leave all times out with --no-times");
  if (times == Times::left_out) {
    points.has_time = false;
    points.t = {};
  }
  mobility::Trips trips = mobility::make_trips(std::move(points), options);
  Warnings odd;  // that a trip of one point is left out is said where that is done
  for (const Warnings::Item& item : trips.warnings.items())
    if (item.what != mobility::one_point_kept) odd.add(item.what, item.first, item.count);
  session.warn(odd);
  return trips;
}

void TracesBlock::declare(OptionSet& options) {
  options.value("--epsilon", "E", epsilon, "privacy parameter of the whole release, such as 1; no default")
      .required();
  options.value("--area", "W,S,E,N", area,
                "PUBLIC box in which trips are told: degrees, or metres with --plane");
  options.value("--unit", "UNIT", unit, "what is protected: one trip, or one user with all trips (trip)")
      .choices({"trip", "user"});
  options
      .value("--trips-per-user", "K", trips_per_user,
             "with --unit user: who has more trips counts each for less")
      .nonzero();
  options
      .value("--trips", "N", trips, "PUBLIC: how many trips there are; otherwise that is counted with noise")
      .nonzero();
  options
      .value("--trips-to-make", "N", trips_to_make,
             "how many to release (as many as counted, to 2 million; or as declared)")
      .nonzero();
  options
      .value("--max-length-km", "KM", max_length_km,
             "PUBLIC: trips are cut off here (8 times the area's larger side)")
      .nonzero();
  options
      .value("--max-duration", "S", max_duration_s, "PUBLIC: trips are cut off after so many seconds (86400)")
      .nonzero();
  options.flag("--no-times", no_times, "release no times");
}

void TracesBlock::declare_form(OptionSet& options) {
  options.value("--mechanism", "NAME", mechanism, "synthesis, or the paper's dpe")
      .choices({std::string(traces::synthesis_name), std::string(traces::dpe_name)});
  options.flag("--published", published, "with dpe: the paper's form, which promises nothing");
}

void TracesBlock::require_form() const {
  if (published == (mechanism == traces::dpe_name)) return;
  throw InvalidOption(published ? "--published" : "--mechanism",
                      published ? "is for --mechanism dpe" : "dpe promises nothing and needs --published");
}

traces::DpeTerms TracesBlock::published_terms(traces::Frame::Unit coordinates) const {
  if (unit != "trip" || trips_per_user > 0 || trips > 0 || trips_to_make > 0 || max_length_km != 0 ||
      max_duration_s > 0)
    throw InvalidOption("--published",
                        "takes --epsilon, --area, --plane and --no-times only: the paper's form");
  traces::DpeTerms terms{.epsilon = epsilon_value()};
  if (!area.empty()) terms.frame = traces::Frame::parse(area, coordinates);
  return terms;
}

privacy::Epsilon TracesBlock::epsilon_value() const {
  try {
    return privacy::Epsilon::parse(epsilon);
  } catch (const InvalidOption&) {
    throw InvalidOption("--epsilon", "must be a number from 0.001 to 1000, such as 1 or 0.5");
  }
}

traces::TraceTerms TracesBlock::terms(traces::Frame::Unit coordinates) const {
  if (area.empty())
    throw InvalidOption(
        "--area",
        "is needed: a box WEST,SOUTH,EAST,NORTH that everybody may know; the box of the trips "
        "themselves would tell of them");
  traces::TraceTerms terms{.frame = traces::Frame::parse(area, coordinates), .epsilon = epsilon_value()};
  terms.unit = traces::unit_from(unit);
  if (terms.unit == traces::Unit::user) {
    if (trips_per_user < 1 || trips_per_user > 1000)
      throw InvalidOption(
          "--trips-per-user",
          "is needed with --unit user, and must lie between 1 and 1000: fewer make less noise, "
          "and bend the trips of busy users more");
    terms.trips_per_user = static_cast<std::uint32_t>(trips_per_user);
  } else if (trips_per_user > 0) {
    throw InvalidOption("--trips-per-user", "is for --unit user");
  }
  if (trips > 0) terms.trips = trips;
  terms.trips_to_make = trips_to_make;
  terms.times = !no_times;
  if (max_length_km != 0) {
    if (!(max_length_km >= 0.001 && max_length_km <= 100'000))
      throw InvalidOption("--max-length-km", "must lie between 0.001 and 100,000");
    terms.max_length_m = static_cast<std::uint64_t>(std::llround(max_length_km * 1000));
  }
  if (max_duration_s > 0) terms.max_duration_s = max_duration_s;
  traces::TraceStatistics checked(terms.options());  // throws for what is out of range
  return terms;
}

}  // namespace fogline::cli
