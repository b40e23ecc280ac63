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

/// A release of the edge weights of a graph: fogline::Request with a function for each field.
///
///     fogline::WeightsRelease asked;
///     asked.range("0:10").epsilon("1").dataset("riders");
class WeightsRelease : public Request {
 public:
  WeightsRelease() : Request("weights", "release") {}

  /// edges with private weights: CSV, edge list or TNTP; - for standard input
  WeightsRelease& input_file(std::string_view value) { return set("input", value), *this; }
  /// the best if not given; one of blocks, geometric, staircase, lap, mb, lap-ci, mb-ci
  WeightsRelease& mechanism(std::string_view value) { return set("mechanism", value), *this; }
  /// allow a form of the paper that promises nothing: lap, mb, lap-ci, mb-ci
  WeightsRelease& published(bool value = true) { return set("published", value), *this; }
  /// privacy parameter for one unit of protection; above 0, at most 1,000
  WeightsRelease& epsilon(std::string_view value) { return set("epsilon", value), *this; }
  /// what is protected; edge if not given; one of edge, change, trip
  WeightsRelease& unit(std::string_view value) { return set("unit", value), *this; }
  /// largest change of an edge (1); number of edges of a trip (no default)
  WeightsRelease& most(std::string_view value) { return set("most", value), *this; }
  /// PUBLIC range of the weights; LOW: without an end for change and trip
  WeightsRelease& range(std::string_view value) { return set("range", value), *this; }
  /// what becomes of weights outside; one of refuse, clamp
  WeightsRelease& out_of_range(std::string_view value) { return set("out-of-range", value), *this; }
  /// PUBLIC grid of the weights (1)
  WeightsRelease& step(std::string_view value) { return set("step", value), *this; }
  /// protect persons: declared, for weights name nobody
  WeightsRelease& persons(std::string_view value) { return set("persons", value), *this; }
  /// promise for all such units of a person, at most K (declared: 1); 1 to 1,000,000
  WeightsRelease& per_person(std::int64_t value) { return set("per-person", value), *this; }
  /// round weights between grid points; the manual tells its cost
  WeightsRelease& round(bool value = true) { return set("round", value), *this; }
  /// never release a weight of 0
  WeightsRelease& positive(bool value = true) { return set("positive", value), *this; }
  /// for blocks: flat, noisy, or a PUBLIC file weight,probability
  WeightsRelease& prior(std::string_view value) { return set("prior", value), *this; }
  /// part of epsilon that a noisy prior gets (1/20); above 0, at most 1
  WeightsRelease& prior_share(std::string_view value) { return set("prior-share", value), *this; }
  /// mb, mb-ci: groups of equal size it takes to merge (1); 1 to 1,000,000
  WeightsRelease& k(std::int64_t value) { return set("k", value), *this; }
  /// made of the drawn numbers; the manual tells more; one of plain, median, mean
  WeightsRelease& estimate(std::string_view value) { return set("estimate", value), *this; }
  /// for estimates: degrees, none, or a PUBLIC file of groups (degrees)
  WeightsRelease& groups(std::string_view value) { return set("groups", value), *this; }
  /// PUBLIC order that weights follow: ranks, pairs of edges, or a .tntp
  WeightsRelease& order(std::string_view value) { return set("order", value), *this; }
  /// a,b and b,a are two edges (TNTP: always)
  WeightsRelease& directed(bool value = true) { return set("directed", value), *this; }
  /// whose budget is spent: your name for the private data ('default')
  WeightsRelease& dataset(std::string_view value) { return set("dataset", value), *this; }
  /// where the release goes; - for standard output
  WeightsRelease& output(std::string_view value) { return set("output", value), *this; }
  /// otherwise OUTPUT.statement.json; for - release.statement.json
  WeightsRelease& statement(std::string_view value) { return set("statement", value), *this; }
  /// replace existing files
  WeightsRelease& overwrite(bool value = true) { return set("overwrite", value), *this; }
  /// sign the statement with this secret key
  WeightsRelease& sign(std::string_view value) { return set("sign", value), *this; }
  /// for who may not see the records: pays for a refusal, and is not told why
  WeightsRelease& guarded(bool value = true) { return set("guarded", value), *this; }
  /// charge even for what is no better than a guess that costs nothing
  WeightsRelease& anyway(bool value = true) { return set("anyway", value), *this; }
  /// of the input, whatever its suffix; one of csv, edges, tntp
  WeightsRelease& format(std::string_view value) { return set("format", value), *this; }
  /// which columns are what, such as trip=ride,time=none
  WeightsRelease& columns(std::string_view value) { return set("columns", value), *this; }
  /// fixed noise, for tests and experiments: NOT PRIVATE, costs nothing
  WeightsRelease& seed(std::string_view value) { return set("seed", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  WeightsRelease& limits(std::string_view value) { return set("limits", value), *this; }
};

/// A release of distances: fogline::Request with a function for each field.
class WeightsDistances : public Request {
 public:
  WeightsDistances() : Request("weights", "distances") {}

  /// private weights: CSV source,target,weight, edge list or TNTP
  WeightsDistances& input_file(std::string_view value) { return set("input", value), *this; }
  /// how distances are released (auto); one of auto, edges, noise, tree, separators
  WeightsDistances& method(std::string_view value) { return set("method", value), *this; }
  /// privacy parameter for one unit of protection; above 0, at most 1,000
  WeightsDistances& epsilon(std::string_view value) { return set("epsilon", value), *this; }
  /// what is protected: change (of an edge, by `most`; the default), edge (its whole weight), trip; one of edge, change, trip
  WeightsDistances& unit(std::string_view value) { return set("unit", value), *this; }
  /// largest change of an edge (1); number of edges of a trip (no default)
  WeightsDistances& most(std::string_view value) { return set("most", value), *this; }
  /// PUBLIC range of the weights (0: without an end); a narrower one, such as 1:, helps
  WeightsDistances& range(std::string_view value) { return set("range", value), *this; }
  /// what becomes of weights outside; one of refuse, clamp
  WeightsDistances& out_of_range(std::string_view value) { return set("out-of-range", value), *this; }
  /// PUBLIC grid of the weights (1)
  WeightsDistances& step(std::string_view value) { return set("step", value), *this; }
  /// protect persons: declared, for weights name nobody
  WeightsDistances& persons(std::string_view value) { return set("persons", value), *this; }
  /// promise for all such units of a person, at most K (declared: 1); 1 to 1,000,000
  WeightsDistances& per_person(std::int64_t value) { return set("per-person", value), *this; }
  /// round weights between grid points, instead of refusing them
  WeightsDistances& round(bool value = true) { return set("round", value), *this; }
  /// edges lead one way only (TNTP: always)
  WeightsDistances& directed(bool value = true) { return set("directed", value), *this; }
  /// which columns are what, such as trip=ride,time=none
  WeightsDistances& columns(std::string_view value) { return set("columns", value), *this; }
  /// only from this vertex; may be given several times
  WeightsDistances& from(const std::vector<std::string>& values) { return set("from", values), *this; }
  /// only these pairs: a PUBLIC CSV file source,target
  WeightsDistances& pairs(std::string_view value) { return set("pairs", value), *this; }
  /// whose budget is spent: your name for the private data ('default')
  WeightsDistances& dataset(std::string_view value) { return set("dataset", value), *this; }
  /// where the release goes; - for standard output
  WeightsDistances& output(std::string_view value) { return set("output", value), *this; }
  /// otherwise OUTPUT.statement.json; for - release.statement.json
  WeightsDistances& statement(std::string_view value) { return set("statement", value), *this; }
  /// replace existing files
  WeightsDistances& overwrite(bool value = true) { return set("overwrite", value), *this; }
  /// sign the statement with this secret key
  WeightsDistances& sign(std::string_view value) { return set("sign", value), *this; }
  /// for who may not see the records: pays for a refusal, and is not told why
  WeightsDistances& guarded(bool value = true) { return set("guarded", value), *this; }
  /// fixed noise, for tests and experiments: NOT PRIVATE, costs nothing
  WeightsDistances& seed(std::string_view value) { return set("seed", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  WeightsDistances& limits(std::string_view value) { return set("limits", value), *this; }
};

/// A plan of the edge weights of a graph: fogline::Analysis with a function for each field.
class WeightsPlan : public Analysis {
 public:
  WeightsPlan() : Analysis("weights", "plan") {}

  /// the best if not given; one of blocks, geometric, staircase, lap, mb, lap-ci, mb-ci
  WeightsPlan& mechanism(std::string_view value) { return set("mechanism", value), *this; }
  /// allow a form of the paper that promises nothing: lap, mb, lap-ci, mb-ci
  WeightsPlan& published(bool value = true) { return set("published", value), *this; }
  /// privacy parameter for one unit of protection; above 0, at most 1,000
  WeightsPlan& epsilon(std::string_view value) { return set("epsilon", value), *this; }
  /// what is protected; edge if not given; one of edge, change, trip
  WeightsPlan& unit(std::string_view value) { return set("unit", value), *this; }
  /// largest change of an edge (1); number of edges of a trip (no default)
  WeightsPlan& most(std::string_view value) { return set("most", value), *this; }
  /// PUBLIC range of the weights; LOW: without an end for change and trip
  WeightsPlan& range(std::string_view value) { return set("range", value), *this; }
  /// what becomes of weights outside; one of refuse, clamp
  WeightsPlan& out_of_range(std::string_view value) { return set("out-of-range", value), *this; }
  /// PUBLIC grid of the weights (1)
  WeightsPlan& step(std::string_view value) { return set("step", value), *this; }
  /// protect persons: declared, for weights name nobody
  WeightsPlan& persons(std::string_view value) { return set("persons", value), *this; }
  /// promise for all such units of a person, at most K (declared: 1); 1 to 1,000,000
  WeightsPlan& per_person(std::int64_t value) { return set("per-person", value), *this; }
  /// round weights between grid points; the manual tells its cost
  WeightsPlan& round(bool value = true) { return set("round", value), *this; }
  /// never release a weight of 0
  WeightsPlan& positive(bool value = true) { return set("positive", value), *this; }
  /// for blocks: flat, noisy, or a PUBLIC file weight,probability
  WeightsPlan& prior(std::string_view value) { return set("prior", value), *this; }
  /// part of epsilon that a noisy prior gets (1/20); above 0, at most 1
  WeightsPlan& prior_share(std::string_view value) { return set("prior-share", value), *this; }
  /// mb, mb-ci: groups of equal size it takes to merge (1); 1 to 1,000,000
  WeightsPlan& k(std::int64_t value) { return set("k", value), *this; }
  /// made of the drawn numbers; the manual tells more; one of plain, median, mean
  WeightsPlan& estimate(std::string_view value) { return set("estimate", value), *this; }
  /// for estimates: degrees, none, or a PUBLIC file of groups (degrees)
  WeightsPlan& groups(std::string_view value) { return set("groups", value), *this; }
  /// PUBLIC order that weights follow: ranks, pairs of edges, or a .tntp
  WeightsPlan& order(std::string_view value) { return set("order", value), *this; }
  /// a,b and b,a are two edges (TNTP: always)
  WeightsPlan& directed(bool value = true) { return set("directed", value), *this; }
  /// the ledger; otherwise the one in your data folder
  WeightsPlan& ledger(std::string_view value) { return set("ledger", value), *this; }
  /// whose budget is spent: your name for the private data ('default')
  WeightsPlan& dataset(std::string_view value) { return set("dataset", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  WeightsPlan& limits(std::string_view value) { return set("limits", value), *this; }
};

/// A measure of the edge weights of a graph: fogline::Analysis with a function for each field.
class WeightsMeasure : public Analysis {
 public:
  WeightsMeasure() : Analysis("weights", "measure") {}

  /// the private graph: CSV source,target,weight, edge list, TNTP
  WeightsMeasure& graph(std::string_view value) { return set("graph", value), *this; }
  /// what was released of it
  WeightsMeasure& released(std::string_view value) { return set("released", value), *this; }
  /// edges lead one way
  WeightsMeasure& directed(bool value = true) { return set("directed", value), *this; }
  /// count paths from N vertices chosen evenly; without it, from all
  WeightsMeasure& sources(std::int64_t value) { return set("sources", value), *this; }
  /// of that choice (1)
  WeightsMeasure& seed(std::int64_t value) { return set("seed", value), *this; }
  /// which columns are what, such as trip=ride,time=none
  WeightsMeasure& columns(std::string_view value) { return set("columns", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  WeightsMeasure& limits(std::string_view value) { return set("limits", value), *this; }
};

/// An attack of the edge weights of a graph: fogline::Analysis with a function for each field.
class WeightsAttack : public Analysis {
 public:
  WeightsAttack() : Analysis("weights", "attack") {}

  /// the best if not given; one of blocks, geometric, staircase, lap, mb, lap-ci, mb-ci
  WeightsAttack& mechanism(std::string_view value) { return set("mechanism", value), *this; }
  /// allow a form of the paper that promises nothing: lap, mb, lap-ci, mb-ci
  WeightsAttack& published(bool value = true) { return set("published", value), *this; }
  /// privacy parameter for one unit of protection; above 0, at most 1,000
  WeightsAttack& epsilon(std::string_view value) { return set("epsilon", value), *this; }
  /// what is protected; edge if not given; one of edge, change, trip
  WeightsAttack& unit(std::string_view value) { return set("unit", value), *this; }
  /// largest change of an edge (1); number of edges of a trip (no default)
  WeightsAttack& most(std::string_view value) { return set("most", value), *this; }
  /// PUBLIC range of the weights; LOW: without an end for change and trip
  WeightsAttack& range(std::string_view value) { return set("range", value), *this; }
  /// what becomes of weights outside; one of refuse, clamp
  WeightsAttack& out_of_range(std::string_view value) { return set("out-of-range", value), *this; }
  /// PUBLIC grid of the weights (1)
  WeightsAttack& step(std::string_view value) { return set("step", value), *this; }
  /// protect persons: declared, for weights name nobody
  WeightsAttack& persons(std::string_view value) { return set("persons", value), *this; }
  /// promise for all such units of a person, at most K (declared: 1); 1 to 1,000,000
  WeightsAttack& per_person(std::int64_t value) { return set("per-person", value), *this; }
  /// round weights between grid points; the manual tells its cost
  WeightsAttack& round(bool value = true) { return set("round", value), *this; }
  /// never release a weight of 0
  WeightsAttack& positive(bool value = true) { return set("positive", value), *this; }
  /// for blocks: flat, noisy, or a PUBLIC file weight,probability
  WeightsAttack& prior(std::string_view value) { return set("prior", value), *this; }
  /// part of epsilon that a noisy prior gets (1/20); above 0, at most 1
  WeightsAttack& prior_share(std::string_view value) { return set("prior-share", value), *this; }
  /// mb, mb-ci: groups of equal size it takes to merge (1); 1 to 1,000,000
  WeightsAttack& k(std::int64_t value) { return set("k", value), *this; }
  /// weights an edge can have, evenly over the range (20); 2 to 1,000
  WeightsAttack& levels(std::int64_t value) { return set("levels", value), *this; }
  /// releases drawn (400); 1 to 1,000,000
  WeightsAttack& releases(std::int64_t value) { return set("releases", value), *this; }
  /// another draw for another number (1)
  WeightsAttack& seed(std::int64_t value) { return set("seed", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  WeightsAttack& limits(std::string_view value) { return set("limits", value), *this; }
};

/// An audit of the edge weights of a graph: fogline::Analysis with a function for each field.
class WeightsAudit : public Analysis {
 public:
  WeightsAudit() : Analysis("weights", "audit") {}

  /// the best if not given; one of blocks, geometric, staircase, lap, mb, lap-ci, mb-ci
  WeightsAudit& mechanism(std::string_view value) { return set("mechanism", value), *this; }
  /// allow a form of the paper that promises nothing: lap, mb, lap-ci, mb-ci
  WeightsAudit& published(bool value = true) { return set("published", value), *this; }
  /// privacy parameter for one unit of protection; above 0, at most 1,000
  WeightsAudit& epsilon(std::string_view value) { return set("epsilon", value), *this; }
  /// what is protected; edge if not given; one of edge, change, trip
  WeightsAudit& unit(std::string_view value) { return set("unit", value), *this; }
  /// largest change of an edge (1); number of edges of a trip (no default)
  WeightsAudit& most(std::string_view value) { return set("most", value), *this; }
  /// PUBLIC range of the weights; LOW: without an end for change and trip
  WeightsAudit& range(std::string_view value) { return set("range", value), *this; }
  /// what becomes of weights outside; one of refuse, clamp
  WeightsAudit& out_of_range(std::string_view value) { return set("out-of-range", value), *this; }
  /// PUBLIC grid of the weights (1)
  WeightsAudit& step(std::string_view value) { return set("step", value), *this; }
  /// protect persons: declared, for weights name nobody
  WeightsAudit& persons(std::string_view value) { return set("persons", value), *this; }
  /// promise for all such units of a person, at most K (declared: 1); 1 to 1,000,000
  WeightsAudit& per_person(std::int64_t value) { return set("per-person", value), *this; }
  /// round weights between grid points; the manual tells its cost
  WeightsAudit& round(bool value = true) { return set("round", value), *this; }
  /// never release a weight of 0
  WeightsAudit& positive(bool value = true) { return set("positive", value), *this; }
  /// for blocks: flat, noisy, or a PUBLIC file weight,probability
  WeightsAudit& prior(std::string_view value) { return set("prior", value), *this; }
  /// part of epsilon that a noisy prior gets (1/20); above 0, at most 1
  WeightsAudit& prior_share(std::string_view value) { return set("prior-share", value), *this; }
  /// mb, mb-ci: groups of equal size it takes to merge (1); 1 to 1,000,000
  WeightsAudit& k(std::int64_t value) { return set("k", value), *this; }
  /// draws of each quarter of the range (100000); published: of each graph (200000); 1,000 to 100,000,000
  WeightsAudit& samples(std::int64_t value) { return set("samples", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  WeightsAudit& limits(std::string_view value) { return set("limits", value), *this; }
};

}  // namespace fogline
