// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/blocks.hpp"
#include "cli/budget_view.hpp"
#include "cli/spelling.hpp"
#include "cli/verbs.hpp"
#include "release/weights_fields.hpp"
#include "weights/noise.hpp"

namespace fogline::cli {
namespace {

using weights::Prediction;
using weights::WeightTerms;

/// A mechanism that protects the unit, and what is to be expected of it.
struct Candidate {
  std::string name;
  Prediction prediction;
};

class WeightsPlan : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"weights", "plan"},
        "Say what a release of edge weights would promise, cost and blur, reading no private weight",
        "Prints the guarantee, what one release charges to the ledger, what the dataset has left, and "
        "the expected "
        "absolute error of one weight: of the mechanism, of the others that protect the same unit, of "
        "the best "
        "constant, and the floor below which no release with this promise can go on independent weights "
        "of the "
        "prior. The prior is flat over the range, or the public file given by --prior.\n\n"
        "A release of drawn weights that is not nearer to the truth than the best constant, by 1 % of its "
        "error at least, asks for --anyway. Without an end to the range only the size of the noise can be "
        "told beforehand; estimates "
        "(fogline weights release --estimate) make the error smaller where many edges have alike weights.\n\n"
        "Reads the ledger and the prior, both without changing them, and no private weight.",
        {{"the paper's first graph", "fogline weights plan --range 100:600 --epsilon 5"},
         {"one trip of at most 30 links, as JSON",
          "fogline weights plan --unit trip --most 30 --range 0:5000 --epsilon 1 --json"}}};
  }

  void declare(OptionSet& options) override {
    release_.declare(options);
    ledger_.declare(options);
    options.group("Output");
    options.flag("--json", json_, "print JSON");
  }

  int run(Session& session) override {
    release_.weights.epsilon_value();
    if (release_.weights.published) {
      release_.weights.published_options();  // says what is wrong with the options first
      throw InvalidOption(
          "published", "forms promise nothing, so there is nothing to plan; fogline weights audit shows why");
    }
    const WeightTerms terms = release_.terms();
    const std::vector<double> prior = release_.weights.prior_of_points();
    const std::vector<Candidate> all = candidates(terms, prior);
    const auto worth = release::worth_of(terms, all.front().prediction.expected_error, prior);
    session.data(json_ ? to_text(as_json(terms, all, worth)) : as_text(terms, all, worth));
    return 0;
  }

 private:
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

  nlohmann::ordered_json as_json(const WeightTerms& terms, const std::vector<Candidate>& all,
                                 const std::optional<release::Worth>& worth) const {
    const auto guarantee = terms.guarantee();
    const Prediction& own = all.front().prediction;
    const bool finite = terms.grid.is_finite();
    const auto known = [](bool is_known, double value) {
      return is_known ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
    };
    nlohmann::ordered_json others = nlohmann::ordered_json::object();
    for (const Candidate& candidate : all) others[candidate.name] = candidate.prediction.expected_error;
    nlohmann::ordered_json report{{"kind", "weights"},
                                  {"mechanism", terms.mechanism},
                                  {"notion", to_string(guarantee.notion())},
                                  {"unit", guarantee.unit()},
                                  {"epsilon", guarantee.epsilon().to_string()},
                                  {"exactness", to_string(guarantee.exactness())},
                                  {"expected_error", known(is_public(terms), own.expected_error)},
                                  {"floor", known(own.floor && is_public(terms), own.floor.value_or(0))},
                                  {"best_constant", known(finite, own.best_constant)},
                                  {"needs_anyway", worth && !worth->is_better()},
                                  {"mechanisms", others},
                                  {"prior", to_string(terms.prior)},
                                  {"parameters", terms.parameters()}};
    BudgetView(ledger_, guarantee).add_to(report);
    report["promise"] = terms.promise();
    return report;
  }

  std::string as_text(const WeightTerms& terms, const std::vector<Candidate>& all,
                      const std::optional<release::Worth>& worth) const {
    const Prediction& own = all.front().prediction;
    const BudgetView budget(ledger_, terms.guarantee());
    const bool finite = terms.grid.is_finite();
    std::vector<std::pair<std::string, std::string>> rows{{"mechanism", terms.mechanism},
                                                          {"guarantee", to_string(terms.guarantee())}};
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
    std::string text = fields(rows);
    if (worth) text += spelled(worth->remark());
    if (finite && is_plain(terms) && own.expected_error > own.best_constant)
      text += "--estimate median or mean makes better weights of what is drawn.\n";
    if (terms.mechanism == "blocks" && terms.prior == weights::PriorSource::flat) {
      text +=
          "If the weights are far from even over the range, --prior noisy, which a part of epsilon pays for, "
          "does much "
          "better; a public prior costs nothing.\n";
    }
    if (terms.rounding == weights::Rounding::nearest &&
        terms.protection.unit != weights::ProtectedUnit::edge) {
      text +=
          fmt::format("Rounding counts one step more: a finer --step than {} would make the noise smaller.\n",
                      terms.grid.step_text());
    }
    for (const std::string& sentence : terms.promise()) text += sentence + "\n";
    text += budget.remarks();
    return text;
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

  release::WeightsReleaseFields release_;
  LedgerBlock ledger_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> weights_plan() {
  return std::make_unique<WeightsPlan>();
}

}  // namespace fogline::cli
