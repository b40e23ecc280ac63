// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "audit/claims.hpp"
#include "audit/specimens/specimen.hpp"
#include "audit/statements/recompute.hpp"
#include "base/figure_kind.hpp"
#include "release/analyses/analysis.hpp"
#include "release/analyses/scratch_folder.hpp"
#include "release/driver.hpp"
#include "report/release_view.hpp"

namespace fogline::release {

/// A request of each verb that releases, empty, to be filled through its fields and handed to release().
///
///     auto request = place_release();
///     FieldTable table;
///     request->declare(table);
///     set_fields(table, {{"input", "points.csv"}, {"network", "city:1"}, {"epsilon", "0.01"}, {"output", "safe.csv"}});
///     request->to.ledger.ledger = "my.ledger";
///     Outcome done = release(*request, caller);
std::unique_ptr<Release> place_release();
std::unique_ptr<Release> stream_release();
std::unique_ptr<Release> path_release();
std::unique_ptr<Release> weights_release();
std::unique_ptr<Release> weights_distances();
std::unique_ptr<Release> traces_release();

/// A request of each verb that releases nothing, likewise (release/analyses/analysis.hpp).
std::unique_ptr<Analysis> place_plan();
std::unique_ptr<Analysis> place_prepare();
std::unique_ptr<Analysis> place_kernel();
std::unique_ptr<Analysis> place_measure();
std::unique_ptr<Analysis> place_attack();
std::unique_ptr<Analysis> place_audit();
std::unique_ptr<Analysis> place_optimise();
std::unique_ptr<Analysis> stream_plan();
std::unique_ptr<Analysis> stream_measure();
std::unique_ptr<Analysis> stream_attack();
std::unique_ptr<Analysis> stream_audit();
std::unique_ptr<Analysis> stream_learn();
std::unique_ptr<Analysis> path_plan();
std::unique_ptr<Analysis> path_measure();
std::unique_ptr<Analysis> path_attack();
std::unique_ptr<Analysis> path_audit();
std::unique_ptr<Analysis> path_recover();
std::unique_ptr<Analysis> path_draw();
std::unique_ptr<Analysis> weights_plan();
std::unique_ptr<Analysis> weights_measure();
std::unique_ptr<Analysis> weights_attack();
std::unique_ptr<Analysis> weights_audit();
std::unique_ptr<Analysis> traces_plan();
std::unique_ptr<Analysis> traces_measure();
std::unique_ptr<Analysis> traces_attack();
std::unique_ptr<Analysis> traces_audit();

/// Those of no kind: what a statement claims, a ledger, a network, the auditor itself, a report, invented data. Their
/// kind() is the word before the verb, if there is one.
std::unique_ptr<Analysis> verify_statement();
std::unique_ptr<Analysis> ledger_show();
std::unique_ptr<Analysis> ledger_verify();
std::unique_ptr<Analysis> network_info();
std::unique_ptr<Analysis> network_cut();
std::unique_ptr<Analysis> selftest();
std::unique_ptr<Analysis> write_report();
std::unique_ptr<Analysis> sample_city();
std::unique_ptr<Analysis> sample_path();
std::unique_ptr<Analysis> sample_place();
std::unique_ptr<Analysis> sample_stream();
std::unique_ptr<Analysis> sample_traces();
std::unique_ptr<Analysis> sample_weights();

/// A verb, as whoever makes an empty request of it: one that releases, or one that does not.
using MakeVerb = std::variant<std::unique_ptr<Release> (*)(), std::unique_ptr<Analysis> (*)()>;

/// What is known of a kind above its own room.
struct Kind {
  std::string name;                                  ///< "place"
  std::vector<MakeVerb> verbs;                       ///< in the order in which they are told
  std::vector<audit::Recomputation> recomputations;  ///< of its statements, by mechanism and form
  std::vector<audit::Claim> (*claims)();             ///< what its mechanisms promise
  std::vector<audit::Specimen> (*specimens)();       ///< its mechanisms, for the self-test
  std::vector<audit::Specimen> (*whole)(const ScratchFolder& folder,
                                        Caller& caller);  ///< and whole releases by them
  report::KindPages pages;                                ///< of reports
  std::span<const FigureKind> (*figures)();               ///< of its papers, to be computed anew
};

/// THE REGISTRY: every kind, in the order in which they are told. Whoever needs something of every kind finds it here.
const std::vector<Kind>& kinds();
const Kind* find_kind(std::string_view name);  ///< null if there is none
/// And the verbs that are of no kind.
const std::vector<MakeVerb>& other_verbs();

/// What all mechanisms of all kinds promise, those that hold first.
std::vector<audit::Claim> all_claims();
/// What the self-test is run on: what is of no kind, then every kind. Folder and caller must outlive it.
std::vector<audit::Specimen> all_specimens(const ScratchFolder& folder, Caller& caller);
/// audit::recompute, with what is known of every kind.
std::vector<privacy::Check> recompute(const privacy::Statement& statement,
                                      const audit::RecomputeOptions& options);

/// The figures of every kind.
std::vector<FigureKind> all_figures();

/// A request of each verb that releases, or does not, of every kind; and those analyses that are of none.
std::vector<std::unique_ptr<Release>> all_releases();
std::vector<std::unique_ptr<Analysis>> all_analyses();

/// A request of this kind and verb. Throws InvalidOption, naming those that there are.
std::unique_ptr<Release> make_release(std::string_view kind, std::string_view verb);
std::unique_ptr<Analysis> make_analysis(std::string_view kind, std::string_view verb);

}  // namespace fogline::release
