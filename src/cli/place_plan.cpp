// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/blocks.hpp"
#include "cli/budget_view.hpp"
#include "cli/spelling.hpp"
#include "cli/verbs.hpp"
#include "release/place_fields.hpp"

namespace fogline::cli {
namespace {

class PlacePlan : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"place", "plan"},
        "Say what a release of positions would promise, cost and blur, reading no private record",
        "Prints the guarantee, what one release charges to the ledger, what the dataset has left, and the "
        "expected "
        "displacement in metres of road for somebody who is equally likely to be at any vertex, or who "
        "follows --prior; for plm in a straight line. On networks "
        "of more than 5,000 "
        "vertices that is the mean over 200 vertices chosen by a public rule, with its standard error.\n\n"
        "Without --mechanism it is auto, the best that is ready in about a minute: optimal up to 1,000 "
        "vertices, "
        "tight up to whole cities, else gem. The plan says which and why.\n\n"
        "If one and the same answer for everybody, in the middle of the map, would be as near, it says so, "
        "and a release needs --anyway.\n\n"
        "Reads the network and the ledger, both without changing them, and no private record.",
        {{"GEM on the lattice of its paper",
          "fogline place plan --network lattice:20x20:1500 --mechanism gem --epsilon 0.01"},
         {"in the sample city, as JSON", "fogline place plan --network city:1 --epsilon 0.02 --json"}}};
  }

  void declare(OptionSet& options) override {
    place_.declare(options);
    reports_.declare(options);
    ledger_.declare(options);
    options.group("Output");
    options.flag("--json", json_, "print JSON");
  }

  int run(Session& session) override {
    place_.epsilon.value();  // a bad option is said before a large map is read
    reports_.require();
    const roads::RoadNetwork map = place_.network.read(session);
    place::PlaceTerms terms = place_.terms();
    reports_.add_to(terms);
    const place::MechanismChoice choice = place_.choice(map, terms, session);
    const auto mechanism = place::make_place_mechanism(map, choice);
    terms.take(*mechanism);
    const auto error = mechanism->expected_error(
        {.prior = choice.prior, .threads = session.threads(), .progress = session.progress()});
    const auto worth = release::worth_of(map, choice, error);
    session.data(json_ ? to_text(as_json(terms, *mechanism, error, worth))
                       : as_text(terms, map, *mechanism, error, worth));
    return 0;
  }

 private:
  nlohmann::ordered_json as_json(const place::PlaceTerms& terms, const place::PlaceMechanism& mechanism,
                                 const place::ExpectedError& error,
                                 const std::optional<release::Worth>& worth) const {
    const auto guarantee = terms.guarantee();
    nlohmann::ordered_json result = {{"kind", "place"},
                                     {"mechanism", mechanism.name()},
                                     {"notion", to_string(guarantee.notion())},
                                     {"unit", guarantee.unit()},
                                     {"epsilon", guarantee.epsilon().to_string()},
                                     {"epsilon_measure", to_string(guarantee.measure())},
                                     {"exactness", to_string(guarantee.exactness())},
                                     {"q_loss_m", error.q_loss_m},
                                     {"q_loss_standard_error_m", error.standard_error_m},
                                     {"needs_anyway", worth && !worth->is_better()}};
    if (const auto bound = mechanism.lower_bound_m()) result["lower_bound_m"] = *bound;
    result.update(mechanism.parameters());
    result["remap"] = terms.remap;
    result["prior"] =
        place_.prior.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(terms.prior->name);
    if (terms.range_vertices > 0) result["range_vertices"] = terms.range_vertices;
    BudgetView(ledger_, guarantee).add_to(result);
    result["remarks"] = remarks(mechanism);
    result["promise"] = terms.promise();
    result["not_protected"] = terms.not_protected();
    return result;
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

  std::string as_text(const place::PlaceTerms& terms, const roads::RoadNetwork& map,
                      const place::PlaceMechanism& mechanism, const place::ExpectedError& error,
                      const std::optional<release::Worth>& worth) const {
    const BudgetView budget(ledger_, terms.guarantee());
    std::vector<std::pair<std::string, std::string>> rows{
        {"network", fmt::format("{}: {} vertices, {} roads", map.source, grouped(map.vertex_count()),
                                grouped(map.graph.edge_count()))},
        {"mechanism", std::string(mechanism.name()) +
                          (place_.remap ? ", outputs moved to the best guess" : "") +
                          (place_.prior.empty() ? "" : ", prior " + place_.prior)},
        {"guarantee", to_string(terms.guarantee())}};
    budget.add_to(rows);
    rows.emplace_back("expected error", release::to_text(error));
    if (const auto own = mechanism.parameters(); own.contains("cap_m")) {
      rows.emplace_back("search radius", fmt::format("{:.0f} m; all vertices farther away are equally likely",
                                                     own["cap_m"].get<double>()));
    }
    std::string text = fields(rows);
    if (worth) text += spelled(worth->remark());
    for (const std::string& remark : remarks(mechanism)) text += remark + "\n";
    for (const std::string& sentence : terms.promise()) text += sentence + "\n";
    text += budget.remarks();
    return text;
  }

  release::PlaceFields place_;
  release::ReportFields reports_;
  LedgerBlock ledger_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> place_plan() {
  return std::make_unique<PlacePlan>();
}

}  // namespace fogline::cli
