// SPDX-License-Identifier: Apache-2.0
#include "release/trace_rules.hpp"

#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "traces/rules/constraints_file.hpp"

namespace fogline::release {

using Json = nlohmann::ordered_json;

void TraceRuleFields::declare(FieldTable& table) {
  table
      .value("constraints", "FILE", constraints,
             "PUBLIC rules as GeoJSON: closed areas, bounds, speeds, one-ways, stops")
      .role(FieldRole::public_input)
      .stated("constraints");
  network.declare_optional(table, "PUBLIC roads that trips keep to: OSM, CSV, ..., city:1");
}

void TraceRuleFields::name(traces::TraceTerms& terms) const {
  if (!constraints.empty()) terms.constraints = public_file(constraints);
  if (!network.network.empty()) terms.network = network.named();
}

std::vector<std::string> TraceRuleFields::files() const {
  std::vector<std::string> all;
  if (!constraints.empty()) all.push_back(constraints);
  if (network.network.empty()) return all;
  for (const std::string& file : network.files()) all.push_back(file);
  return all;
}

void TraceRuleFields::refuse_for_published() const {
  if (!constraints.empty() || !network.network.empty())
    throw InvalidOption("published", "makes the paper's trips, which obey no `constraints` and no `network`");
}

traces::TripRules TraceRuleFields::read(Caller& caller, const traces::TraceTerms& terms) const {
  traces::TripRules rules;
  if (!constraints.empty()) {
    Warnings warnings;
    rules.constraints = std::make_unique<const traces::Constraints>(
        traces::read_constraints(constraints, terms.frame, {.timed = terms.times}, warnings));
    caller.warn(warnings);
  }
  if (!network.network.empty()) {
    if (terms.frame.unit() == traces::Frame::Unit::metres)
      throw InvalidOption("network", "lies on the Earth, and `plane` does not");
    rules.keep_to(network.read(caller), terms.frame, traces::TripRules::Cost::told,
                  {.threads = caller.threads()});
  }
  return rules;
}

namespace {

void tell_of_roads(const traces::MadeTrips::OnRoads& driven, ToldOfRules& told) {
  told.rows.emplace_back("on roads",
                         fmt::format("{:.2f} times as long as between cells; {} trips slowed down",
                                     driven.length_ratio, grouped(driven.delayed_trips)));
  told.json.emplace_back("roads", Json{{"length_ratio", driven.length_ratio},
                                       {"delayed_trips", driven.delayed_trips},
                                       {"dropped_anchors", driven.dropped_anchors}});
}

void tell_of_constraints(const traces::EnforcementReport& report, const traces::ConstraintCost& cost,
                         ToldOfRules& told) {
  told.rows.emplace_back(
      "constraints",
      fmt::format("{} violations before, {} after; {} trips moved, {} shifted in time, {} replaced",
                  grouped(report.before.hard()), grouped(report.after.hard()), grouped(report.moved_trips),
                  grouped(report.shifted_trips), grouped(report.replaced_trips)));
  told.rows.emplace_back(
      "their cost", fmt::format("divergence of visits {:.4f}, starts {:.4f}, ends {:.4f}, lengths {:.4f}",
                                cost.visits, cost.starts, cost.ends, cost.length));
  Json json{
      {"violations_before", report.before.hard()},
      {"violations_after", report.after.hard()},
      {"moved_trips", report.moved_trips},
      {"moved_points", report.moved_points},
      {"mean_move_m", report.mean_move_m},
      {"shifted_trips", report.shifted_trips},
      {"delayed_trips", report.delayed_trips},
      {"replaced_trips", report.replaced_trips},
      {"cost",
       {{"visits", cost.visits}, {"starts", cost.starts}, {"ends", cost.ends}, {"length", cost.length}}}};
  if (cost.time_of_day) json["cost"]["time_of_day"] = *cost.time_of_day;
  told.json.emplace_back("constraints", std::move(json));
}

/// Roads and rules make trips take longer than they were made to.
void tell_of_cuts(std::uint64_t cut, std::uint64_t max_duration_s, ToldOfRules& told) {
  told.rows.emplace_back(
      "cut off", fmt::format("{} trip{} after {} s", grouped(cut), cut == 1 ? "" : "s", max_duration_s));
  told.json.emplace_back("trips_cut_off", cut);
}

}  // namespace

ToldOfRules told_of(const traces::MadeTrips& made, const traces::TraceTerms& terms) {
  ToldOfRules told;
  if (made.roads) tell_of_roads(*made.roads, told);
  if (made.obeyed && made.cost) tell_of_constraints(*made.obeyed, *made.cost, told);
  if (made.cut_off > 0) tell_of_cuts(made.cut_off, terms.max_duration_s, told);
  return told;
}

}  // namespace fogline::release
