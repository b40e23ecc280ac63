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

/// A release of sequences of states: fogline::Request with a function for each field.
///
///     fogline::StreamRelease asked;
///     asked.model("house.csv").policy("complete").epsilon("1").dataset("riders");
class StreamRelease : public Request {
 public:
  StreamRelease() : Request("stream", "release") {}

  /// private: CSV state or lon,lat, and sequence; - for standard input
  StreamRelease& input_file(std::string_view value) { return set("input", value), *this; }
  /// PUBLIC model: .json of stream learn, or CSV of transitions
  StreamRelease& model(std::string_view value) { return set("model", value), *this; }
  /// PUBLIC measurement of each state: CSV state and 1 to 8 columns
  StreamRelease& query(std::string_view value) { return set("query", value), *this; }
  /// PUBLIC first state: CSV state,probability; or uniform, or stationary
  StreamRelease& initial(std::string_view value) { return set("initial", value), *this; }
  /// complete, util:D, transition, category:FILE, file:FILE, A+B
  StreamRelease& policy(std::string_view value) { return set("policy", value), *this; }
  /// privacy parameter for each step; above 0, at most 1,000
  StreamRelease& epsilon(std::string_view value) { return set("epsilon", value), *this; }
  /// how a step is drawn; one of auto, optimal, grouped, k-norm, laplace
  StreamRelease& mechanism(std::string_view value) { return set("mechanism", value), *this; }
  /// exposed states: none, nearest, least-area (default), a PUBLIC file
  StreamRelease& repair(std::string_view value) { return set("repair", value), *this; }
  /// leave out states that together hold this probability (0); from 0, below 1
  StreamRelease& delta(std::string_view value) { return set("delta", value), *this; }
  /// PUBLIC rounding of measurements (1 m for places)
  StreamRelease& lattice_step(std::string_view value) { return set("lattice-step", value), *this; }
  /// auto: tables up to so many possible states, k-norm above (100); 2 to 100,000
  StreamRelease& table_states(std::int64_t value) { return set("table-states", value), *this; }
  /// auto, grouped: so many groups of states (as many as take milliseconds); 2 to 1,000
  StreamRelease& groups(std::int64_t value) { return set("groups", value), *this; }
  /// made of the draws; estimate if not given; one of estimate, smoothed, raw
  StreamRelease& answer(std::string_view value) { return set("answer", value), *this; }
  /// what is charged for without `persons`; step if not given; one of step, sequence
  StreamRelease& protect(std::string_view value) { return set("protect", value), *this; }
  /// PUBLIC: of a sequence at most, for whole sequences; costs N times
  StreamRelease& steps(std::int64_t value) { return set("steps", value), *this; }
  /// protect persons, told apart by a column, a FILE of names, or not: declared
  StreamRelease& persons(std::string_view value) { return set("persons", value), *this; }
  /// promise for all sequences of a person, at most K (declared: 1); 1 to 1,000,000
  StreamRelease& per_person(std::int64_t value) { return set("per-person", value), *this; }
  /// what becomes of sequences and steps beyond; one of refuse, leave-out
  StreamRelease& too_many(std::string_view value) { return set("too-many", value), *this; }
  /// promise for all of a person's sequences, or one state of each; old: `persons` column `per-person` K; 1 to 1,000,000
  StreamRelease& sequences_per_person(std::int64_t value) {
    return set("sequences-per-person", value), *this;
  }
  /// go on from a public state that was saved
  StreamRelease& resume(std::string_view value) { return set("resume", value), *this; }
  /// which columns are what, such as trip=ride,time=none
  StreamRelease& columns(std::string_view value) { return set("columns", value), *this; }
  /// of dates such as 04/05/2020, refused otherwise; one of day-first, month-first
  StreamRelease& time_format(std::string_view value) { return set("time-format", value), *this; }
  /// put in order of time what is not, instead of refusing it
  StreamRelease& sort(bool value = true) { return set("sort", value), *this; }
  /// whose budget is spent: your name for the private data ('default')
  StreamRelease& dataset(std::string_view value) { return set("dataset", value), *this; }
  /// where the release goes; - for standard output
  StreamRelease& output(std::string_view value) { return set("output", value), *this; }
  /// otherwise OUTPUT.statement.json; for - release.statement.json
  StreamRelease& statement(std::string_view value) { return set("statement", value), *this; }
  /// replace existing files
  StreamRelease& overwrite(bool value = true) { return set("overwrite", value), *this; }
  /// sign the statement with this secret key
  StreamRelease& sign(std::string_view value) { return set("sign", value), *this; }
  /// for who may not see the records: pays for a refusal, and is not told why
  StreamRelease& guarded(bool value = true) { return set("guarded", value), *this; }
  /// keep the public state, to go on from it
  StreamRelease& save(std::string_view value) { return set("save", value), *this; }
  /// charge even for what is no better than a guess that costs nothing
  StreamRelease& anyway(bool value = true) { return set("anyway", value), *this; }
  /// fixed noise, for tests and experiments: NOT PRIVATE, costs nothing
  StreamRelease& seed(std::string_view value) { return set("seed", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  StreamRelease& limits(std::string_view value) { return set("limits", value), *this; }
};

/// A plan of sequences of states: fogline::Analysis with a function for each field.
class StreamPlan : public Analysis {
 public:
  StreamPlan() : Analysis("stream", "plan") {}

  /// PUBLIC model: .json of stream learn, or CSV of transitions
  StreamPlan& model(std::string_view value) { return set("model", value), *this; }
  /// PUBLIC measurement of each state: CSV state and 1 to 8 columns
  StreamPlan& query(std::string_view value) { return set("query", value), *this; }
  /// PUBLIC first state: CSV state,probability; or uniform, or stationary
  StreamPlan& initial(std::string_view value) { return set("initial", value), *this; }
  /// complete, util:D, transition, category:FILE, file:FILE, A+B
  StreamPlan& policy(std::string_view value) { return set("policy", value), *this; }
  /// privacy parameter for each step; above 0, at most 1,000
  StreamPlan& epsilon(std::string_view value) { return set("epsilon", value), *this; }
  /// how a step is drawn; one of auto, optimal, grouped, k-norm, laplace
  StreamPlan& mechanism(std::string_view value) { return set("mechanism", value), *this; }
  /// exposed states: none, nearest, least-area (default), a PUBLIC file
  StreamPlan& repair(std::string_view value) { return set("repair", value), *this; }
  /// leave out states that together hold this probability (0); from 0, below 1
  StreamPlan& delta(std::string_view value) { return set("delta", value), *this; }
  /// PUBLIC rounding of measurements (1 m for places)
  StreamPlan& lattice_step(std::string_view value) { return set("lattice-step", value), *this; }
  /// auto: tables up to so many possible states, k-norm above (100); 2 to 100,000
  StreamPlan& table_states(std::int64_t value) { return set("table-states", value), *this; }
  /// auto, grouped: so many groups of states (as many as take milliseconds); 2 to 1,000
  StreamPlan& groups(std::int64_t value) { return set("groups", value), *this; }
  /// made of the draws; estimate if not given; one of estimate, smoothed, raw
  StreamPlan& answer(std::string_view value) { return set("answer", value), *this; }
  /// what is charged for without `persons`; step if not given; one of step, sequence
  StreamPlan& protect(std::string_view value) { return set("protect", value), *this; }
  /// PUBLIC: of a sequence at most, for whole sequences; costs N times
  StreamPlan& steps(std::int64_t value) { return set("steps", value), *this; }
  /// protect persons, told apart by a column, a FILE of names, or not: declared
  StreamPlan& persons(std::string_view value) { return set("persons", value), *this; }
  /// promise for all sequences of a person, at most K (declared: 1); 1 to 1,000,000
  StreamPlan& per_person(std::int64_t value) { return set("per-person", value), *this; }
  /// what becomes of sequences and steps beyond; one of refuse, leave-out
  StreamPlan& too_many(std::string_view value) { return set("too-many", value), *this; }
  /// promise for all of a person's sequences, or one state of each; old: `persons` column `per-person` K; 1 to 1,000,000
  StreamPlan& sequences_per_person(std::int64_t value) { return set("sequences-per-person", value), *this; }
  /// go on from a public state that was saved
  StreamPlan& resume(std::string_view value) { return set("resume", value), *this; }
  /// of the model (4); 1 to 10,000
  StreamPlan& walks(std::int64_t value) { return set("walks", value), *this; }
  /// of each walk (25); 1 to 100,000
  StreamPlan& walk_steps(std::int64_t value) { return set("walk-steps", value), *this; }
  /// the ledger; otherwise the one in your data folder
  StreamPlan& ledger(std::string_view value) { return set("ledger", value), *this; }
  /// whose budget is spent: your name for the private data ('default')
  StreamPlan& dataset(std::string_view value) { return set("dataset", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  StreamPlan& limits(std::string_view value) { return set("limits", value), *this; }
};

/// A measure of sequences of states: fogline::Analysis with a function for each field.
class StreamMeasure : public Analysis {
 public:
  StreamMeasure() : Analysis("stream", "measure") {}

  /// the private states, as they were given to release
  StreamMeasure& states(std::string_view value) { return set("states", value), *this; }
  /// what was released of them
  StreamMeasure& released(std::string_view value) { return set("released", value), *this; }
  /// the model it was released with
  StreamMeasure& model(std::string_view value) { return set("model", value), *this; }
  /// its statement, if it is not beside it
  StreamMeasure& statement(std::string_view value) { return set("statement", value), *this; }
  /// where another file is that it names; may be repeated
  StreamMeasure& file(const std::vector<std::string>& values) { return set("file", values), *this; }
  /// which columns are what, such as trip=ride,time=none
  StreamMeasure& columns(std::string_view value) { return set("columns", value), *this; }
  /// of dates such as 04/05/2020, refused otherwise; one of day-first, month-first
  StreamMeasure& time_format(std::string_view value) { return set("time-format", value), *this; }
  /// put in order of time what is not, instead of refusing it
  StreamMeasure& sort(bool value = true) { return set("sort", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  StreamMeasure& limits(std::string_view value) { return set("limits", value), *this; }
};

/// An attack of sequences of states: fogline::Analysis with a function for each field.
class StreamAttack : public Analysis {
 public:
  StreamAttack() : Analysis("stream", "attack") {}

  /// what was released
  StreamAttack& released(std::string_view value) { return set("released", value), *this; }
  /// the model it was released with
  StreamAttack& model(std::string_view value) { return set("model", value), *this; }
  /// its statement, if it is not beside it
  StreamAttack& statement(std::string_view value) { return set("statement", value), *this; }
  /// where another file is that it names; may be repeated
  StreamAttack& file(const std::vector<std::string>& values) { return set("file", values), *this; }
  /// the private states, to see how right the attackers are
  StreamAttack& states(std::string_view value) { return set("states", value), *this; }
  /// which columns are what, such as trip=ride,time=none
  StreamAttack& columns(std::string_view value) { return set("columns", value), *this; }
  /// of dates such as 04/05/2020, refused otherwise; one of day-first, month-first
  StreamAttack& time_format(std::string_view value) { return set("time-format", value), *this; }
  /// put in order of time what is not, instead of refusing it
  StreamAttack& sort(bool value = true) { return set("sort", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  StreamAttack& limits(std::string_view value) { return set("limits", value), *this; }
};

/// An audit of sequences of states: fogline::Analysis with a function for each field.
class StreamAudit : public Analysis {
 public:
  StreamAudit() : Analysis("stream", "audit") {}

  /// PUBLIC model: .json of stream learn, or CSV of transitions
  StreamAudit& model(std::string_view value) { return set("model", value), *this; }
  /// PUBLIC measurement of each state: CSV state and 1 to 8 columns
  StreamAudit& query(std::string_view value) { return set("query", value), *this; }
  /// PUBLIC first state: CSV state,probability; or uniform, or stationary
  StreamAudit& initial(std::string_view value) { return set("initial", value), *this; }
  /// complete, util:D, transition, category:FILE, file:FILE, A+B
  StreamAudit& policy(std::string_view value) { return set("policy", value), *this; }
  /// privacy parameter for each step; above 0, at most 1,000
  StreamAudit& epsilon(std::string_view value) { return set("epsilon", value), *this; }
  /// how a step is drawn; one of auto, optimal, grouped, k-norm, laplace
  StreamAudit& mechanism(std::string_view value) { return set("mechanism", value), *this; }
  /// exposed states: none, nearest, least-area (default), a PUBLIC file
  StreamAudit& repair(std::string_view value) { return set("repair", value), *this; }
  /// leave out states that together hold this probability (0); from 0, below 1
  StreamAudit& delta(std::string_view value) { return set("delta", value), *this; }
  /// PUBLIC rounding of measurements (1 m for places)
  StreamAudit& lattice_step(std::string_view value) { return set("lattice-step", value), *this; }
  /// auto: tables up to so many possible states, k-norm above (100); 2 to 100,000
  StreamAudit& table_states(std::int64_t value) { return set("table-states", value), *this; }
  /// auto, grouped: so many groups of states (as many as take milliseconds); 2 to 1,000
  StreamAudit& groups(std::int64_t value) { return set("groups", value), *this; }
  /// of the model (2); 1 to 1,000
  StreamAudit& walks(std::int64_t value) { return set("walks", value), *this; }
  /// of each walk (10); 1 to 10,000
  StreamAudit& steps(std::int64_t value) { return set("steps", value), *this; }
  /// draws of each fit, and of each falsified state (20000); 1,000 to 100,000,000
  StreamAudit& samples(std::int64_t value) { return set("samples", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  StreamAudit& limits(std::string_view value) { return set("limits", value), *this; }
};

/// A model of how states follow each other, learned from public sequences: fogline::Analysis with a function for each field.
class StreamLearn : public Analysis {
 public:
  StreamLearn() : Analysis("stream", "learn") {}

  /// public positions, or CSV sequence,state
  StreamLearn& trips(std::string_view value) { return set("trips", value), *this; }
  /// square cells with this side; above 0, at most 10,000,000, in m
  StreamLearn& grid(double value) { return set("grid", value), *this; }
  /// vertices of a road network: file or specification
  StreamLearn& network(std::string_view value) { return set("network", value), *this; }
  /// use only what lies in this box of degrees
  StreamLearn& within(std::string_view value) { return set("within", value), *this; }
  /// of a CSV file without one: user_id,t,lon,lat
  StreamLearn& csv_header(std::string_view value) { return set("csv-header", value), *this; }
  /// which columns are what, such as trip=ride,time=none
  StreamLearn& columns(std::string_view value) { return set("columns", value), *this; }
  /// of dates such as 04/05/2020, refused otherwise; one of day-first, month-first
  StreamLearn& time_format(std::string_view value) { return set("time-format", value), *this; }
  /// take the last position at each step of S seconds; 1 to 1,000,000, in s
  StreamLearn& step_s(std::int64_t value) { return set("step-s", value), *this; }
  /// a longer gap begins a new sequence (600 with `step-s`); 1 to 1,000,000,000, in s
  StreamLearn& gap_s(std::int64_t value) { return set("gap-s", value), *this; }
  /// added to the count of each neighbour (0.1); 0 to 1,000
  StreamLearn& smoothing(double value) { return set("smoothing", value), *this; }
  /// where sequences begin (counted); one of counted, uniform, stationary
  StreamLearn& initial(std::string_view value) { return set("initial", value), *this; }
  /// error of the positions: learn by EM; cells only; above 0, at most 10,000,000, in m
  StreamLearn& noise_m(double value) { return set("noise-m", value), *this; }
  /// of EM, at most (50); 1 to 10,000
  StreamLearn& rounds(std::int64_t value) { return set("rounds", value), *this; }
  /// stop EM when a round gains less a position (0.0001); 0 to 1,000,000
  StreamLearn& tolerance(double value) { return set("tolerance", value), *this; }
  /// model file, .json; - for standard output
  StreamLearn& output(std::string_view value) { return set("output", value), *this; }
  /// replace an existing file
  StreamLearn& overwrite(bool value = true) { return set("overwrite", value), *this; }
  /// when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
  StreamLearn& limits(std::string_view value) { return set("limits", value), *this; }
};

}  // namespace fogline
