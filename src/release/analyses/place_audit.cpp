// SPDX-License-Identifier: Apache-2.0
#include "audit/kinds/place_audit.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/grouped.hpp"
#include "place/catalogue.hpp"
#include "place/positions.hpp"
#include "release/analyses/analysis.hpp"
#include "release/analyses/whole_releases.hpp"
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
    place_.takes_any_table = true;
    place_.declare(table);
    table.group("Audit");
    table.value("samples", "N", samples_, "releases drawn from each of three vertices (20000)")
        .range("1000", "100000000");
    table
        .value("comparisons", "N", comparisons_,
               "roads times outputs to compare at most (200000000); beyond, rule and sample")
        .range("1", "");
  }

  Findings run(Caller& caller) override {
    place_.require();  // a bad field is said before a large map is read
    const auto prepared = place_.prepare(place_.terms(caller), caller);
    const roads::RoadNetwork& map = prepared->map;
    const place::PlaceMechanism* mechanism = prepared->mechanism.get();
    const PlaceAudit audit = audit::audit_place(*mechanism, map.graph,
                                                {.comparisons = comparisons_,
                                                 .samples = samples_,
                                                 .threads = caller.threads(),
                                                 .progress = caller.progress()});
    const ReplayedReleases replayed = replayed_releases(map, *mechanism, caller);
    Json json = as_json(map, *mechanism, audit);
    json["releases"] = replayed.json();
    const bool is_believed = place_.is_map_believed();
    json["map_is_believed"] = is_believed;
    json["passed"] = audit.passed && !replayed.broken();
    if (replayed.broken()) json["verdict"] = replayed.accusation();
    Findings found(std::move(json));
    Findings::Rows told = rows(map, *mechanism, audit);
    told.emplace_back("releases", replayed.row());
    found.add(std::move(told));
    found.add(replayed.broken() ? replayed.accusation() : audit.sentence);
    if (is_believed)
      found.add("On the kernel's own map: whether that is the network's, only who has the network can tell.");
    found.passed = audit.passed && !replayed.broken();
    return found;
  }

 private:
  /// Three positions, of which the second is at one or the other end of a road. The mechanism is built anew for each draw.
  ReplayedReleases replayed_releases(const roads::RoadNetwork& map, const place::PlaceMechanism& mechanism,
                                     Caller& caller) {
    constexpr std::size_t most_vertices = 2'000, most_vertices_of_a_program = 100;
    const bool is_numerical = place::mechanism_kind(mechanism.name()).numerical;
    if (mechanism.on_vertices() == nullptr || !mechanism.on_vertices()->has_rows())
      return {.why_not = "noise on the plane is neither chosen by weights nor added to numbers"};
    if (map.vertex_count() > (is_numerical ? most_vertices_of_a_program : most_vertices))
      return {.why_not = "the map is too large to build the mechanism for each draw"};
    // Records are drawn in the order of their vertices, and vertex 0 comes before both.
    for (const auto& road : map.graph.edges()) {
      if (road.tail == 0 || road.head == 0 || !is_itself(map, road.tail) || !is_itself(map, road.head))
        continue;
      const double metres = static_cast<double>(road.length_mm) / 1000;
      const MakeRequest make = with_fields_of(*this, place_release,
                                              [](const FieldTable& fields) { hold(fields, "anyway", true); });
      return replay_releases(
          {.words = fmt::format("a position at one or the other end of a road of {:.1f} m", metres),
           .first = whole_release(make, positions_at(map, {0, road.tail, 0}), caller),
           .second = whole_release(make, positions_at(map, {0, road.head, 0}), caller),
           .claimed_loss = mechanism.guarantee().epsilon().to_double() * metres},
          3);
    }
    return {.why_not = "no road joins two places that are not the first"};
  }

  /// Is no other vertex at the same place?
  static bool is_itself(const roads::RoadNetwork& map, graph::VertexId vertex) {
    constexpr double apart = 1e-7;  // degrees: a centimetre, which no snapping tells apart for certain
    const geometry::LonLat at = map.position[vertex];
    return std::ranges::count_if(map.position, [&](const geometry::LonLat& other) {
             const double lon = std::abs(other.lon - at.lon);
             return std::abs(other.lat - at.lat) < apart && (lon < apart || std::abs(lon - 360) < apart);
           }) == 1;
  }

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
