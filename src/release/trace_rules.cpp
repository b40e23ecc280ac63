// SPDX-License-Identifier: Apache-2.0
#include "release/trace_rules.hpp"

#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/grouped.hpp"
#include "traces/roads/road_trips.hpp"
#include "traces/rules/constraint_cost.hpp"
#include "traces/rules/constraints_file.hpp"
#include "traces/rules/enforce.hpp"

namespace fogline::release {

using Json = nlohmann::ordered_json;
using Rules = TraceRuleFields::Rules;

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

Rules TraceRuleFields::read(Caller& caller, const traces::TraceTerms& terms) const {
  Rules rules(terms.frame);
  if (!constraints.empty()) {
    Warnings warnings;
    rules.constraints_ = std::make_unique<const traces::Constraints>(
        traces::read_constraints(constraints, terms.frame, {.timed = terms.times}, warnings));
    caller.warn(warnings);
  }
  if (!network.network.empty()) {
    if (terms.frame.unit() == traces::Frame::Unit::metres)
      throw InvalidOption("network", "lies on the Earth, and `plane` does not");
    const roads::RoadNetwork roads = network.read(caller);
    const auto map_obeying = [&](const traces::Constraints* obeyed) {
      return std::make_unique<const traces::DrivingMap>(
          roads, terms.frame,
          traces::DrivingMap::Options{.constraints = obeyed, .parallel = {.threads = caller.threads()}});
    };
    rules.map_ = map_obeying(rules.constraints_.get());
    if (rules.constraints_) rules.free_map_ = map_obeying(nullptr);
  }
  return rules;
}

std::function<bool(const traces::PlanePoint&)> Rules::open() const {
  if (!constraints_) return {};
  return [rules = constraints_.get()](const traces::PlanePoint& p) { return rules->allowed(p); };
}

traces::TripSet Rules::apply(traces::TripSet trips, const random::Key& key, Caller& caller,
                             Told& told) const {
  std::optional<traces::TripSet> free;  // as they would be without constraints
  if (free_map_)
    free = traces::on_roads(trips, *free_map_, {.parallel = {.threads = caller.threads()}}).trips;
  if (map_) trips = drive(trips, caller, told);
  if (constraints_) obey(trips, free, key, caller, told);
  traces::begin_on_first_day(trips);
  return trips;
}

traces::TripSet Rules::drive(const traces::TripSet& trips, Caller& caller, Told& told) const {
  traces::RoadTrips driven = traces::on_roads(trips, *map_, {.parallel = {.threads = caller.threads()}});
  told.rows.emplace_back("on roads",
                         fmt::format("{:.2f} times as long as between cells; {} trips slowed down",
                                     driven.length_ratio, grouped(driven.delayed_trips)));
  told.json.emplace_back("roads", Json{{"length_ratio", driven.length_ratio},
                                       {"delayed_trips", driven.delayed_trips},
                                       {"dropped_anchors", driven.dropped_anchors}});
  return std::move(driven.trips);
}

void Rules::obey(traces::TripSet& trips, const std::optional<traces::TripSet>& free, const random::Key& key,
                 Caller& caller, Told& told) const {
  const traces::TripSet before = free ? *free : trips;
  const traces::EnforcementReport report = traces::enforce(
      trips, *constraints_, key, {.move_points = !map_, .parallel = {.threads = caller.threads()}});
  const traces::ConstraintCost cost = traces::constraint_cost(before, trips, frame_);
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

}  // namespace fogline::release
