// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "io/numbers.hpp"
#include "release/analyses/analysis.hpp"
#include "release/analyses/budget_view.hpp"
#include "release/analyses/place_comparison.hpp"
#include "release/kinds.hpp"
#include "release/place_fields.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

/// What the way to the nearest vertex may be of the displacement: docs/mechanisms/spacing.md
constexpr double most_of_error = 0.25;

class PlacePlan : public Analysis {
 public:
  PlacePlan() { place_.epsilon.takes_several = true; }

  std::string kind() const override { return "place"; }
  std::string verb() const override { return "plan"; }
  LedgerFields* ledger() override { return &ledger_; }

  void declare(FieldTable& table) override {
    place_.declare(table);
    table.group("Plan");
    table.value("target", "METRES", target_, "in place of epsilon: find the one that moves positions so far")
        .unit("m");
    table.flag("compare", compare_,
               "all mechanisms that fit this map, side by side, or those that `mechanism` names");
    reports_.declare(table);
    ledger_.declare(table);
  }

  Findings run(Caller& caller) override {
    reports_.require();  // a bad field is said before a large map is read
    settle_epsilon(caller);
    const auto epsilons = place_.epsilon.values();
    const bool names_several = place_.mechanism.find(',') != std::string::npos;
    if (epsilons.size() > 1 || names_several || (compare_ && place_.kernel.empty()))
      return comparison(epsilons, caller);
    place_.require();
    place::PlaceTerms terms = place_.terms(caller, reports_.max_snap_m);
    reports_.add_to(terms);
    const auto prepared = place_.prepare(terms, caller);
    const roads::RoadNetwork& map = prepared->map;
    const place::PlaceMechanism* mechanism = prepared->mechanism.get();
    const place::ExpectedError& error = prepared->error;
    terms.take(*mechanism);
    const auto worth = worth_of(*prepared);
    const BudgetView budget(ledger_, terms.guarantee());

    Findings found(as_json(terms, *mechanism, error, worth, budget));
    found.add(rows(terms, map, *mechanism, error, budget));
    if (worth) found.add(worth->remarks());
    found.add(remarks(terms, *mechanism, error));
    found.add(terms.promise());
    found.add(budget.remarks());
    return found;
  }

 private:
  /// `target` stands for the epsilon that it takes.
  void settle_epsilon(Caller& caller) {
    if (target_.empty()) {
      if (place_.kernel.empty() && place_.epsilon.epsilon.empty())
        throw InvalidOption("epsilon", "is needed, or `target` or `kernel`");
      return;
    }
    if (!place_.epsilon.epsilon.empty() || !place_.kernel.empty())
      throw InvalidOption("target", "is given in place of `epsilon` and `kernel`");
    if (place_.mechanism.find(',') != std::string::npos)
      throw InvalidOption("mechanism", "is one, or auto, with `target`");
    std::string_view text = target_;
    if (text.ends_with("m")) text.remove_suffix(1);
    const auto metres = io::parse_double(text);
    if (!metres || !(*metres > 0 && *metres <= 1e6))
      throw InvalidOption("target", "must be a number of metres above 0 and at most 1,000,000, such as 150m");
    if (place_.network.network.empty()) throw InvalidOption("network", "is needed, or `kernel`");
    place_.epsilon.epsilon = epsilon_for(*metres, place_, reports_.max_snap_m, caller).value().to_string();
  }

  Findings comparison(const std::vector<privacy::EpsilonPerMetre>& epsilons, Caller& caller) const {
    if (!place_.kernel.empty()) throw InvalidOption("kernel", "is for one epsilon, its own");
    if (place_.network.network.empty()) throw InvalidOption("network", "is needed, or `kernel`");
    const PlaceComparison compared(place_, epsilons, reports_.max_snap_m, caller);
    Findings found(Json{{"kind", "place"}, {"comparison", compared.json()}});
    found.add(compared.table());
    found.add(compared.remarks());
    return found;
  }

