// SPDX-License-Identifier: Apache-2.0
#include "audit/kinds/place_audit.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/grouped.hpp"
#include "release/analyses/analysis.hpp"
#include "release/kinds.hpp"
#include "release/place_fields.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;
using audit::PlaceAudit;

class PlaceAuditVerb : public Analysis {
 public:
  std::string kind() const override { return "place"; }
  std::string verb() const override { return "audit"; }

  void declare(FieldTable& table) override {
    place_.declare(table);
    table.group("Audit");
    table.value("samples", "N", samples_, "releases drawn from each of three vertices (20000)");
    table.value("comparisons", "N", comparisons_,
                "roads times outputs to compare at most (200000000); beyond, rule and sample");
  }

  Findings run(Caller& caller) override {
    place_.epsilon.value();  // a bad epsilon is said before a large map is read
    const roads::RoadNetwork map = place_.network.read(caller);
    const auto mechanism = place_.make(map, caller);
    const PlaceAudit audit = audit::audit_place(*mechanism, map.graph,
                                                {.comparisons = comparisons_,
                                                 .samples = samples_,
                                                 .threads = caller.threads(),
                                                 .progress = caller.progress()});
    Findings found(as_json(map, *mechanism, audit));
    found.add(rows(map, *mechanism, audit));
    found.add(audit.sentence);
    found.passed = audit.passed;
    return found;
  }

 private:
  static std::string worst_place(const roads::RoadNetwork& map, const place::VertexMechanism& mechanism,
                                 const PlaceAudit& audit) {
    const auto& worst = audit.table->certificate.loss;
    return fmt::format("output {} from vertex {} against vertex {}, {:.3f} m away",
                       roads::name_of(map, mechanism.range()[worst.output]),
                       roads::name_of(map, worst.at.from), roads::name_of(map, worst.at.to),
                       worst.at.distance / 1000.0);
  }

  static std::string coverage(const place::VertexMechanism& mechanism, const PlaceAudit& audit) {
    const std::string outputs = fmt::format("{} outputs each", grouped(mechanism.range().size()));
    if (audit.roads_checked == audit.roads)
      return fmt::format("all {} roads, {}", grouped(audit.roads), outputs);
    return fmt::format("{} of {} roads, chosen by a fixed public rule, {}", grouped(audit.roads_checked),
                       grouped(audit.roads), outputs);
  }

  static std::string fit_line(const roads::RoadNetwork& map, const PlaceAudit& audit) {
    std::string vertices;
    for (const auto& fit : audit.fit->inputs) vertices += " " + roads::name_of(map, fit.input);
    return fmt::format(
        "{} releases each from vertices{} (public seed {}): {}; chi-square {:+.2f} deviations at most",
        grouped(audit.fit->inputs.front().samples), vertices, audit::PlaceAuditOptions::public_seed,
        audit.fit->fits ? "as the table says" : "not as the table says", audit.fit->largest_deviations());
  }

  static Findings::Rows rows(const roads::RoadNetwork& map, const place::PlaceMechanism& mechanism,
                             const PlaceAudit& audit) {
    Findings::Rows rows{{"network", size_of(map)}, {"claim", to_string(mechanism.guarantee())}};
    if (audit.rule) {
      rows.emplace_back("local rule", fmt::format("{} per metre at most, between any two vertices",
                                                  audit.rule->loss_high_per_metre));
    }
    if (audit.table) {
      rows.emplace_back("checked", coverage(*mechanism.on_vertices(), audit));
      rows.emplace_back("largest loss",
                        fmt::format("[{}, {}] per metre, {:.2f} % of epsilon", audit.table->loss_low,
                                    audit.table->loss_high, 100 * audit.table->share_of_claim.value()));
      rows.emplace_back("found at", worst_place(map, *mechanism.on_vertices(), audit));
    }
    if (audit.fit) rows.emplace_back("fit", fit_line(map, audit));
    return rows;
  }

  static Json fit_json(const roads::RoadNetwork& map, const PlaceAudit& audit) {
    if (!audit.fit) return nullptr;
    Json inputs = Json::array();
    for (const auto& fit : audit.fit->inputs) {
      inputs.push_back({{"vertex", roads::name_of(map, fit.input)},
                        {"samples", fit.samples},
                        {"impossible", fit.impossible},
                        {"events", fit.events},
                        {"failures", fit.failures},
                        {"chi_square", fit.chi_square.statistic},
                        {"chi_square_degrees", fit.chi_square.degrees},
                        {"chi_square_deviations", fit.chi_square.deviations}});
    }
    return {{"fits", audit.fit->fits},
            {"false_alarm", audit.fit->false_alarm},
            {"public_seed", audit::PlaceAuditOptions::public_seed},
            {"inputs", inputs}};
  }

  /// What the table shows; nothing for a mechanism that has none.
  static Json table_json(const roads::RoadNetwork& map, const place::PlaceMechanism& mechanism,
                         const PlaceAudit& audit) {
    if (!audit.table) return Json::object();
    const auto& worst = audit.table->certificate.loss;
    return {{"loss_per_metre_low", audit.table->loss_low},
            {"loss_per_metre_high", audit.table->loss_high},
            {"share_of_epsilon", audit.table->share_of_claim.value()},
            {"worst_output", roads::name_of(map, mechanism.on_vertices()->range()[worst.output])},
            {"worst_from", roads::name_of(map, worst.at.from)},
            {"worst_to", roads::name_of(map, worst.at.to)},
            {"worst_distance_m", worst.at.distance / 1000.0}};
  }

  static Json as_json(const roads::RoadNetwork& map, const place::PlaceMechanism& mechanism,
                      const PlaceAudit& audit) {
    const auto guarantee = mechanism.guarantee();
    Json json = {{"kind", "place"},
                 {"mechanism", mechanism.name()},
                 {"notion", to_string(guarantee.notion())},
                 {"unit", guarantee.unit()},
                 {"epsilon", guarantee.epsilon().to_string()},
                 {"epsilon_measure", to_string(guarantee.measure())},
                 {"passed", audit.passed},
                 {"certified", audit.certified},
                 {"method", to_string(audit.method)},
                 {"roads", audit.roads},
                 {"roads_checked", audit.roads_checked}};
    if (const auto* on_vertices = mechanism.on_vertices()) json["outputs"] = on_vertices->range().size();
    if (audit.rule) {
      json["rule"] = audit.rule->rule;
      json["rule_loss_per_metre_high"] = audit.rule->loss_high_per_metre;
    }
    json.update(table_json(map, mechanism, audit));
    json["fit"] = fit_json(map, audit);
    json["verdict"] = audit.sentence;
    return json;
  }

  PlaceFields place_;
  std::uint64_t samples_ = audit::PlaceAuditOptions{}.samples;
  std::uint64_t comparisons_ = audit::PlaceAuditOptions{}.comparisons;
};

}  // namespace

std::unique_ptr<Analysis> place_audit() {
  return std::make_unique<PlaceAuditVerb>();
}

}  // namespace fogline::release
