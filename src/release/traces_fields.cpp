// SPDX-License-Identifier: Apache-2.0
#include "release/traces_fields.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "io/points.hpp"

namespace fogline::release {

void TripReading::declare(FieldTable& table) {
  declare_plane(table);
  table
      .value("users", "FILE", users,
             "old spelling of `persons` FILE: one user a line, in the order of the trips")
      .rare()
      .role(FieldRole::private_input);
  table.value("format", "FORMAT", format, "of TRIPS, whatever its suffix")
      .letter('f')
      .choices({"csv", "geojson", "gpx", "dat"});
  columns.declare_order(table);
}

io::PointFormat TripReading::format_of() const {
  if (format == "csv") return io::PointFormat::csv;
  if (format == "geojson") return io::PointFormat::geojson;
  if (format == "gpx") return io::PointFormat::gpx;
  return format == "dat" ? io::PointFormat::dat : io::PointFormat::by_suffix;
}

void TripReading::declare_plane(FieldTable& table) {
  table.flag("plane", plane, "positions and area are metres on a plane; .dat files always are")
      .stated("plane");
}

traces::Frame::Unit TripReading::unit() const {
  return plane ? traces::Frame::Unit::metres : traces::Frame::Unit::degrees;
}

traces::Frame::Unit TripReading::unit_of(const InputField& input) const {
  input.require_format(format);
  io::PointFormat read_as = format_of();
  if (read_as == io::PointFormat::by_suffix && !input.file.empty()) read_as = io::point_format_of(input.file);
  return read_as == io::PointFormat::dat ? traces::Frame::Unit::metres : unit();
}

io::PointTable TripReading::read_points(Caller& caller, const InputField& input) {
  io::PointReadOptions options;
  options.format = format_of();
  options.columns.map = columns.map();
  options.columns.one_person = protects_users;
  options.times = columns.times();
  options.progress = caller.progress();
  io::TextSource source = input.open(caller);
  return io::read_points(source, options);
}

mobility::TimeBackwards TripReading::backwards() const {
  return columns.sort ? mobility::TimeBackwards::sort : mobility::TimeBackwards::refuse;
}

mobility::Trips TripReading::trips_of(io::PointTable&& points, const mobility::TripOptions& options) const
    try {
  return mobility::make_trips(std::move(points), options);
} catch (const InvalidOption& error) {
  if (error.option() != "users") throw;
  throw InvalidOption(users_field, error.problem().wrong);
}

mobility::Trips TripReading::read(Caller& caller, const InputField& input, Times times) {
  const std::string file = input.name();
  mobility::TripOptions options;
  if (!users.empty()) options.users = read_persons(users);
  options.backwards = backwards();
  io::PointTable points = read_points(caller, input);
  tell_columns(caller, points.columns);
  if (points.traj.empty() && points.user.empty() && !points.columns.left.empty() &&
      !columns.map().settles(io::Role::trip))
    throw DataError(
        {file}, "nothing tells trips apart: all points would be one trip",
        "say which column does, with `columns` trip=NAME, or that it is one, with `columns` trip=none");
  if (points.traj.empty())
    caller.warn(
        fmt::format("{}: nothing tells trips apart (a column traj_id would); all points of {} are one trip",
                    file, points.user.empty() ? "the file" : "a user"));
  // One point without a time must not decide whether all others are told with theirs.
  if (times == Times::as_found && points.times_left_out)
    throw DataError({file}, "some points have times and others have none",
                    "give every point a time, or leave all times out with `no-times`");
  if (times == Times::left_out) {
    points.has_time = false;
    points.t = {};
  }
  mobility::Trips trips = trips_of(std::move(points), options);
  Warnings odd;  // that a trip of one point is left out is said where that is done
  for (const Warnings::Item& item : trips.warnings.items())
    if (item.what != mobility::one_point_kept) odd.add(item.what, item.first, item.count);
  caller.warn(odd);
  return trips;
}

void TracesFields::declare(FieldTable& table) {
  table.value("epsilon", "E", epsilon, "privacy parameter of the whole release, such as 1; no default")
      .required()
      .range("0.001", "1000")
      .stated("epsilon");
  table.value("area", "W,S,E,N", area, "PUBLIC box in which trips are told: degrees, or metres with `plane`")
      .stated("area");
  persons.declare(table, "trips", "1000", "trips_per_user");
  table.value("unit", "UNIT", unit, "what is protected: one trip (trip); old: user, for `persons`")
      .choices({"trip", "user"})
      .stated("unit");
  table
      .value("trips-per-user", "K", trips_per_user,
             "with `unit` user; old spelling of `persons` column `per-person` K")
      .rare()
      .nonzero()
      .range("1", "1000")
      .stated("trips_per_user");
  table.value("trips", "N", trips, "PUBLIC: how many trips there are; otherwise that is counted with noise")
      .nonzero()
      .stated("trips");
  table
      .value("trips-to-make", "N", trips_to_make,
             "how many to release (as many as counted, to 2 million; or as declared)")
      .nonzero()
      .range("1", "100000000")
      .stated("trips_to_make");
  table
      .value("max-length-km", "KM", max_length_km,
             "PUBLIC: trips are cut off here (8 times the area's larger side)")
      .nonzero()
      .range("0.001", "100000")
      .unit("km")
      .stated("max_length_m");
  table.value("max-duration", "S", max_duration_s, "PUBLIC: trips are cut off after so many seconds")
      .otherwise("86400")
      .nonzero()
      .range("1", "10000000")
      .unit("s")
      .stated("max_duration_s");
  table.flag("no-times", no_times, "release no times").stated("times");
}

void TracesFields::declare_form(FieldTable& table) {
  table.value("mechanism", "NAME", mechanism, "synthesis, or the paper's dpe")
      .choices({std::string(traces::synthesis_name), std::string(traces::dpe_name)});
  table.flag("published", published, "with dpe: the paper's form, which promises nothing");
}

void TracesFields::require_form() const {
  if (published == (mechanism == traces::dpe_name)) return;
  throw InvalidOption(published ? "published" : "mechanism",
                      published ? "is for `mechanism` dpe" : "dpe promises nothing and needs `published`");
}

traces::DpeTerms TracesFields::published_terms(traces::Frame::Unit coordinates) const {
  if (bound().most > 0 || trips > 0 || trips_to_make > 0 || max_length_km != 0 || max_duration_s > 0)
    throw InvalidOption("published",
                        "takes `epsilon`, `area`, `plane` and `no-times` only: the paper's form");
  traces::DpeTerms terms{.epsilon = epsilon_value()};
  if (!area.empty()) terms.frame = traces::Frame::parse(area, coordinates);
  return terms;
}

privacy::Epsilon TracesFields::epsilon_value() const {
  return epsilon_in<privacy::Epsilon>(epsilon, "epsilon");
}

PersonFields::Bound TracesFields::bound() const {
  const bool is_user = traces::unit_from(unit) == traces::Unit::user;
  if (trips_per_user > 0 && !is_user) throw InvalidOption("trips-per-user", "is for `unit` user");
  const PersonFields::Bound of_person = persons.bound("trips-per-user", trips_per_user);
  if (is_user && of_person.most == 0)
    throw InvalidOption("per-person",
                        "is needed with `unit` user, from 1 to 1000: fewer make less noise, and bend the "
                        "trips of busy users more");
  return of_person;
}

traces::TraceTerms TracesFields::terms(traces::Frame::Unit coordinates) const {
  if (area.empty())
    throw InvalidOption(
        "area",
        "is needed: a box WEST,SOUTH,EAST,NORTH that everybody may know; the box of the trips "
        "themselves would tell of them");
  traces::TraceTerms terms{.frame = traces::Frame::parse(area, coordinates), .epsilon = epsilon_value()};
  const PersonFields::Bound of_person = bound();
  terms.unit = of_person.most > 0 ? traces::Unit::user : traces::Unit::trip;
  terms.persons = of_person.persons;
  if (of_person.most > 0) terms.trips_per_user = static_cast<std::uint32_t>(of_person.most);
  // More trips than these are made only if they are asked for: they take hours and gigabytes.
  constexpr std::uint64_t most_declared = 20'000'000;
  if (trips > most_declared && trips_to_make == 0)
    throw InvalidOption("trips", fmt::format("is more than {}, which would take hours to make and much "
                                             "memory: say with `trips-to-make` how many to make",
                                             grouped(most_declared)));
  if (trips > 0) terms.trips = trips;
  terms.trips_to_make = trips_to_make;
  terms.times = !no_times;
  if (max_length_km != 0) terms.max_length_m = static_cast<std::uint64_t>(std::llround(max_length_km * 1000));
  if (max_duration_s > 0) terms.max_duration_s = max_duration_s;
  traces::TraceStatistics checked(terms.options());  // throws for what is out of range
  return terms;
}

}  // namespace fogline::release
