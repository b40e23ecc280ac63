// SPDX-License-Identifier: Apache-2.0
#include "audit/place_audit.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/blocks.hpp"
#include "cli/verbs.hpp"
#include "release/place_fields.hpp"

namespace fogline::cli {
namespace {

using audit::PlaceAudit;

class PlaceAuditVerb : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"place", "audit"},
        "Check that a place mechanism keeps its promise on a network, reading no private record",
        "Computes the largest privacy loss from the integers that releases are drawn from: over all "
        "roads, both ways and all outputs. "
        "What holds on every road holds between any two vertices, so a pass is a certificate. Where "
        "roads times outputs exceed "
        "--comparisons, the local rule that the weights follow is certified instead, from the integers and "
        "for every map, and the roads of a sample are checked besides; a mechanism without such a rule is "
        "checked on the sample alone, which is no certificate. The verdict says which of the three it "
        "was.\n\n"
        "Then draws releases from three vertices with a fixed public seed and compares their counts with "
        "the table. A right sampler "
        "fails this in fewer than one of a million networks.\n\n"
        "Exit code 1 if a fault is found. Reads the network, no ledger and no private record.",
        {{"GEM on the lattice of its paper",
          "fogline place audit --network lattice:20x20:1500 --mechanism gem --epsilon 0.01"},
         {"by the local rule, with few of the sample city's roads, as JSON",
          "fogline place audit --network city:1 --epsilon 0.05 --comparisons 1000000 --samples 5000 "
          "--json"}}};
  }

  void declare(OptionSet& options) override {
    place_.declare(options);
    options.group("Audit");
    options.value("--samples", "N", samples_, "releases drawn from each of three vertices (20000)");
    options.value("--comparisons", "N", comparisons_,
                  "roads times outputs to compare at most (200000000); beyond, rule and sample");
    options.group("Output");
    options.flag("--json", json_, "print JSON");
  }

  int run(Session& session) override {
    place_.epsilon.value();  // a bad epsilon is said before a large map is read
    const roads::RoadNetwork map = place_.network.read(session);
    const auto mechanism = place_.make(map, session);
    const PlaceAudit audit = audit::audit_place(*mechanism, map.graph,
                                                {.comparisons = comparisons_,
                                                 .samples = samples_,
                                                 .threads = session.threads(),
                                                 .progress = session.progress()});
    session.data(json_ ? to_text(as_json(map, *mechanism, audit)) : as_text(map, *mechanism, audit));
    return audit.passed ? 0 : 1;
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

  static std::string as_text(const roads::RoadNetwork& map, const place::PlaceMechanism& mechanism,
                             const PlaceAudit& audit) {
    std::vector<std::pair<std::string, std::string>> rows{
        {"network", fmt::format("{}: {} vertices, {} roads", map.source, grouped(map.vertex_count()),
                                grouped(map.graph.edge_count()))},
        {"claim", to_string(mechanism.guarantee())}};
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
    return fields(rows) + audit.sentence + "\n";
  }

  static nlohmann::ordered_json fit_json(const roads::RoadNetwork& map, const PlaceAudit& audit) {
    if (!audit.fit) return nullptr;
    nlohmann::ordered_json inputs = nlohmann::ordered_json::array();
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
  static nlohmann::ordered_json table_json(const roads::RoadNetwork& map,
                                           const place::PlaceMechanism& mechanism, const PlaceAudit& audit) {
    if (!audit.table) return nlohmann::ordered_json::object();
    const auto& worst = audit.table->certificate.loss;
    return {{"loss_per_metre_low", audit.table->loss_low},
            {"loss_per_metre_high", audit.table->loss_high},
            {"share_of_epsilon", audit.table->share_of_claim.value()},
            {"worst_output", roads::name_of(map, mechanism.on_vertices()->range()[worst.output])},
            {"worst_from", roads::name_of(map, worst.at.from)},
            {"worst_to", roads::name_of(map, worst.at.to)},
            {"worst_distance_m", worst.at.distance / 1000.0}};
  }

  nlohmann::ordered_json as_json(const roads::RoadNetwork& map, const place::PlaceMechanism& mechanism,
                                 const PlaceAudit& audit) const {
    const auto guarantee = mechanism.guarantee();
    nlohmann::ordered_json result = {{"kind", "place"},
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
    if (const auto* on_vertices = mechanism.on_vertices()) result["outputs"] = on_vertices->range().size();
    if (audit.rule) {
      result["rule"] = audit.rule->rule;
      result["rule_loss_per_metre_high"] = audit.rule->loss_high_per_metre;
    }
    result.update(table_json(map, mechanism, audit));
    result["fit"] = fit_json(map, audit);
    result["verdict"] = audit.sentence;
    return result;
  }

  release::PlaceFields place_;
  std::uint64_t samples_ = audit::PlaceAuditOptions{}.samples;
  std::uint64_t comparisons_ = audit::PlaceAuditOptions{}.comparisons;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> place_audit() {
  return std::make_unique<PlaceAuditVerb>();
}

}  // namespace fogline::cli
