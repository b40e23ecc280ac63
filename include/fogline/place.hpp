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
  /// OSM, DIMACS or CSV file, or lattice:RxC:M, line:N:M, city:SEED
  PlaceRelease& network(std::string_view value) { return set("network", value), *this; }
  /// roads to keep from OSM; one of drivable, walkable, all
  PlaceRelease& mode(std::string_view value) { return set("mode", value), *this; }
  /// keep every OSM point, not junctions only
  PlaceRelease& shape_points(bool value = true) { return set("shape-points", value), *this; }
  /// keep parts not joined to the largest
  PlaceRelease& all_components(bool value = true) { return set("all-components", value), *this; }
  /// DIMACS .co file, if not beside the .gr file
  PlaceRelease& coordinates(std::string_view value) { return set("coordinates", value), *this; }
  /// metres per unit of a DIMACS length (0.1); above 0, at most 1,000,000
  PlaceRelease& length_unit(double value) { return set("length-unit", value), *this; }
  /// CSV edges, if not beside the nodes
  PlaceRelease& edges(std::string_view value) { return set("edges", value), *this; }
  /// how positions are moved, else auto; one of auto, gem, tight, optimal, plmg, plm
  PlaceRelease& mechanism(std::string_view value) { return set("mechanism", value), *this; }
  /// privacy parameter per metre, such as 0.01; no default; 0.00001 to 1,000
  PlaceRelease& epsilon(std::string_view value) { return set("epsilon", value), *this; }
  /// allowed outputs, one vertex a line; otherwise every vertex
  PlaceRelease& range(std::string_view value) { return set("range", value), *this; }
  /// how likely each vertex is, vertex,probability; PUBLIC; otherwise all alike
  PlaceRelease& prior(std::string_view value) { return set("prior", value), *this; }
  /// move each output to the best guess under the prior; costs no budget
  PlaceRelease& remap(bool value = true) { return set("remap", value), *this; }
  /// farther from the network is too far (500); above 0, at most 10,000,000
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

  /// OSM, DIMACS or CSV file, or lattice:RxC:M, line:N:M, city:SEED
  PlacePlan& network(std::string_view value) { return set("network", value), *this; }
  /// roads to keep from OSM; one of drivable, walkable, all
  PlacePlan& mode(std::string_view value) { return set("mode", value), *this; }
  /// keep every OSM point, not junctions only
  PlacePlan& shape_points(bool value = true) { return set("shape-points", value), *this; }
  /// keep parts not joined to the largest
  PlacePlan& all_components(bool value = true) { return set("all-components", value), *this; }
  /// DIMACS .co file, if not beside the .gr file
  PlacePlan& coordinates(std::string_view value) { return set("coordinates", value), *this; }
  /// metres per unit of a DIMACS length (0.1); above 0, at most 1,000,000
  PlacePlan& length_unit(double value) { return set("length-unit", value), *this; }
  /// CSV edges, if not beside the nodes
  PlacePlan& edges(std::string_view value) { return set("edges", value), *this; }
  /// how positions are moved, else auto; one of auto, gem, tight, optimal, plmg, plm
  PlacePlan& mechanism(std::string_view value) { return set("mechanism", value), *this; }
  /// privacy parameter per metre, such as 0.01; no default; 0.00001 to 1,000
  PlacePlan& epsilon(std::string_view value) { return set("epsilon", value), *this; }
  /// allowed outputs, one vertex a line; otherwise every vertex
  PlacePlan& range(std::string_view value) { return set("range", value), *this; }
  /// how likely each vertex is, vertex,probability; PUBLIC; otherwise all alike
  PlacePlan& prior(std::string_view value) { return set("prior", value), *this; }
  /// move each output to the best guess under the prior; costs no budget
  PlacePlan& remap(bool value = true) { return set("remap", value), *this; }
  /// farther from the network is too far (500); above 0, at most 10,000,000
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

  /// OSM, DIMACS or CSV file, or lattice:RxC:M, line:N:M, city:SEED
  PlaceMeasure& network(std::string_view value) { return set("network", value), *this; }
  /// roads to keep from OSM; one of drivable, walkable, all
  PlaceMeasure& mode(std::string_view value) { return set("mode", value), *this; }
  /// keep every OSM point, not junctions only
  PlaceMeasure& shape_points(bool value = true) { return set("shape-points", value), *this; }
  /// keep parts not joined to the largest
  PlaceMeasure& all_components(bool value = true) { return set("all-components", value), *this; }
  /// DIMACS .co file, if not beside the .gr file
  PlaceMeasure& coordinates(std::string_view value) { return set("coordinates", value), *this; }
  /// metres per unit of a DIMACS length (0.1); above 0, at most 1,000,000
  PlaceMeasure& length_unit(double value) { return set("length-unit", value), *this; }
  /// CSV edges, if not beside the nodes
  PlaceMeasure& edges(std::string_view value) { return set("edges", value), *this; }
  /// how positions are moved, else auto; one of auto, gem, tight, optimal, plmg, plm
  PlaceMeasure& mechanism(std::string_view value) { return set("mechanism", value), *this; }
  /// privacy parameter per metre, such as 0.01; no default; 0.00001 to 1,000
  PlaceMeasure& epsilon(std::string_view value) { return set("epsilon", value), *this; }
  /// allowed outputs, one vertex a line; otherwise every vertex
  PlaceMeasure& range(std::string_view value) { return set("range", value), *this; }
  /// how likely each vertex is, vertex,probability; PUBLIC; otherwise all alike
  PlaceMeasure& prior(std::string_view value) { return set("prior", value), *this; }
  /// move each output to the best guess under the prior; costs no budget
  PlaceMeasure& remap(bool value = true) { return set("remap", value), *this; }
  /// which distance the main JSON fields are in; one of road, euclidean
  PlaceMeasure& metric(std::string_view value) { return set("metric", value), *this; }
  /// private positions that were released, for the curator
  PlaceMeasure& truth(std::string_view value) { return set("truth", value), *this; }
  /// what they were released as
  PlaceMeasure& released(std::string_view value) { return set("released", value), *this; }
  /// as in the release (500)
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

  /// OSM, DIMACS or CSV file, or lattice:RxC:M, line:N:M, city:SEED
  PlaceAttack& network(std::string_view value) { return set("network", value), *this; }
  /// roads to keep from OSM; one of drivable, walkable, all
  PlaceAttack& mode(std::string_view value) { return set("mode", value), *this; }
  /// keep every OSM point, not junctions only
  PlaceAttack& shape_points(bool value = true) { return set("shape-points", value), *this; }
  /// keep parts not joined to the largest
  PlaceAttack& all_components(bool value = true) { return set("all-components", value), *this; }
  /// DIMACS .co file, if not beside the .gr file
  PlaceAttack& coordinates(std::string_view value) { return set("coordinates", value), *this; }
  /// metres per unit of a DIMACS length (0.1); above 0, at most 1,000,000
  PlaceAttack& length_unit(double value) { return set("length-unit", value), *this; }
  /// CSV edges, if not beside the nodes
  PlaceAttack& edges(std::string_view value) { return set("edges", value), *this; }
  /// how positions are moved, else auto; one of auto, gem, tight, optimal, plmg, plm
  PlaceAttack& mechanism(std::string_view value) { return set("mechanism", value), *this; }
  /// privacy parameter per metre, such as 0.01; no default; 0.00001 to 1,000
  PlaceAttack& epsilon(std::string_view value) { return set("epsilon", value), *this; }
  /// allowed outputs, one vertex a line; otherwise every vertex
  PlaceAttack& range(std::string_view value) { return set("range", value), *this; }
  /// how likely each vertex is, vertex,probability; PUBLIC; otherwise all alike
  PlaceAttack& prior(std::string_view value) { return set("prior", value), *this; }
  /// move each output to the best guess under the prior; costs no budget
  PlaceAttack& remap(bool value = true) { return set("remap", value), *this; }
  /// how guesses are measured; one of road, euclidean
  PlaceAttack& metric(std::string_view value) { return set("metric", value), *this; }
  /// what the informed attacker knows beforehand (200)
  PlaceAttack& informed_radius(double value) { return set("informed-radius", value), *this; }
  /// numbers of repeated reports (1,2,5,10,20,50)
  PlaceAttack& reports(std::string_view value) { return set("reports", value), *this; }
  /// people drawn for the repeated reports (1000)
  PlaceAttack& samples(std::int64_t value) { return set("samples", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  PlaceAttack& limits(std::string_view value) { return set("limits", value), *this; }
};

/// An audit of positions on a road network: fogline::Analysis with a function for each field.
class PlaceAudit : public Analysis {
 public:
  PlaceAudit() : Analysis("place", "audit") {}

  /// OSM, DIMACS or CSV file, or lattice:RxC:M, line:N:M, city:SEED
  PlaceAudit& network(std::string_view value) { return set("network", value), *this; }
  /// roads to keep from OSM; one of drivable, walkable, all
  PlaceAudit& mode(std::string_view value) { return set("mode", value), *this; }
  /// keep every OSM point, not junctions only
  PlaceAudit& shape_points(bool value = true) { return set("shape-points", value), *this; }
  /// keep parts not joined to the largest
  PlaceAudit& all_components(bool value = true) { return set("all-components", value), *this; }
  /// DIMACS .co file, if not beside the .gr file
  PlaceAudit& coordinates(std::string_view value) { return set("coordinates", value), *this; }
  /// metres per unit of a DIMACS length (0.1); above 0, at most 1,000,000
  PlaceAudit& length_unit(double value) { return set("length-unit", value), *this; }
  /// CSV edges, if not beside the nodes
  PlaceAudit& edges(std::string_view value) { return set("edges", value), *this; }
  /// how positions are moved, else auto; one of auto, gem, tight, optimal, plmg, plm
  PlaceAudit& mechanism(std::string_view value) { return set("mechanism", value), *this; }
  /// privacy parameter per metre, such as 0.01; no default; 0.00001 to 1,000
  PlaceAudit& epsilon(std::string_view value) { return set("epsilon", value), *this; }
  /// allowed outputs, one vertex a line; otherwise every vertex
  PlaceAudit& range(std::string_view value) { return set("range", value), *this; }
  /// how likely each vertex is, vertex,probability; PUBLIC; otherwise all alike
  PlaceAudit& prior(std::string_view value) { return set("prior", value), *this; }
  /// move each output to the best guess under the prior; costs no budget
  PlaceAudit& remap(bool value = true) { return set("remap", value), *this; }
  /// releases drawn from each of three vertices (20000); 1,000 to 100,000,000
  PlaceAudit& samples(std::int64_t value) { return set("samples", value), *this; }
  /// roads times outputs to compare at most (200000000); beyond, rule and sample
  PlaceAudit& comparisons(std::int64_t value) { return set("comparisons", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  PlaceAudit& limits(std::string_view value) { return set("limits", value), *this; }
};

}  // namespace fogline
