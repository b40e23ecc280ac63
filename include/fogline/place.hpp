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

/// A release of positions on a road network: fogline::Request with a function for each field.
///
///     fogline::PlaceRelease asked;
///     asked.network("lattice:20x20:3000").epsilon("1/100").dataset("riders");
class PlaceRelease : public Request {
 public:
  PlaceRelease() : Request("place", "release") {}

  /// private positions: CSV, GeoJSON or GPX; - for standard input
  PlaceRelease& input_file(std::string_view value) { return set("input", value), *this; }
  /// OSM, DIMACS, CSV, or lattice:RxC:M, line:N:M, city:N, valley:N
  PlaceRelease& network(std::string_view value) { return set("network", value), *this; }
  /// roads to keep from OSM; one of drivable, walkable, all
  PlaceRelease& mode(std::string_view value) { return set("mode", value), *this; }
  /// keep every OSM point, not junctions only
  PlaceRelease& shape_points(bool value = true) { return set("shape-points", value), *this; }
  /// keep parts not joined to the largest
  PlaceRelease& all_components(bool value = true) { return set("all-components", value), *this; }
  /// DIMACS .co file, if not beside the .gr file
  PlaceRelease& coordinates(std::string_view value) { return set("coordinates", value), *this; }
  /// metres per unit of a DIMACS length (0.1); above 0, at most 1,000,000, in m
  PlaceRelease& length_unit(double value) { return set("length-unit", value), *this; }
  /// CSV edges, if not beside the nodes
  PlaceRelease& edges(std::string_view value) { return set("edges", value), *this; }
  /// longest road between vertices, none, or auto: 0.75 / epsilon (OSM: auto); in m
  PlaceRelease& spacing(std::string_view value) { return set("spacing", value), *this; }
  /// a prepared mechanism; `network`, if given too, is compared with its map
  PlaceRelease& kernel(std::string_view value) { return set("kernel", value), *this; }
  /// auto, gem, tight, optimal, plmg, plm, or a table in .npz or .csv (auto)
  PlaceRelease& mechanism(std::string_view value) { return set("mechanism", value), *this; }
  /// privacy parameter per metre, such as 0.01; no default; 0.00001 to 1,000, in 1/m
  PlaceRelease& epsilon(std::string_view value) { return set("epsilon", value), *this; }
  /// allowed outputs, one vertex a line; otherwise every vertex
  PlaceRelease& range(std::string_view value) { return set("range", value), *this; }
  /// how likely each vertex is, vertex,probability; PUBLIC; otherwise all alike
  PlaceRelease& prior(std::string_view value) { return set("prior", value), *this; }
  /// move each output to the best guess under the prior; costs no budget
  PlaceRelease& remap(bool value = true) { return set("remap", value), *this; }
  /// work out the expected error over every vertex, however long it takes
  PlaceRelease& exact_error(bool value = true) { return set("exact-error", value), *this; }
  /// neither take a mechanism from the cache nor keep it there
  PlaceRelease& no_cache(bool value = true) { return set("no-cache", value), *this; }
  /// farther from the network is too far (500); above 0, at most 10,000,000, in m
  PlaceRelease& max_snap(double value) { return set("max-snap", value), *this; }
  /// and what becomes of such points; one of refuse, leave-out, nearest
  PlaceRelease& too_far(std::string_view value) { return set("too-far", value), *this; }
  /// protect persons, told apart by a column, a FILE of names, or not: declared
  PlaceRelease& persons(std::string_view value) { return set("persons", value), *this; }
  /// promise for all reports of a person, at most K (declared: 1); 1 to 1,000,000
  PlaceRelease& per_person(std::int64_t value) { return set("per-person", value), *this; }
  /// what becomes of reports beyond; one of refuse, leave-out
  PlaceRelease& too_many(std::string_view value) { return set("too-many", value), *this; }
  /// old spelling of `persons` column `per-person` K; 1 to 1,000,000
  PlaceRelease& reports_per_person(std::int64_t value) { return set("reports-per-person", value), *this; }
  /// input columns to copy UNPROTECTED: traj_id, user_id, t
  PlaceRelease& keep(std::string_view value) { return set("keep", value), *this; }
  /// whose budget is spent: your name for the private data ('default')
  PlaceRelease& dataset(std::string_view value) { return set("dataset", value), *this; }
  /// where the release goes; - for standard output
  PlaceRelease& output(std::string_view value) { return set("output", value), *this; }
  /// otherwise OUTPUT.statement.json; for - release.statement.json
  PlaceRelease& statement(std::string_view value) { return set("statement", value), *this; }
  /// replace existing files
  PlaceRelease& overwrite(bool value = true) { return set("overwrite", value), *this; }
  /// sign the statement with this secret key
  PlaceRelease& sign(std::string_view value) { return set("sign", value), *this; }
  /// for who may not see the records: pays for a refusal, and is not told why
  PlaceRelease& guarded(bool value = true) { return set("guarded", value), *this; }
  /// charge even for what is no better than a guess that costs nothing
  PlaceRelease& anyway(bool value = true) { return set("anyway", value), *this; }
  /// of the input, whatever its suffix; one of csv, geojson, gpx
  PlaceRelease& format(std::string_view value) { return set("format", value), *this; }
  /// answer each line of CSV as it comes, each charged by itself, from - to -
  PlaceRelease& live(bool value = true) { return set("live", value), *this; }
  /// of a CSV file without one: user_id,t,lon,lat
  PlaceRelease& csv_header(std::string_view value) { return set("csv-header", value), *this; }
  /// which columns are what, such as trip=ride,time=none
  PlaceRelease& columns(std::string_view value) { return set("columns", value), *this; }
  /// of dates such as 04/05/2020, refused otherwise; one of day-first, month-first
  PlaceRelease& time_format(std::string_view value) { return set("time-format", value), *this; }
  /// fixed noise, for tests and experiments: NOT PRIVATE, costs nothing
  PlaceRelease& seed(std::string_view value) { return set("seed", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  PlaceRelease& limits(std::string_view value) { return set("limits", value), *this; }
};

/// A plan of positions on a road network: fogline::Analysis with a function for each field.
class PlacePlan : public Analysis {
 public:
  PlacePlan() : Analysis("place", "plan") {}

  /// OSM, DIMACS, CSV, or lattice:RxC:M, line:N:M, city:N, valley:N
  PlacePlan& network(std::string_view value) { return set("network", value), *this; }
  /// roads to keep from OSM; one of drivable, walkable, all
  PlacePlan& mode(std::string_view value) { return set("mode", value), *this; }
  /// keep every OSM point, not junctions only
  PlacePlan& shape_points(bool value = true) { return set("shape-points", value), *this; }
  /// keep parts not joined to the largest
  PlacePlan& all_components(bool value = true) { return set("all-components", value), *this; }
  /// DIMACS .co file, if not beside the .gr file
  PlacePlan& coordinates(std::string_view value) { return set("coordinates", value), *this; }
  /// metres per unit of a DIMACS length (0.1); above 0, at most 1,000,000, in m
  PlacePlan& length_unit(double value) { return set("length-unit", value), *this; }
  /// CSV edges, if not beside the nodes
  PlacePlan& edges(std::string_view value) { return set("edges", value), *this; }
  /// longest road between vertices, none, or auto: 0.75 / epsilon (OSM: auto); in m
  PlacePlan& spacing(std::string_view value) { return set("spacing", value), *this; }
  /// a prepared mechanism; `network`, if given too, is compared with its map
  PlacePlan& kernel(std::string_view value) { return set("kernel", value), *this; }
  /// auto, gem, tight, optimal, plmg, plm, or a table in .npz or .csv (auto); or several: gem,theirs.npz
  PlacePlan& mechanism(std::string_view value) { return set("mechanism", value), *this; }
  /// privacy parameter per metre, such as 0.01, or several: 0.005,0.01
  PlacePlan& epsilon(std::string_view value) { return set("epsilon", value), *this; }
  /// allowed outputs, one vertex a line; otherwise every vertex
  PlacePlan& range(std::string_view value) { return set("range", value), *this; }
  /// how likely each vertex is, vertex,probability; PUBLIC; otherwise all alike
  PlacePlan& prior(std::string_view value) { return set("prior", value), *this; }
  /// move each output to the best guess under the prior; costs no budget
  PlacePlan& remap(bool value = true) { return set("remap", value), *this; }
  /// work out the expected error over every vertex, however long it takes
  PlacePlan& exact_error(bool value = true) { return set("exact-error", value), *this; }
  /// neither take a mechanism from the cache nor keep it there
  PlacePlan& no_cache(bool value = true) { return set("no-cache", value), *this; }
  /// in place of epsilon: find the one that moves positions so far; in m
  PlacePlan& target(std::string_view value) { return set("target", value), *this; }
  /// all mechanisms that fit this map, side by side, or those that `mechanism` names
  PlacePlan& compare(bool value = true) { return set("compare", value), *this; }
  /// farther from the network is too far (500); above 0, at most 10,000,000, in m
  PlacePlan& max_snap(double value) { return set("max-snap", value), *this; }
  /// and what becomes of such points; one of refuse, leave-out, nearest
  PlacePlan& too_far(std::string_view value) { return set("too-far", value), *this; }
  /// protect persons, told apart by a column, a FILE of names, or not: declared
  PlacePlan& persons(std::string_view value) { return set("persons", value), *this; }
  /// promise for all reports of a person, at most K (declared: 1); 1 to 1,000,000
  PlacePlan& per_person(std::int64_t value) { return set("per-person", value), *this; }
  /// what becomes of reports beyond; one of refuse, leave-out
  PlacePlan& too_many(std::string_view value) { return set("too-many", value), *this; }
  /// old spelling of `persons` column `per-person` K; 1 to 1,000,000
  PlacePlan& reports_per_person(std::int64_t value) { return set("reports-per-person", value), *this; }
  /// input columns to copy UNPROTECTED: traj_id, user_id, t
  PlacePlan& keep(std::string_view value) { return set("keep", value), *this; }
  /// the ledger; otherwise the one in your data folder
  PlacePlan& ledger(std::string_view value) { return set("ledger", value), *this; }
  /// whose budget is spent: your name for the private data ('default')
  PlacePlan& dataset(std::string_view value) { return set("dataset", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  PlacePlan& limits(std::string_view value) { return set("limits", value), *this; }
};

/// A measure of positions on a road network: fogline::Analysis with a function for each field.
class PlaceMeasure : public Analysis {
 public:
  PlaceMeasure() : Analysis("place", "measure") {}

  /// OSM, DIMACS, CSV, or lattice:RxC:M, line:N:M, city:N, valley:N
  PlaceMeasure& network(std::string_view value) { return set("network", value), *this; }
  /// roads to keep from OSM; one of drivable, walkable, all
  PlaceMeasure& mode(std::string_view value) { return set("mode", value), *this; }
  /// keep every OSM point, not junctions only
  PlaceMeasure& shape_points(bool value = true) { return set("shape-points", value), *this; }
  /// keep parts not joined to the largest
  PlaceMeasure& all_components(bool value = true) { return set("all-components", value), *this; }
  /// DIMACS .co file, if not beside the .gr file
  PlaceMeasure& coordinates(std::string_view value) { return set("coordinates", value), *this; }
  /// metres per unit of a DIMACS length (0.1); above 0, at most 1,000,000, in m
  PlaceMeasure& length_unit(double value) { return set("length-unit", value), *this; }
  /// CSV edges, if not beside the nodes
  PlaceMeasure& edges(std::string_view value) { return set("edges", value), *this; }
  /// longest road between vertices, none, or auto: 0.75 / epsilon (OSM: auto); in m
  PlaceMeasure& spacing(std::string_view value) { return set("spacing", value), *this; }
  /// a prepared mechanism; `network`, if given too, is compared with its map
  PlaceMeasure& kernel(std::string_view value) { return set("kernel", value), *this; }
  /// auto, gem, tight, optimal, plmg, plm, or a table in .npz or .csv (auto)
  PlaceMeasure& mechanism(std::string_view value) { return set("mechanism", value), *this; }
  /// privacy parameter per metre, such as 0.01; no default; 0.00001 to 1,000, in 1/m
  PlaceMeasure& epsilon(std::string_view value) { return set("epsilon", value), *this; }
  /// allowed outputs, one vertex a line; otherwise every vertex
  PlaceMeasure& range(std::string_view value) { return set("range", value), *this; }
  /// how likely each vertex is, vertex,probability; PUBLIC; otherwise all alike
  PlaceMeasure& prior(std::string_view value) { return set("prior", value), *this; }
  /// move each output to the best guess under the prior; costs no budget
  PlaceMeasure& remap(bool value = true) { return set("remap", value), *this; }
  /// work out the expected error over every vertex, however long it takes
  PlaceMeasure& exact_error(bool value = true) { return set("exact-error", value), *this; }
  /// neither take a mechanism from the cache nor keep it there
  PlaceMeasure& no_cache(bool value = true) { return set("no-cache", value), *this; }
  /// which distance the main JSON fields are in; one of road, euclidean
  PlaceMeasure& metric(std::string_view value) { return set("metric", value), *this; }
  /// private positions that were released, for the curator
  PlaceMeasure& truth(std::string_view value) { return set("truth", value), *this; }
  /// what they were released as
  PlaceMeasure& released(std::string_view value) { return set("released", value), *this; }
  /// as in the release (500); above 0, at most 10,000,000, in m
  PlaceMeasure& max_snap(double value) { return set("max-snap", value), *this; }
  /// as in the release; one of refuse, leave-out, nearest
  PlaceMeasure& too_far(std::string_view value) { return set("too-far", value), *this; }
  /// which columns are what, such as trip=ride,time=none
  PlaceMeasure& columns(std::string_view value) { return set("columns", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  PlaceMeasure& limits(std::string_view value) { return set("limits", value), *this; }
};

/// An attack of positions on a road network: fogline::Analysis with a function for each field.
class PlaceAttack : public Analysis {
 public:
  PlaceAttack() : Analysis("place", "attack") {}

  /// OSM, DIMACS, CSV, or lattice:RxC:M, line:N:M, city:N, valley:N
  PlaceAttack& network(std::string_view value) { return set("network", value), *this; }
  /// roads to keep from OSM; one of drivable, walkable, all
  PlaceAttack& mode(std::string_view value) { return set("mode", value), *this; }
  /// keep every OSM point, not junctions only
  PlaceAttack& shape_points(bool value = true) { return set("shape-points", value), *this; }
  /// keep parts not joined to the largest
  PlaceAttack& all_components(bool value = true) { return set("all-components", value), *this; }
  /// DIMACS .co file, if not beside the .gr file
  PlaceAttack& coordinates(std::string_view value) { return set("coordinates", value), *this; }
  /// metres per unit of a DIMACS length (0.1); above 0, at most 1,000,000, in m
  PlaceAttack& length_unit(double value) { return set("length-unit", value), *this; }
  /// CSV edges, if not beside the nodes
  PlaceAttack& edges(std::string_view value) { return set("edges", value), *this; }
  /// longest road between vertices, none, or auto: 0.75 / epsilon (OSM: auto); in m
  PlaceAttack& spacing(std::string_view value) { return set("spacing", value), *this; }
  /// a prepared mechanism; `network`, if given too, is compared with its map
  PlaceAttack& kernel(std::string_view value) { return set("kernel", value), *this; }
  /// auto, gem, tight, optimal, plmg, plm, or a table in .npz or .csv (auto)
  PlaceAttack& mechanism(std::string_view value) { return set("mechanism", value), *this; }
  /// privacy parameter per metre, such as 0.01; no default; 0.00001 to 1,000, in 1/m
  PlaceAttack& epsilon(std::string_view value) { return set("epsilon", value), *this; }
  /// allowed outputs, one vertex a line; otherwise every vertex
  PlaceAttack& range(std::string_view value) { return set("range", value), *this; }
  /// how likely each vertex is, vertex,probability; PUBLIC; otherwise all alike
  PlaceAttack& prior(std::string_view value) { return set("prior", value), *this; }
  /// move each output to the best guess under the prior; costs no budget
  PlaceAttack& remap(bool value = true) { return set("remap", value), *this; }
  /// work out the expected error over every vertex, however long it takes
  PlaceAttack& exact_error(bool value = true) { return set("exact-error", value), *this; }
  /// neither take a mechanism from the cache nor keep it there
  PlaceAttack& no_cache(bool value = true) { return set("no-cache", value), *this; }
  /// how guesses are measured; one of road, euclidean
  PlaceAttack& metric(std::string_view value) { return set("metric", value), *this; }
  /// what the informed attacker knows beforehand (200); above 0, at most 10,000,000, in m
  PlaceAttack& informed_radius(double value) { return set("informed-radius", value), *this; }
  /// numbers of repeated reports (1,2,5,10,20,50)
  PlaceAttack& reports(std::string_view value) { return set("reports", value), *this; }
  /// answers that were recorded, CSV with subject and vertex, to be added up as well
  PlaceAttack& answers(std::string_view value) { return set("answers", value), *this; }
  /// people drawn for the repeated reports (1000); 10 to 10,000,000
  PlaceAttack& samples(std::int64_t value) { return set("samples", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  PlaceAttack& limits(std::string_view value) { return set("limits", value), *this; }
};

/// An audit of positions on a road network: fogline::Analysis with a function for each field.
class PlaceAudit : public Analysis {
 public:
  PlaceAudit() : Analysis("place", "audit") {}

  /// OSM, DIMACS, CSV, or lattice:RxC:M, line:N:M, city:N, valley:N
  PlaceAudit& network(std::string_view value) { return set("network", value), *this; }
  /// roads to keep from OSM; one of drivable, walkable, all
  PlaceAudit& mode(std::string_view value) { return set("mode", value), *this; }
  /// keep every OSM point, not junctions only
  PlaceAudit& shape_points(bool value = true) { return set("shape-points", value), *this; }
  /// keep parts not joined to the largest
  PlaceAudit& all_components(bool value = true) { return set("all-components", value), *this; }
  /// DIMACS .co file, if not beside the .gr file
  PlaceAudit& coordinates(std::string_view value) { return set("coordinates", value), *this; }
  /// metres per unit of a DIMACS length (0.1); above 0, at most 1,000,000, in m
  PlaceAudit& length_unit(double value) { return set("length-unit", value), *this; }
  /// CSV edges, if not beside the nodes
  PlaceAudit& edges(std::string_view value) { return set("edges", value), *this; }
  /// longest road between vertices, none, or auto: 0.75 / epsilon (OSM: auto); in m
  PlaceAudit& spacing(std::string_view value) { return set("spacing", value), *this; }
  /// a prepared mechanism; `network`, if given too, is compared with its map
  PlaceAudit& kernel(std::string_view value) { return set("kernel", value), *this; }
  /// auto, gem, tight, optimal, plmg, plm, or a table in .npz or .csv (auto)
  PlaceAudit& mechanism(std::string_view value) { return set("mechanism", value), *this; }
  /// privacy parameter per metre, such as 0.01; no default; 0.00001 to 1,000, in 1/m
  PlaceAudit& epsilon(std::string_view value) { return set("epsilon", value), *this; }
  /// allowed outputs, one vertex a line; otherwise every vertex
  PlaceAudit& range(std::string_view value) { return set("range", value), *this; }
  /// how likely each vertex is, vertex,probability; PUBLIC; otherwise all alike
  PlaceAudit& prior(std::string_view value) { return set("prior", value), *this; }
  /// move each output to the best guess under the prior; costs no budget
  PlaceAudit& remap(bool value = true) { return set("remap", value), *this; }
  /// work out the expected error over every vertex, however long it takes
  PlaceAudit& exact_error(bool value = true) { return set("exact-error", value), *this; }
  /// neither take a mechanism from the cache nor keep it there
  PlaceAudit& no_cache(bool value = true) { return set("no-cache", value), *this; }
  /// releases drawn from each of three vertices (20000); 1,000 to 100,000,000
  PlaceAudit& samples(std::int64_t value) { return set("samples", value), *this; }
  /// roads times outputs to compare at most (200000000); beyond, rule and sample
  PlaceAudit& comparisons(std::int64_t value) { return set("comparisons", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  PlaceAudit& limits(std::string_view value) { return set("limits", value), *this; }
};

/// The outputs of GEM that serve a public prior best: fogline::Analysis with a function for each field.
class PlaceOptimise : public Analysis {
 public:
  PlaceOptimise() : Analysis("place", "optimise") {}

  /// OSM, DIMACS, CSV, or lattice:RxC:M, line:N:M, city:N, valley:N
  PlaceOptimise& network(std::string_view value) { return set("network", value), *this; }
  /// roads to keep from OSM; one of drivable, walkable, all
  PlaceOptimise& mode(std::string_view value) { return set("mode", value), *this; }
  /// keep every OSM point, not junctions only
  PlaceOptimise& shape_points(bool value = true) { return set("shape-points", value), *this; }
  /// keep parts not joined to the largest
  PlaceOptimise& all_components(bool value = true) { return set("all-components", value), *this; }
  /// DIMACS .co file, if not beside the .gr file
  PlaceOptimise& coordinates(std::string_view value) { return set("coordinates", value), *this; }
  /// metres per unit of a DIMACS length (0.1); above 0, at most 1,000,000, in m
  PlaceOptimise& length_unit(double value) { return set("length-unit", value), *this; }
  /// CSV edges, if not beside the nodes
  PlaceOptimise& edges(std::string_view value) { return set("edges", value), *this; }
  /// longest road between vertices, none, or auto: 0.75 / epsilon (OSM: auto); in m
  PlaceOptimise& spacing(std::string_view value) { return set("spacing", value), *this; }
  /// privacy parameter per metre, such as 0.01; no default; 0.00001 to 1,000, in 1/m
  PlaceOptimise& epsilon(std::string_view value) { return set("epsilon", value), *this; }
  /// how likely each vertex is, vertex,probability; PUBLIC; otherwise all alike
  PlaceOptimise& prior(std::string_view value) { return set("prior", value), *this; }
  /// limit on Q_loss; otherwise that of GEM with every vertex; 0 to 1,000,000,000, in m
  PlaceOptimise& most_q_loss(std::string_view value) { return set("most-q-loss", value), *this; }
  /// the vertices kept, one a line; - for standard output
  PlaceOptimise& output(std::string_view value) { return set("output", value), *this; }
  /// replace an existing file
  PlaceOptimise& overwrite(bool value = true) { return set("overwrite", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  PlaceOptimise& limits(std::string_view value) { return set("limits", value), *this; }
};

/// A mechanism that is built once, and written with its map: fogline::Analysis with a function for each field.
class PlacePrepare : public Analysis {
 public:
  PlacePrepare() : Analysis("place", "prepare") {}

  /// OSM, DIMACS, CSV, or lattice:RxC:M, line:N:M, city:N, valley:N
  PlacePrepare& network(std::string_view value) { return set("network", value), *this; }
  /// roads to keep from OSM; one of drivable, walkable, all
  PlacePrepare& mode(std::string_view value) { return set("mode", value), *this; }
  /// keep every OSM point, not junctions only
  PlacePrepare& shape_points(bool value = true) { return set("shape-points", value), *this; }
  /// keep parts not joined to the largest
  PlacePrepare& all_components(bool value = true) { return set("all-components", value), *this; }
  /// DIMACS .co file, if not beside the .gr file
  PlacePrepare& coordinates(std::string_view value) { return set("coordinates", value), *this; }
  /// metres per unit of a DIMACS length (0.1); above 0, at most 1,000,000, in m
  PlacePrepare& length_unit(double value) { return set("length-unit", value), *this; }
  /// CSV edges, if not beside the nodes
  PlacePrepare& edges(std::string_view value) { return set("edges", value), *this; }
  /// longest road between vertices, none, or auto: 0.75 / epsilon (OSM: auto); in m
  PlacePrepare& spacing(std::string_view value) { return set("spacing", value), *this; }
  /// auto, gem, tight, optimal, plmg, plm, or a table in .npz or .csv (auto)
  PlacePrepare& mechanism(std::string_view value) { return set("mechanism", value), *this; }
  /// privacy parameter per metre, such as 0.01; no default; 0.00001 to 1,000, in 1/m
  PlacePrepare& epsilon(std::string_view value) { return set("epsilon", value), *this; }
  /// allowed outputs, one vertex a line; otherwise every vertex
  PlacePrepare& range(std::string_view value) { return set("range", value), *this; }
  /// how likely each vertex is, vertex,probability; PUBLIC; otherwise all alike
  PlacePrepare& prior(std::string_view value) { return set("prior", value), *this; }
  /// move each output to the best guess under the prior; costs no budget
  PlacePrepare& remap(bool value = true) { return set("remap", value), *this; }
  /// work out the expected error over every vertex, however long it takes
  PlacePrepare& exact_error(bool value = true) { return set("exact-error", value), *this; }
  /// neither take a mechanism from the cache nor keep it there
  PlacePrepare& no_cache(bool value = true) { return set("no-cache", value), *this; }
  /// the prepared mechanism, such as city.kernel
  PlacePrepare& output(std::string_view value) { return set("output", value), *this; }
  /// replace an existing file
  PlacePrepare& overwrite(bool value = true) { return set("overwrite", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  PlacePrepare& limits(std::string_view value) { return set("limits", value), *this; }
};

/// The table of a mechanism, for other programs: fogline::Analysis with a function for each field.
class PlaceKernel : public Analysis {
 public:
  PlaceKernel() : Analysis("place", "kernel") {}

  /// a prepared mechanism
  PlaceKernel& kernel(std::string_view value) { return set("kernel", value), *this; }
  /// write its table: .npz for NumPy and SciPy, or .csv
  PlaceKernel& matrix(std::string_view value) { return set("matrix", value), *this; }
  /// every output of every vertex, not only those that stand out
  PlaceKernel& dense(bool value = true) { return set("dense", value), *this; }
  /// the exact integers that releases are drawn from, not probabilities
  PlaceKernel& weights(bool value = true) { return set("weights", value), *this; }
  /// replace the table if it is there
  PlaceKernel& overwrite(bool value = true) { return set("overwrite", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  PlaceKernel& limits(std::string_view value) { return set("limits", value), *this; }
};

}  // namespace fogline
