// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/grouped.hpp"
#include "release/analyses/analysis.hpp"
#include "release/analyses/budget_view.hpp"
#include "release/kinds.hpp"
#include "release/place_fields.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

class PlacePlan : public Analysis {
 public:
  std::string kind() const override { return "place"; }
  std::string verb() const override { return "plan"; }
  LedgerFields* ledger() override { return &ledger_; }

  void declare(FieldTable& table) override {
    place_.declare(table);
    reports_.declare(table);
    ledger_.declare(table);
  }

  Findings run(Caller& caller) override {
    place_.epsilon.value();  // a bad field is said before a large map is read
    reports_.require();
    const roads::RoadNetwork map = place_.network.read(caller);
    place::PlaceTerms terms = place_.terms();
    reports_.add_to(terms);
    const place::MechanismChoice choice = place_.choice(map, terms, caller);
    const auto mechanism = place::make_place_mechanism(map, choice);
    terms.take(*mechanism);
    const auto error = mechanism->expected_error(
        {.prior = choice.prior, .threads = caller.threads(), .progress = caller.progress()});
    const auto worth = worth_of(map, choice, error);
    const BudgetView budget(ledger_, terms.guarantee());

    Findings found(as_json(terms, *mechanism, error, worth, budget));
    found.add(rows(terms, map, *mechanism, error, budget));
    if (worth) found.add(worth->remarks());
    found.add(remarks(*mechanism));
    found.add(terms.promise());
    found.add(budget.remarks());
    return found;
  }

 private:
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
                 {"needs_anyway", worth && !worth->is_better()}};
    if (const auto bound = mechanism.lower_bound_m()) json["lower_bound_m"] = *bound;
    json.update(mechanism.parameters());
    json["remap"] = terms.remap;
    json["prior"] = place_.prior.empty() ? Json() : Json(terms.prior->name);
    if (terms.range_vertices > 0) json["range_vertices"] = terms.range_vertices;
    budget.add_to(json);
    json["remarks"] = remarks(mechanism);
    json["promise"] = terms.promise();
    json["not_protected"] = terms.not_protected();
    return json;
  }

  /// What the mechanism says of itself, after why it was taken if nobody asked for it.
  std::vector<std::string> remarks(const place::PlaceMechanism& mechanism) const {
    std::vector<std::string> all = mechanism.remarks();
    if (place_.mechanism != place::automatic) return all;
    const place::Settled settled = place::settled(mechanism.graph(), place_.epsilon.value());
    all.insert(all.begin(), settled.name == mechanism.name()
                                ? fmt::format("auto took {}: {}.", settled.name, settled.why)
                                : fmt::format("auto took {}: the solver of {} found no table here.",
                                              mechanism.name(), settled.name));
    return all;
  }

  Findings::Rows rows(const place::PlaceTerms& terms, const roads::RoadNetwork& map,
                      const place::PlaceMechanism& mechanism, const place::ExpectedError& error,
                      const BudgetView& budget) const {
    Findings::Rows rows{{"network", size_of(map)},
                        {"mechanism", std::string(mechanism.name()) +
                                          (place_.remap ? ", outputs moved to the best guess" : "") +
                                          (place_.prior.empty() ? "" : ", prior " + place_.prior)},
                        {"guarantee", to_string(terms.guarantee())}};
    budget.add_to(rows);
    rows.emplace_back("expected error", to_text(error));
    if (const auto own = mechanism.parameters(); own.contains("cap_m")) {
      rows.emplace_back("search radius", fmt::format("{:.0f} m; all vertices farther away are equally likely",
                                                     own["cap_m"].get<double>()));
    }
    return rows;
  }

  PlaceFields place_;
  ReportFields reports_;
  LedgerFields ledger_;
};

}  // namespace

std::unique_ptr<Analysis> place_plan() {
  return std::make_unique<PlacePlan>();
}

}  // namespace fogline::release
