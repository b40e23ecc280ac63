// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "release/analyses/analysis.hpp"
#include "release/analyses/budget_view.hpp"
#include "release/kinds.hpp"
#include "release/weights_fields.hpp"
#include "weights/mechanisms/noise.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;
using weights::Prediction;
using weights::WeightTerms;

class WeightsPlan : public Analysis {
 public:
  std::string kind() const override { return "weights"; }
  std::string verb() const override { return "plan"; }
  LedgerFields* ledger() override { return &ledger_; }

  void declare(FieldTable& table) override {
    release_.declare(table);
    ledger_.declare(table);
  }

  Findings run(Caller& /*caller*/) override {
    release_.weights.epsilon_value();
    if (release_.weights.published) {
      release_.weights.published_options();  // says what is wrong with the fields first
      throw InvalidOption("published",
                          "forms promise nothing, so there is nothing to plan; an audit shows why");
    }
    const WeightTerms terms = release_.terms();
    const std::vector<double> prior = release_.weights.prior_of_points();
    const std::vector<Candidate> all = candidates(terms, prior);
    const auto worth = worth_of(terms, all.front().prediction.expected_error, prior);
    const BudgetView budget(ledger_, terms.guarantee());

    Findings found(as_json(terms, all, worth, budget));
    found.add(rows(terms, all, budget));
    if (worth) found.add(worth->remarks());
    found.add(advice(terms, all.front().prediction));
    found.add(terms.promise());
    found.add(budget.remarks());
    return found;
  }

 private:
  /// A mechanism that protects the unit, and what is to be expected of it.
  struct Candidate {
    std::string name;
    Prediction prediction;
  };

  /// The chosen mechanism first, then the others for the same unit.
  static std::vector<Candidate> candidates(const WeightTerms& terms, const std::vector<double>& prior) {
    std::vector<Candidate> all;
    const auto add = [&](const std::string& name) {
      weights::MechanismChoice choice = terms.choice(prior);
      choice.name = name;
      if (name != "blocks") choice.epsilon = terms.epsilon;
      all.push_back({name, weights::make_mechanism(choice)->predict(prior)});
    };
    add(terms.mechanism);
    for (const auto name : weights::mechanism_names()) {
      if (name == terms.mechanism) continue;
      const bool fits = name == "blocks" ? terms.protection.unit == weights::ProtectedUnit::edge &&
                                               terms.grid.points() <= 20'000
                        : name == "staircase" ? terms.protection.unit != weights::ProtectedUnit::trip
                                              : true;
      if (fits) add(std::string(name));
    }
    return all;
  }

  static Json as_json(const WeightTerms& terms, const std::vector<Candidate>& all,
                      const std::optional<Worth>& worth, const BudgetView& budget) {
    const auto guarantee = terms.guarantee();
    const Prediction& own = all.front().prediction;
    const auto known = [](bool is_known, double value) { return is_known ? Json(value) : Json(); };
    Json others = Json::object();
    for (const Candidate& candidate : all) others[candidate.name] = candidate.prediction.expected_error;
    Json json = {{"kind", "weights"},
                 {"mechanism", terms.mechanism},
                 {"notion", to_string(guarantee.notion())},
                 {"unit", guarantee.unit()},
                 {"epsilon", guarantee.epsilon().to_string()},
                 {"exactness", to_string(guarantee.exactness())},
                 {"expected_error", known(is_public(terms), own.expected_error)},
                 {"floor", known(own.floor && is_public(terms), own.floor.value_or(0))},
                 {"best_constant", known(terms.grid.is_finite(), own.best_constant)},
                 {"needs_anyway", worth && !worth->is_better()},
                 {"mechanisms", others},
                 {"prior", to_string(terms.prior)},
                 {"parameters", terms.parameters()}};
    budget.add_to(json);
    json["promise"] = terms.promise();
    return json;
  }

  static Findings::Rows rows(const WeightTerms& terms, const std::vector<Candidate>& all,
                             const BudgetView& budget) {
    const Prediction& own = all.front().prediction;
    const bool finite = terms.grid.is_finite();
    Findings::Rows rows{{"mechanism", terms.mechanism}, {"guarantee", to_string(terms.guarantee())}};
    budget.add_to(rows);
    rows.emplace_back(finite ? "expected error" : "size of noise",
                      fmt::format("{:.4g} a weight, {}{}", own.expected_error, likely(terms),
                                  finite && !is_plain(terms) ? ", before estimates" : ""));
    if (own.floor && is_public(terms)) {
      rows.emplace_back("floor", fmt::format("{:.4g}: no release with this promise has less, on average over "
                                             "weights drawn independently, {}",
                                             *own.floor, likely(terms)));
    }
    if (finite)
      rows.emplace_back("best constant", fmt::format("{:.4g}, which costs nothing", own.best_constant));
    for (std::size_t i = 1; i < all.size(); ++i)
      rows.emplace_back("with " + all[i].name, fmt::format("{:.4g}", all[i].prediction.expected_error));
    return rows;
  }

  /// What would do better.
  static std::vector<std::string> advice(const WeightTerms& terms, const Prediction& own) {
    std::vector<std::string> all;
    if (terms.grid.is_finite() && is_plain(terms) && own.expected_error > own.best_constant)
      all.emplace_back("`estimate` median or mean makes better weights of what is drawn.");
    if (terms.mechanism == "blocks" && terms.prior == weights::PriorSource::flat) {
      all.emplace_back(
          "If the weights are far from even over the range, `prior` noisy, which a part of epsilon pays for, "
          "does much better; a public prior costs nothing.");
    }
    if (terms.rounding == weights::Rounding::nearest &&
        terms.protection.unit != weights::ProtectedUnit::edge) {
      all.push_back(
          fmt::format("Rounding counts one step more: a finer `step` than {} would make the noise smaller.",
                      terms.grid.step_text()));
    }
    return all;
  }

  /// Is a drawn number released as it is?
  static bool is_plain(const WeightTerms& terms) {
    return terms.finish == weights::Finish::plain && !terms.order_file;
  }

  /// Is the prior known before the release?
  static bool is_public(const WeightTerms& terms) { return terms.prior != weights::PriorSource::noisy; }

  static std::string likely(const WeightTerms& terms) {
    if (!terms.grid.is_finite()) return "before estimates";
    switch (terms.prior) {
      case weights::PriorSource::file:
        return "each weight as likely as the prior says";
      case weights::PriorSource::noisy:
        return "if all weights of the range were alike; the noisy prior is known only after it is paid for";
      case weights::PriorSource::flat:
        break;
    }
    return "all weights of the range alike";
  }

  WeightsReleaseFields release_;
  LedgerFields ledger_;
};

}  // namespace

std::unique_ptr<Analysis> weights_plan() {
  return std::make_unique<WeightsPlan>();
}

}  // namespace fogline::release
