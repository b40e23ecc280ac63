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

/// A release of one route: fogline::Request with a function for each field.
///
///     fogline::PathRelease asked;
///     asked.network("net.csv").epsilon_edges("1").dataset("riders");
class PathRelease : public Request {
 public:
  PathRelease() : Request("path", "release") {}

  /// the private route, one vertex a line; - for standard input
  PathRelease& input_file(std::string_view value) { return set("input", value), *this; }
  /// the network: CSV of roads source,target, OSM and others
  PathRelease& network(std::string_view value) { return set("network", value), *this; }
  /// roads to keep from OSM; one of drivable, walkable, all
  PathRelease& mode(std::string_view value) { return set("mode", value), *this; }
  /// OSM: every point of a road is a vertex, not junctions only
  PathRelease& shape_points(bool value = true) { return set("shape-points", value), *this; }
  /// the paper's layered graph; promises nothing
  PathRelease& published(bool value = true) { return set("published", value), *this; }
  /// hides the steps of the route; with `two-sided`, per label; above 0, at most 40
  PathRelease& epsilon_edges(std::string_view value) { return set("epsilon-edges", value), *this; }
  /// hides a visit at an end of the route: stops are drawn, up to `visits`; above 0, at most 40
  PathRelease& epsilon_vertices(std::string_view value) { return set("epsilon-vertices", value), *this; }
  /// PUBLIC: no vertex is visited more often (1; 2 with `epsilon-vertices`); not `two-sided`; 1 to 8
  PathRelease& visits(std::int64_t value) { return set("visits", value), *this; }
  /// labels that may lie: differential privacy for each of them
  PathRelease& two_sided(bool value = true) { return set("two-sided", value), *this; }
  /// do not publish which end is the start
  PathRelease& no_direction(bool value = true) { return set("no-direction", value), *this; }
  /// with `two-sided`: publish it, with noise; above 0, at most 40
  PathRelease& epsilon_direction(std::string_view value) { return set("epsilon-direction", value), *this; }
  /// PUBLIC: the route visits every vertex
  PathRelease& every_vertex(bool value = true) { return set("every-vertex", value), *this; }
  /// protect persons: declared, for a route names nobody
  PathRelease& persons(std::string_view value) { return set("persons", value), *this; }
  /// promise for all routes of a person, at most K (declared: 1); 1 to 1,000,000
  PathRelease& per_person(std::int64_t value) { return set("per-person", value), *this; }
  /// PUBLIC: the route begins here
  PathRelease& from(std::string_view value) { return set("from", value), *this; }
  /// PUBLIC: the route ends here
  PathRelease& to(std::string_view value) { return set("to", value), *this; }
  /// only vertices v with |from v| + |v to| up to S |from to|; 1 to 100
  PathRelease& stretch(std::string_view value) { return set("stretch", value), *this; }
  /// only vertices in this PUBLIC box of degrees
  PathRelease& area(std::string_view value) { return set("area", value), *this; }
  /// whose budget is spent: your name for the private data ('default')
  PathRelease& dataset(std::string_view value) { return set("dataset", value), *this; }
  /// where the release goes; - for standard output
  PathRelease& output(std::string_view value) { return set("output", value), *this; }
  /// otherwise OUTPUT.statement.json; for - release.statement.json
  PathRelease& statement(std::string_view value) { return set("statement", value), *this; }
  /// replace existing files
  PathRelease& overwrite(bool value = true) { return set("overwrite", value), *this; }
  /// sign the statement with this secret key
  PathRelease& sign(std::string_view value) { return set("sign", value), *this; }
  /// for who may not see the records: pays for a refusal, and is not told why
  PathRelease& guarded(bool value = true) { return set("guarded", value), *this; }
  /// fixed noise, for tests and experiments: NOT PRIVATE, costs nothing
  PathRelease& seed(std::string_view value) { return set("seed", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  PathRelease& limits(std::string_view value) { return set("limits", value), *this; }
};

/// A plan of one route: fogline::Analysis with a function for each field.
class PathPlan : public Analysis {
 public:
  PathPlan() : Analysis("path", "plan") {}

  /// the paper's layered graph, which promises nothing to be planned
  PathPlan& published(bool value = true) { return set("published", value), *this; }
  /// hides the steps of the route; with `two-sided`, per label; above 0, at most 40
  PathPlan& epsilon_edges(std::string_view value) { return set("epsilon-edges", value), *this; }
  /// hides a visit at an end of the route: stops are drawn, up to `visits`; above 0, at most 40
  PathPlan& epsilon_vertices(std::string_view value) { return set("epsilon-vertices", value), *this; }
  /// PUBLIC: no vertex is visited more often (1; 2 with `epsilon-vertices`); not `two-sided`; 1 to 8
  PathPlan& visits(std::int64_t value) { return set("visits", value), *this; }
  /// labels that may lie: differential privacy for each of them
  PathPlan& two_sided(bool value = true) { return set("two-sided", value), *this; }
  /// do not publish which end is the start
  PathPlan& no_direction(bool value = true) { return set("no-direction", value), *this; }
  /// with `two-sided`: publish it, with noise; above 0, at most 40
  PathPlan& epsilon_direction(std::string_view value) { return set("epsilon-direction", value), *this; }
  /// PUBLIC: the route visits every vertex
  PathPlan& every_vertex(bool value = true) { return set("every-vertex", value), *this; }
  /// protect persons: declared, for a route names nobody
  PathPlan& persons(std::string_view value) { return set("persons", value), *this; }
  /// promise for all routes of a person, at most K (declared: 1); 1 to 1,000,000
  PathPlan& per_person(std::int64_t value) { return set("per-person", value), *this; }
  /// PUBLIC: the route begins here
  PathPlan& from(std::string_view value) { return set("from", value), *this; }
  /// PUBLIC: the route ends here
  PathPlan& to(std::string_view value) { return set("to", value), *this; }
  /// only vertices v with |from v| + |v to| up to S |from to|; 1 to 100
  PathPlan& stretch(std::string_view value) { return set("stretch", value), *this; }
  /// only vertices in this PUBLIC box of degrees
  PathPlan& area(std::string_view value) { return set("area", value), *this; }
  /// what would be published of it; `two-sided`: routes invented on it
  PathPlan& network(std::string_view value) { return set("network", value), *this; }
  /// roads to keep from OSM; one of drivable, walkable, all
  PathPlan& mode(std::string_view value) { return set("mode", value), *this; }
  /// OSM: every point of a road is a vertex, not junctions only
  PathPlan& shape_points(bool value = true) { return set("shape-points", value), *this; }
  /// or on random networks of so many vertices; 2 to 20,000
  PathPlan& vertices(std::int64_t value) { return set("vertices", value), *this; }
  /// and so many roads (1.5 times the vertices)
  PathPlan& roads(std::int64_t value) { return set("roads", value), *this; }
  /// routes that are invented (200); 2 to 1,000,000
  PathPlan& runs(std::int64_t value) { return set("runs", value), *this; }
  /// the ledger; otherwise the one in your data folder
  PathPlan& ledger(std::string_view value) { return set("ledger", value), *this; }
  /// whose budget is spent: your name for the private data ('default')
  PathPlan& dataset(std::string_view value) { return set("dataset", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  PathPlan& limits(std::string_view value) { return set("limits", value), *this; }
};

/// A measure of one route: fogline::Analysis with a function for each field.
class PathMeasure : public Analysis {
 public:
  PathMeasure() : Analysis("path", "measure") {}

  /// the private route, as it was given to release
  PathMeasure& route(std::string_view value) { return set("route", value), *this; }
  /// what was published of it
  PathMeasure& public_file(std::string_view value) { return set("public", value), *this; }
  /// all roads: CSV source,target, OSM, ...
  PathMeasure& network(std::string_view value) { return set("network", value), *this; }
  /// roads to keep from OSM; one of drivable, walkable, all
  PathMeasure& mode(std::string_view value) { return set("mode", value), *this; }
  /// OSM: every point of a road is a vertex, not junctions only
  PathMeasure& shape_points(bool value = true) { return set("shape-points", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  PathMeasure& limits(std::string_view value) { return set("limits", value), *this; }
};

/// An attack of one route: fogline::Analysis with a function for each field.
class PathAttack : public Analysis {
 public:
  PathAttack() : Analysis("path", "attack") {}

  /// the published route, .json or .json.gz
  PathAttack& public_file(std::string_view value) { return set("public", value), *this; }
  /// all roads: CSV source,target, OSM, ...
  PathAttack& network(std::string_view value) { return set("network", value), *this; }
  /// roads to keep from OSM; one of drivable, walkable, all
  PathAttack& mode(std::string_view value) { return set("mode", value), *this; }
  /// OSM: every point of a road is a vertex, not junctions only
  PathAttack& shape_points(bool value = true) { return set("shape-points", value), *this; }
  /// of the release, if it is not beside it
  PathAttack& statement(std::string_view value) { return set("statement", value), *this; }
  /// the pair that the readers lack (each step of the route in turn)
  PathAttack& missing(std::string_view value) { return set("missing", value), *this; }
  /// one label: belief in a step before, above 0 and below 1 (0.5)
  PathAttack& prior(double value) { return set("prior", value), *this; }
  /// every vertex: length of the walks above 18 vertices (by size); 10 to 1,000,000,000
  PathAttack& sweeps(std::int64_t value) { return set("sweeps", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  PathAttack& limits(std::string_view value) { return set("limits", value), *this; }
};

/// An audit of one route: fogline::Analysis with a function for each field.
class PathAudit : public Analysis {
 public:
  PathAudit() : Analysis("path", "audit") {}

  /// the network whose routes are tried: CSV source,target, OSM, ...
  PathAudit& network(std::string_view value) { return set("network", value), *this; }
  /// roads to keep from OSM; one of drivable, walkable, all
  PathAudit& mode(std::string_view value) { return set("mode", value), *this; }
  /// OSM: every point of a road is a vertex, not junctions only
  PathAudit& shape_points(bool value = true) { return set("shape-points", value), *this; }
  /// hides the steps of the route; with `two-sided`, per label; above 0, at most 40
  PathAudit& epsilon_edges(std::string_view value) { return set("epsilon-edges", value), *this; }
  /// hides a visit at an end of the route: stops are drawn, up to `visits`; above 0, at most 40
  PathAudit& epsilon_vertices(std::string_view value) { return set("epsilon-vertices", value), *this; }
  /// PUBLIC: no vertex is visited more often (1; 2 with `epsilon-vertices`); not `two-sided`; 1 to 8
  PathAudit& visits(std::int64_t value) { return set("visits", value), *this; }
  /// labels that may lie: differential privacy for each of them
  PathAudit& two_sided(bool value = true) { return set("two-sided", value), *this; }
  /// do not publish which end is the start
  PathAudit& no_direction(bool value = true) { return set("no-direction", value), *this; }
  /// with `two-sided`: publish it, with noise; above 0, at most 40
  PathAudit& epsilon_direction(std::string_view value) { return set("epsilon-direction", value), *this; }
  /// PUBLIC: the route visits every vertex
  PathAudit& every_vertex(bool value = true) { return set("every-vertex", value), *this; }
  /// protect persons: declared, for a route names nobody
  PathAudit& persons(std::string_view value) { return set("persons", value), *this; }
  /// promise for all routes of a person, at most K (declared: 1); 1 to 1,000,000
  PathAudit& per_person(std::int64_t value) { return set("per-person", value), *this; }
  /// PUBLIC: the route begins here
  PathAudit& from(std::string_view value) { return set("from", value), *this; }
  /// PUBLIC: the route ends here
  PathAudit& to(std::string_view value) { return set("to", value), *this; }
  /// only vertices v with |from v| + |v to| up to S |from to|; 1 to 100
  PathAudit& stretch(std::string_view value) { return set("stretch", value), *this; }
  /// only vertices in this PUBLIC box of degrees
  PathAudit& area(std::string_view value) { return set("area", value), *this; }
  /// of the fit and of the falsifier, each input (40000); 1,000 to 100,000,000
  PathAudit& samples(std::int64_t value) { return set("samples", value), *this; }
  /// of the network that are enumerated, at most (200); 1 to 1,000,000
  PathAudit& routes(std::int64_t value) { return set("routes", value), *this; }
  /// publications that are enumerated, at most (262144); 2 to 4,194,304
  PathAudit& outputs(std::int64_t value) { return set("outputs", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  PathAudit& limits(std::string_view value) { return set("limits", value), *this; }
};

/// A published route, read with the roads that one knows: fogline::Analysis with a function for each field.
class PathRecover : public Analysis {
 public:
  PathRecover() : Analysis("path", "recover") {}

  /// the published route, .json or .json.gz; - for standard input
  PathRecover& public_file(std::string_view value) { return set("public", value), *this; }
  /// the roads that you know: CSV source,target, OSM, ...
  PathRecover& network(std::string_view value) { return set("network", value), *this; }
  /// roads to keep from OSM; one of drivable, walkable, all
  PathRecover& mode(std::string_view value) { return set("mode", value), *this; }
  /// OSM: every point of a road is a vertex, not junctions only
  PathRecover& shape_points(bool value = true) { return set("shape-points", value), *this; }
  /// read the place of this vertex alone
  PathRecover& participant(std::string_view value) { return set("participant", value), *this; }
  /// of the search in a two-sided publication (20000); 1 to 1,000,000,000
  PathRecover& nodes(std::int64_t value) { return set("nodes", value), *this; }
  /// write the route here, one vertex a line, as it was released
  PathRecover& output(std::string_view value) { return set("output", value), *this; }
  /// replace an existing file
  PathRecover& overwrite(bool value = true) { return set("overwrite", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  PathRecover& limits(std::string_view value) { return set("limits", value), *this; }
};

/// A picture of a published route: fogline::Analysis with a function for each field.
class PathDraw : public Analysis {
 public:
  PathDraw() : Analysis("path", "draw") {}

  /// the published route, .json or .json.gz; - for standard input
  PathDraw& public_file(std::string_view value) { return set("public", value), *this; }
  /// a grid of all pairs, whatever the size
  PathDraw& pairs(bool value = true) { return set("pairs", value), *this; }
  /// the vertices, with the candidates as lines
  PathDraw& map(bool value = true) { return set("map", value), *this; }
  /// with `map`: the roads that you know, and where vertices lie
  PathDraw& network(std::string_view value) { return set("network", value), *this; }
  /// roads to keep from OSM; one of drivable, walkable, all
  PathDraw& mode(std::string_view value) { return set("mode", value), *this; }
  /// OSM: every point of a road is a vertex, not junctions only
  PathDraw& shape_points(bool value = true) { return set("shape-points", value), *this; }
  /// with `map` and `network`: the route, as recovered
  PathDraw& route(bool value = true) { return set("route", value), *this; }
  /// above the picture
  PathDraw& title(std::string_view value) { return set("title", value), *this; }
  /// SVG file; - for standard output
  PathDraw& output(std::string_view value) { return set("output", value), *this; }
  /// replace an existing file
  PathDraw& overwrite(bool value = true) { return set("overwrite", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  PathDraw& limits(std::string_view value) { return set("limits", value), *this; }
};

}  // namespace fogline
