// SPDX-License-Identifier: Apache-2.0
#include "release/analyses/place_subject.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/grouped.hpp"

namespace fogline::release {

std::optional<audit::ExactVerdict> verdict_on_table(const place::PlaceTerms& terms,
                                                    const place::PlaceMechanism& mechanism, Caller& caller) {
  if (!terms.given_table) return std::nullopt;
  const place::VertexMechanism& table = *mechanism.on_vertices();
  return audit::audit_exactly({.name = std::string(mechanism.name()),
                               .claim = mechanism.guarantee(),
                               .relation = kernel::Relation::metric(mechanism.graph()),
                               .row = [&](graph::VertexId v) { return table.row(v); }},
                              {.threads = caller.threads(), .progress = caller.progress()});
}

void add_to(nlohmann::ordered_json& json, const audit::ExactVerdict& verdict) {
  json["keeps_promise"] = nullptr;
  if (verdict.holds || verdict.broken) json["keeps_promise"] = verdict.holds;
  json["certificate"] = verdict.sentence;
}

void PlaceSubject::warn(Caller& caller) const {
  if (on_table && !on_table->holds) caller.warn(on_table->sentence);
}

nlohmann::ordered_json PlaceSubject::json() const {
  nlohmann::ordered_json json = {{"kind", "place"},
                                 {"mechanism", mechanism.name()},
                                 {"epsilon", epsilon()},
                                 {"network", map.source},
                                 {"vertices", map.vertex_count()}};
  if (const auto* on_vertices = mechanism.on_vertices()) json["range_vertices"] = on_vertices->range().size();
  json["prior"] = prior();
  json["remap"] = asked.remap;
  if (on_table) add_to(json, *on_table);
  return json;
}

Findings::Rows PlaceSubject::rows() const {
  Findings::Rows rows{{"network", size_of(map)},
                      {"mechanism", fmt::format("{}{}, epsilon {} per metre", mechanism.name(),
                                                asked.remap ? " with remap" : "", epsilon())},
                      {"range", range()},
                      {"prior", prior()}};
  if (on_table) rows.emplace_back("promise", promise());
  return rows;
}

std::string PlaceSubject::promise() const {
  if (on_table->holds) return "kept: certified on every road, for every output";
  return on_table->broken ? "broken" : "too close to epsilon to tell";
}

std::string PlaceSubject::epsilon() const {
  return mechanism.guarantee().epsilon().to_string();
}

std::string PlaceSubject::prior() const {
  return asked.prior ? asked.prior->name : "uniform";
}

std::string PlaceSubject::range() const {
  const auto* on_vertices = mechanism.on_vertices();
  if (on_vertices == nullptr) return "points of the plane";
  return fmt::format("{} of {} vertices", grouped(on_vertices->range().size()), grouped(map.vertex_count()));
}

}  // namespace fogline::release