  Json as_json(const place::PlaceTerms& terms, const place::PlaceMechanism& mechanism,
               const place::ExpectedError& error, const std::optional<Worth>& worth,
               const BudgetView& budget) const {
    const auto guarantee = terms.guarantee();
    Json json = {{"kind", "place"},
                 {"mechanism", mechanism.name()},
                 {"notion", to_string(guarantee.notion())},
                 {"unit", guarantee.unit()},
                 {"epsilon", guarantee.epsilon().to_string()},
                 {"epsilon_measure", to_string(guarantee.measure())},
                 {"exactness", to_string(guarantee.exactness())},
                 {"q_loss_m", error.q_loss_m},
                 {"q_loss_standard_error_m", error.standard_error_m},
                 {"median_m", error.median_m ? Json(*error.median_m) : Json()},
                 {"p95_m", error.p95_m ? Json(*error.p95_m) : Json()},
                 {"snap_mean_m", terms.snap.mean_m},
                 {"snap_max_m", terms.snap.largest_m},
                 {"error_with_snap_m", error.q_loss_m + terms.snap.mean_m},
                 {"needs_anyway", worth && !worth->is_better()}};
    if (const auto bound = mechanism.lower_bound_m()) json["lower_bound_m"] = *bound;
    json.update(mechanism.parameters());
    json["spacing_m"] = terms.network.reading.spacing_mm / 1e3;
    json["remap"] = terms.remap;
    json["prior"] = terms.prior ? Json(terms.prior->name) : Json();
    if (terms.range_vertices > 0) json["range_vertices"] = terms.range_vertices;
    budget.add_to(json);
    json["remarks"] = remarks(terms, mechanism, error);
    json["promise"] = terms.promise();
    json["not_protected"] = terms.not_protected();
    return json;
  }

  /// What the mechanism says of itself, after why it was taken if nobody asked for it.
  std::vector<std::string> remarks(const place::PlaceTerms& terms, const place::PlaceMechanism& mechanism,
                                   const place::ExpectedError& error) const {
    std::vector<std::string> all = place_.remarks_of(mechanism);
    if (terms.snap.largest_m > terms.max_snap_m)
      all.push_back(
          fmt::format("Some points on roads lie up to {:.1f} m from every vertex, and beyond {:g} m they are "
                      "too far: `spacing` auto "
                      "leaves none of them so.",
                      terms.snap.largest_m, terms.max_snap_m));
    if (terms.network.reading.spacing_mm > 0 && terms.snap.mean_m > most_of_error * error.q_loss_m)
      all.push_back(
          fmt::format("The way to the nearest vertex, {:.1f} m in the mean, is more than a quarter of the "
                      "displacement: a smaller `spacing` shortens it.",
                      terms.snap.mean_m));
    if (place_.mechanism != place::automatic || !place_.kernel.empty()) return all;
    const place::Settled settled = place::settled(mechanism.graph(), place_.epsilon.value());
    all.insert(all.begin(), settled.name == mechanism.name()
                                ? fmt::format("auto took {}: {}.", settled.name, settled.why)
                                : fmt::format("auto took {}: the solver of {} found no table here.",
                                              mechanism.name(), settled.name));
    return all;
  }

  static std::string snapping(const place::PlaceTerms& terms) {
    const graph::LengthMm spacing_mm = terms.network.reading.spacing_mm;
    return fmt::format(
        "{:.1f} m from a point on a road to a vertex, at most {:.1f} m; {}", terms.snap.mean_m,
        terms.snap.largest_m,
        spacing_mm == 0 ? "vertices as the map has them" : fmt::format("spacing {:g} m", spacing_mm / 1e3));
  }

  Findings::Rows rows(const place::PlaceTerms& terms, const roads::RoadNetwork& map,
                      const place::PlaceMechanism& mechanism, const place::ExpectedError& error,
                      const BudgetView& budget) const {
    Findings::Rows rows{{"network", size_of(map)},
                        {"mechanism", std::string(mechanism.name()) +
                                          (terms.remap ? ", outputs moved to the best guess" : "") +
                                          (terms.prior ? ", prior " + terms.prior->name : "")},
                        {"guarantee", to_string(terms.guarantee())}};
    budget.add_to(rows);
    rows.emplace_back("expected error", to_text(error));
    if (error.median_m && error.p95_m)
      rows.emplace_back("moved at most", fmt::format("{:.0f} m in half of all cases, {:.0f} m in 95 of 100",
                                                     *error.median_m, *error.p95_m));
    rows.emplace_back("snapping", snapping(terms));
    rows.emplace_back("both together", to_text_with_snap(error, terms.snap));
    if (const auto own = mechanism.parameters(); own.contains("cap_m")) {
      rows.emplace_back("search radius", fmt::format("{:.0f} m; all vertices farther away are equally likely",
                                                     own["cap_m"].get<double>()));
    }
    return rows;
  }

  PlaceFields place_;
  std::string target_;
  bool compare_ = false;
  ReportFields reports_;
  LedgerFields ledger_;
};

}  // namespace

std::unique_ptr<Analysis> place_plan() {
  return std::make_unique<PlacePlan>();
}

}  // namespace fogline::release
