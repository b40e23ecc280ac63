// SPDX-License-Identifier: Apache-2.0
#include "release/kinds.hpp"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"

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

}  // namespace

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"place", {place_release}, {place_plan, place_audit, place_measure, place_attack}},
      {"stream", {stream_release}, {stream_plan, stream_audit, stream_measure, stream_attack}},
      {"path", {path_release}, {path_plan, path_audit, path_measure, path_attack}},
      {"weights",
       {weights_release, weights_distances},
       {weights_plan, weights_audit, weights_measure, weights_attack}},
      {"traces", {traces_release}, {traces_plan, traces_audit, traces_measure, traces_attack}}};
  return all;
}

std::vector<std::unique_ptr<Release>> all_releases() {
  std::vector<std::unique_ptr<Release>> all;
  for (const Kind& kind : kinds())
    for (const auto make : kind.releases) all.push_back(make());
  return all;
}

std::vector<std::unique_ptr<Analysis>> all_analyses() {
  std::vector<std::unique_ptr<Analysis>> all;
  for (const Kind& kind : kinds())
    for (const auto make : kind.analyses) all.push_back(make());
  for (const auto make : {verify_statement, ledger_show, ledger_verify, network_info, selftest})
    all.push_back(make());
  return all;
}

std::unique_ptr<Release> make_release(std::string_view kind, std::string_view verb) {
  return chosen_from(all_releases(), kind, verb);
}

std::unique_ptr<Analysis> make_analysis(std::string_view kind, std::string_view verb) {
  return chosen_from(all_analyses(), kind, verb);
}

}  // namespace fogline::release
