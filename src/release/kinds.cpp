// SPDX-License-Identifier: Apache-2.0
#include "release/kinds.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "audit/statements/recompute_distances.hpp"
#include "audit/statements/recompute_path.hpp"
#include "audit/statements/recompute_place.hpp"
#include "audit/statements/recompute_stream.hpp"
#include "audit/statements/recompute_traces.hpp"
#include "audit/statements/recompute_weights.hpp"
#include "base/error.hpp"
#include "path/figures.hpp"
#include "path/terms.hpp"
#include "place/catalogue.hpp"
#include "place/figures.hpp"
#include "release/analyses/whole_specimens.hpp"
#include "stream/paper/figures.hpp"
#include "stream/terms.hpp"
#include "traces/paper/dpe_terms.hpp"
#include "traces/paper/figures.hpp"
#include "traces/terms.hpp"
#include "weights/mechanisms/catalogue.hpp"
#include "weights/paper/figures.hpp"
#include "weights/paper/published.hpp"

namespace fogline::release {
namespace {

/// The request of this kind and verb, among all of its sort.
template <class Request>
std::unique_ptr<Request> chosen_from(std::vector<std::unique_ptr<Request>> all, std::string_view kind,
                                     std::string_view verb) {
  std::set<std::string> kinds, verbs;
  for (auto& request : all) {
    kinds.insert(request->kind());
    if (request->kind() != kind) continue;
    if (request->verb() == verb) return std::move(request);
    verbs.insert(request->verb());
  }
  if (verbs.empty()) throw InvalidOption("kind", fmt::format("must be one of {}", fmt::join(kinds, ", ")));
  throw InvalidOption("verb", fmt::format("must be one of {}", fmt::join(verbs, ", ")));
}

/// A request of each verb of this sort, kind by kind.
template <class Request>
std::vector<std::unique_ptr<Request>> made_of_sort() {
  std::vector<std::unique_ptr<Request>> all;
  const auto add = [&](const std::vector<MakeVerb>& verbs) {
    for (const MakeVerb& verb : verbs)
      if (const auto* make = std::get_if<std::unique_ptr<Request> (*)()>(&verb)) all.push_back((*make)());
  };
  for (const Kind& kind : kinds()) add(kind.verbs);
  add(other_verbs());
  return all;
}

std::vector<std::string_view> published_weights() {
  std::vector<std::string_view> names;
  for (const weights::WeightsStrategy strategy : weights::weights_strategies())
    names.push_back(to_string(strategy));
  return names;
}

}  // namespace

const std::vector<Kind>& kinds() {
  using privacy::Form;
  static const std::vector<Kind> all{
      {.name = "place",
       .verbs = {place_plan, place_prepare, place_kernel, place_release, place_audit, place_measure,
                 place_attack, place_optimise},
       .recomputations = {{"place", place::mechanism_names(), Form::sound, audit::recompute_place},
                          {"place", {"table"}, Form::sound, audit::recompute_place}},
       .claims = audit::place_claims,
       .specimens = audit::place_specimens,
       .whole = whole_places,
       .pages = {"positions on a road network", "positions on a road network", report::place_sections},
       .figures = place::figure_kinds},
      {.name = "stream",
       .verbs = {stream_learn, stream_plan, stream_release, stream_audit, stream_measure, stream_attack},
       .recomputations = {{"stream", stream::mechanism_names(), Form::sound, audit::recompute_stream}},
       .claims = audit::stream_claims,
       .specimens = audit::stream_specimens,
       .whole = whole_streams,
       .pages = {"a sequence of states", "sequences of states, step by step", report::stream_sections},
       .figures = stream::figure_kinds},
      {.name = "path",
       .verbs = {path_plan, path_release, path_recover, path_audit, path_measure, path_attack, path_draw},
       .recomputations = {{"path", path::mechanism_names(), Form::sound, audit::recompute_path},
                          {"path", {"layered"}, Form::published, audit::recompute_published_path}},
       .claims = audit::path_claims,
       .specimens = audit::path_specimens,
       .whole = whole_paths,
       .pages = {"one route", "one route in a network", report::path_sections},
       .figures = path::figure_kinds},
      {.name = "weights",
       .verbs = {weights_plan, weights_release, weights_audit, weights_measure, weights_attack,
                 weights_distances},
       .recomputations = {{"weights", weights::mechanism_names(), Form::sound, audit::recompute_weights},
                          {"weights", {"distances"}, Form::sound, audit::recompute_distances},
                          {"weights", published_weights(), Form::published,
                           audit::recompute_published_weights}},
       .claims = audit::weights_claims,
       .specimens = audit::weights_specimens,
       .whole = whole_weights,
       .pages = {"the edge weights of a graph", "the edge weights of a network", report::weights_sections},
       .figures = weights::figure_kinds},
      {.name = "traces",
       .verbs = {traces_plan, traces_release, traces_audit, traces_measure, traces_attack},
       .recomputations = {{"traces", {traces::synthesis_name}, Form::sound, audit::recompute_traces},
                          {"traces", {traces::dpe_name}, Form::published, audit::recompute_published_traces}},
       .claims = audit::traces_claims,
       .specimens = audit::trace_specimens,
       .whole = whole_traces,
       .pages = {"a set of trips", "synthetic trips", report::traces_sections},
       .figures = traces::figure_kinds}};
  return all;
}

const Kind* find_kind(std::string_view name) {
  const auto found = std::ranges::find(kinds(), name, &Kind::name);
  return found == kinds().end() ? nullptr : &*found;
}

std::vector<audit::Claim> all_claims() {
  std::vector<audit::Claim> all;
  for (const Kind& kind : kinds())
    for (audit::Claim& claim : kind.claims()) all.push_back(std::move(claim));
  std::ranges::stable_partition(all, [](const audit::Claim& claim) { return claim.why_not.empty(); });
  return all;
}

std::vector<audit::Specimen> all_specimens(const ScratchFolder& folder, Caller& caller) {
  std::vector<audit::Specimen> all = audit::general_specimens();
  for (const Kind& kind : kinds()) {
    for (audit::Specimen& specimen : kind.specimens()) all.push_back(std::move(specimen));
    for (audit::Specimen& specimen : kind.whole(folder, caller)) all.push_back(std::move(specimen));
  }
  return all;
}

std::vector<privacy::Check> recompute(const privacy::Statement& statement,
                                      const audit::RecomputeOptions& options) {
  std::vector<audit::Recomputation> known;
  for (const Kind& kind : kinds())
    known.insert(known.end(), kind.recomputations.begin(), kind.recomputations.end());
  return audit::recompute(statement, known, options);
}

const std::vector<MakeVerb>& other_verbs() {
  static const std::vector<MakeVerb> all{
      verify_statement, ledger_show, ledger_verify, network_info,  network_cut,   selftest,      write_report,
      sample_city,      sample_path, sample_place,  sample_stream, sample_traces, sample_weights};
  return all;
}

std::vector<FigureKind> all_figures() {
  std::vector<FigureKind> all;
  for (const Kind& kind : kinds())
    for (const FigureKind& figure : kind.figures()) all.push_back(figure);
  return all;
}

std::vector<std::unique_ptr<Release>> all_releases() {
  return made_of_sort<Release>();
}

std::vector<std::unique_ptr<Analysis>> all_analyses() {
  return made_of_sort<Analysis>();
}

std::unique_ptr<Release> make_release(std::string_view kind, std::string_view verb) {
  return chosen_from(all_releases(), kind, verb);
}

std::unique_ptr<Analysis> make_analysis(std::string_view kind, std::string_view verb) {
  return chosen_from(all_analyses(), kind, verb);
}

}  // namespace fogline::release
