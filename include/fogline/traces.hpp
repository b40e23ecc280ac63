// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by tools/kind_headers from the tables of fields.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fogline/analysis.hpp"
#include "fogline/request.hpp"

namespace fogline {

/// A release of a set of trips: fogline::Request with a function for each field.
///
///     fogline::TracesRelease asked;
///     asked.area("-8.7,41.1,-8.5,41.2").epsilon("1").dataset("riders");
class TracesRelease : public Request {
 public:
  TracesRelease() : Request("traces", "release") {}

  /// the private trips: CSV, GeoJSON, GPX or .dat; - for standard input
  TracesRelease& input_file(std::string_view value) { return set("input", value), *this; }
  /// privacy parameter of the whole release, such as 1; no default; 0.001 to 1,000
  TracesRelease& epsilon(std::string_view value) { return set("epsilon", value), *this; }
  /// PUBLIC box in which trips are told: degrees, or metres with `plane`
  TracesRelease& area(std::string_view value) { return set("area", value), *this; }
  /// protect persons, told apart by a column, a FILE of names, or not: declared
  TracesRelease& persons(std::string_view value) { return set("persons", value), *this; }
  /// promise for all trips of a person, at most K (declared: 1); 1 to 1,000
  TracesRelease& per_person(std::int64_t value) { return set("per-person", value), *this; }
  /// what is protected: one trip (trip); old: user, for `persons`; one of trip, user
  TracesRelease& unit(std::string_view value) { return set("unit", value), *this; }
  /// with `unit` user; old spelling of `persons` column `per-person` K; 1 to 1,000
  TracesRelease& trips_per_user(std::int64_t value) { return set("trips-per-user", value), *this; }
  /// PUBLIC: how many trips there are; otherwise that is counted with noise
  TracesRelease& trips(std::int64_t value) { return set("trips", value), *this; }
  /// how many to release (as many as counted, to 2 million; or as declared); 1 to 100,000,000
  TracesRelease& trips_to_make(std::int64_t value) { return set("trips-to-make", value), *this; }
  /// PUBLIC: trips are cut off here (8 times the area's larger side); 0.001 to 100,000, in km
  TracesRelease& max_length_km(double value) { return set("max-length-km", value), *this; }
  /// PUBLIC: trips are cut off after so many seconds (86400); 1 to 10,000,000, in s
  TracesRelease& max_duration(std::int64_t value) { return set("max-duration", value), *this; }
  /// release no times
  TracesRelease& no_times(bool value = true) { return set("no-times", value), *this; }
  /// positions and area are metres on a plane; .dat files always are
  TracesRelease& plane(bool value = true) { return set("plane", value), *this; }
  /// old spelling of `persons` FILE: one user a line, in the order of the trips
  TracesRelease& users(std::string_view value) { return set("users", value), *this; }
  /// of TRIPS, whatever its suffix; one of csv, geojson, gpx, dat
  TracesRelease& format(std::string_view value) { return set("format", value), *this; }
  /// which columns are what, such as trip=ride,time=none
  TracesRelease& columns(std::string_view value) { return set("columns", value), *this; }
  /// of dates such as 04/05/2020, refused otherwise; one of day-first, month-first
  TracesRelease& time_format(std::string_view value) { return set("time-format", value), *this; }
  /// put in order of time what is not, instead of refusing it
  TracesRelease& sort(bool value = true) { return set("sort", value), *this; }
  /// PUBLIC rules as GeoJSON: closed areas, bounds, speeds, one-ways, stops
  TracesRelease& constraints(std::string_view value) { return set("constraints", value), *this; }
  /// PUBLIC roads that trips keep to: OSM, CSV, ..., city:1
  TracesRelease& network(std::string_view value) { return set("network", value), *this; }
  /// roads to keep from OSM; one of drivable, walkable, all
  TracesRelease& mode(std::string_view value) { return set("mode", value), *this; }
  /// synthesis, or the paper's dpe; one of synthesis, dpe
  TracesRelease& mechanism(std::string_view value) { return set("mechanism", value), *this; }
  /// with dpe: the paper's form, which promises nothing
  TracesRelease& published(bool value = true) { return set("published", value), *this; }
  /// whose budget is spent: your name for the private data ('default')
  TracesRelease& dataset(std::string_view value) { return set("dataset", value), *this; }
  /// where the release goes; - for standard output
  TracesRelease& output(std::string_view value) { return set("output", value), *this; }
  /// otherwise OUTPUT.statement.json; for - release.statement.json
  TracesRelease& statement(std::string_view value) { return set("statement", value), *this; }
  /// replace existing files
  TracesRelease& overwrite(bool value = true) { return set("overwrite", value), *this; }
  /// sign the statement with this secret key
  TracesRelease& sign(std::string_view value) { return set("sign", value), *this; }
  /// for who may not see the records: pays for a refusal, and is not told why
  TracesRelease& guarded(bool value = true) { return set("guarded", value), *this; }
  /// charge even for what is no better than a guess that costs nothing
  TracesRelease& anyway(bool value = true) { return set("anyway", value), *this; }
  /// fixed noise, for tests and experiments: NOT PRIVATE, costs nothing
  TracesRelease& seed(std::string_view value) { return set("seed", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  TracesRelease& limits(std::string_view value) { return set("limits", value), *this; }
};

/// A plan of a set of trips: fogline::Analysis with a function for each field.
class TracesPlan : public Analysis {
 public:
  TracesPlan() : Analysis("traces", "plan") {}

  /// privacy parameter of the whole release, such as 1; no default; 0.001 to 1,000
  TracesPlan& epsilon(std::string_view value) { return set("epsilon", value), *this; }
  /// PUBLIC box in which trips are told: degrees, or metres with `plane`
  TracesPlan& area(std::string_view value) { return set("area", value), *this; }
  /// protect persons, told apart by a column, a FILE of names, or not: declared
  TracesPlan& persons(std::string_view value) { return set("persons", value), *this; }
  /// promise for all trips of a person, at most K (declared: 1); 1 to 1,000
  TracesPlan& per_person(std::int64_t value) { return set("per-person", value), *this; }
  /// what is protected: one trip (trip); old: user, for `persons`; one of trip, user
  TracesPlan& unit(std::string_view value) { return set("unit", value), *this; }
  /// with `unit` user; old spelling of `persons` column `per-person` K; 1 to 1,000
  TracesPlan& trips_per_user(std::int64_t value) { return set("trips-per-user", value), *this; }
  /// PUBLIC: how many trips there are; otherwise that is counted with noise
  TracesPlan& trips(std::int64_t value) { return set("trips", value), *this; }
  /// how many to release (as many as counted, to 2 million; or as declared); 1 to 100,000,000
  TracesPlan& trips_to_make(std::int64_t value) { return set("trips-to-make", value), *this; }
  /// PUBLIC: trips are cut off here (8 times the area's larger side); 0.001 to 100,000, in km
  TracesPlan& max_length_km(double value) { return set("max-length-km", value), *this; }
  /// PUBLIC: trips are cut off after so many seconds (86400); 1 to 10,000,000, in s
  TracesPlan& max_duration(std::int64_t value) { return set("max-duration", value), *this; }
  /// release no times
  TracesPlan& no_times(bool value = true) { return set("no-times", value), *this; }
  /// positions and area are metres on a plane; .dat files always are
  TracesPlan& plane(bool value = true) { return set("plane", value), *this; }
  /// PUBLIC rules as GeoJSON: closed areas, bounds, speeds, one-ways, stops
  TracesPlan& constraints(std::string_view value) { return set("constraints", value), *this; }
  /// PUBLIC roads that trips keep to: OSM, CSV, ..., city:1
  TracesPlan& network(std::string_view value) { return set("network", value), *this; }
  /// roads to keep from OSM; one of drivable, walkable, all
  TracesPlan& mode(std::string_view value) { return set("mode", value), *this; }
  /// synthesis, or the paper's dpe; one of synthesis, dpe
  TracesPlan& mechanism(std::string_view value) { return set("mechanism", value), *this; }
  /// with dpe: the paper's form, which promises nothing
  TracesPlan& published(bool value = true) { return set("published", value), *this; }
  /// about how many trips there are; a guess, and not published (10000); 1 to 1,000,000,000
  TracesPlan& expect(std::int64_t value) { return set("expect", value), *this; }
  /// the ledger; otherwise the one in your data folder
  TracesPlan& ledger(std::string_view value) { return set("ledger", value), *this; }
  /// whose budget is spent: your name for the private data ('default')
  TracesPlan& dataset(std::string_view value) { return set("dataset", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  TracesPlan& limits(std::string_view value) { return set("limits", value), *this; }
};

/// A measure of a set of trips: fogline::Analysis with a function for each field.
class TracesMeasure : public Analysis {
 public:
  TracesMeasure() : Analysis("traces", "measure") {}

  /// the private trips: CSV, GeoJSON, GPX, .dat
  TracesMeasure& truth(std::string_view value) { return set("truth", value), *this; }
  /// the synthetic ones
  TracesMeasure& synthetic(std::string_view value) { return set("synthetic", value), *this; }
  /// area to divide (that of the statement), or the word trips: their box
  TracesMeasure& area(std::string_view value) { return set("area", value), *this; }
  /// of SYNTHETIC, if it is not beside it: declares the area
  TracesMeasure& statement(std::string_view value) { return set("statement", value), *this; }
  /// positions and area are metres on a plane; .dat files always are
  TracesMeasure& plane(bool value = true) { return set("plane", value), *this; }
  /// discs (200); 1 to 100,000
  TracesMeasure& queries(std::int64_t value) { return set("queries", value), *this; }
  /// radius of a disc over the larger side (1/3); above 0, at most 1
  TracesMeasure& query_share(std::string_view value) { return set("query-share", value), *this; }
  /// of the discs (7)
  TracesMeasure& seed(std::int64_t value) { return set("seed", value), *this; }
  /// tell which trips a car could have driven on it
  TracesMeasure& network(std::string_view value) { return set("network", value), *this; }
  /// roads to keep from OSM; one of drivable, walkable, all
  TracesMeasure& mode(std::string_view value) { return set("mode", value), *this; }
  /// which columns are what, such as trip=ride,time=none
  TracesMeasure& columns(std::string_view value) { return set("columns", value), *this; }
  /// of dates such as 04/05/2020, refused otherwise; one of day-first, month-first
  TracesMeasure& time_format(std::string_view value) { return set("time-format", value), *this; }
  /// put in order of time what is not, instead of refusing it
  TracesMeasure& sort(bool value = true) { return set("sort", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  TracesMeasure& limits(std::string_view value) { return set("limits", value), *this; }
};

/// An attack of a set of trips: fogline::Analysis with a function for each field.
class TracesAttack : public Analysis {
 public:
  TracesAttack() : Analysis("traces", "attack") {}

  /// the private trips that were used: CSV, GeoJSON, GPX, .dat
  TracesAttack& truth(std::string_view value) { return set("truth", value), *this; }
  /// the synthetic ones
  TracesAttack& synthetic(std::string_view value) { return set("synthetic", value), *this; }
  /// private trips that were not used
  TracesAttack& heldout(std::string_view value) { return set("heldout", value), *this; }
  /// area to look at (that of the statement; without one, all trips)
  TracesAttack& area(std::string_view value) { return set("area", value), *this; }
  /// of SYNTHETIC, if it is not beside it: declares the area
  TracesAttack& statement(std::string_view value) { return set("statement", value), *this; }
  /// positions and area are metres on a plane; .dat files always are
  TracesAttack& plane(bool value = true) { return set("plane", value), *this; }
  /// metres within which a trip is reconstructed (100); in m
  TracesAttack& near(double value) { return set("near", value), *this; }
  /// of the halves and turns (1)
  TracesAttack& seed(std::int64_t value) { return set("seed", value), *this; }
  /// which columns are what, such as trip=ride,time=none
  TracesAttack& columns(std::string_view value) { return set("columns", value), *this; }
  /// of dates such as 04/05/2020, refused otherwise; one of day-first, month-first
  TracesAttack& time_format(std::string_view value) { return set("time-format", value), *this; }
  /// put in order of time what is not, instead of refusing it
  TracesAttack& sort(bool value = true) { return set("sort", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  TracesAttack& limits(std::string_view value) { return set("limits", value), *this; }
};

/// An audit of a set of trips: fogline::Analysis with a function for each field.
class TracesAudit : public Analysis {
 public:
  TracesAudit() : Analysis("traces", "audit") {}

  /// privacy parameter of the whole release, such as 1; no default; 0.001 to 1,000
  TracesAudit& epsilon(std::string_view value) { return set("epsilon", value), *this; }
  /// PUBLIC box in which trips are told: degrees, or metres with `plane`
  TracesAudit& area(std::string_view value) { return set("area", value), *this; }
  /// protect persons, told apart by a column, a FILE of names, or not: declared
  TracesAudit& persons(std::string_view value) { return set("persons", value), *this; }
  /// promise for all trips of a person, at most K (declared: 1); 1 to 1,000
  TracesAudit& per_person(std::int64_t value) { return set("per-person", value), *this; }
  /// what is protected: one trip (trip); old: user, for `persons`; one of trip, user
  TracesAudit& unit(std::string_view value) { return set("unit", value), *this; }
  /// with `unit` user; old spelling of `persons` column `per-person` K; 1 to 1,000
  TracesAudit& trips_per_user(std::int64_t value) { return set("trips-per-user", value), *this; }
  /// PUBLIC: how many trips there are; otherwise that is counted with noise
  TracesAudit& trips(std::int64_t value) { return set("trips", value), *this; }
  /// how many to release (as many as counted, to 2 million; or as declared); 1 to 100,000,000
  TracesAudit& trips_to_make(std::int64_t value) { return set("trips-to-make", value), *this; }
  /// PUBLIC: trips are cut off here (8 times the area's larger side); 0.001 to 100,000, in km
  TracesAudit& max_length_km(double value) { return set("max-length-km", value), *this; }
  /// PUBLIC: trips are cut off after so many seconds (86400); 1 to 10,000,000, in s
  TracesAudit& max_duration(std::int64_t value) { return set("max-duration", value), *this; }
  /// release no times
  TracesAudit& no_times(bool value = true) { return set("no-times", value), *this; }
  /// positions and area are metres on a plane; .dat files always are
  TracesAudit& plane(bool value = true) { return set("plane", value), *this; }
  /// PUBLIC rules as GeoJSON: closed areas, bounds, speeds, one-ways, stops
  TracesAudit& constraints(std::string_view value) { return set("constraints", value), *this; }
  /// PUBLIC roads that trips keep to: OSM, CSV, ..., city:1
  TracesAudit& network(std::string_view value) { return set("network", value), *this; }
  /// roads to keep from OSM; one of drivable, walkable, all
  TracesAudit& mode(std::string_view value) { return set("mode", value), *this; }
  /// replays of each pair of neighbours (3); 1 to 10,000
  TracesAudit& runs(std::int64_t value) { return set("runs", value), *this; }
  /// releases whose noise is looked at (10); 1 to 10,000
  TracesAudit& noise_runs(std::int64_t value) { return set("noise-runs", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  TracesAudit& limits(std::string_view value) { return set("limits", value), *this; }
};

}  // namespace fogline
