// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "cli/blocks.hpp"
#include "cli/verbs.hpp"
#include "release/weights_fields.hpp"
#include "weights/attacks.hpp"
#include "weights/published_attacks.hpp"

namespace fogline::cli {
namespace {

using Json = nlohmann::ordered_json;
using weights::AttackCount;
using weights::YesNoAttack;

std::string line(const char* question, double success, double without, double bound) {
  return fmt::format("{:<44}{:>10.4f}{:>10.4f}{:>10.4f}\n", question, success, without, bound);
}

std::string heading(const char* bound) {
  return fmt::format("{:<44}{:>10}{:>10}{:>10}\n", "probability that the attacker is right", "released",
                     "without", bound);
}

class WeightsAttack : public Command {
 public:
  CommandInfo info() const override {
    return {{"weights", "attack"},
            "Attack a release of edge weights and say what the attackers learn",
            "Three questions, each by somebody who knows the mechanism, the graph and how weights are "
            "distributed: which of two edges is the heavier; are two "
            "weights equal; what is one edge's weight, with all others known. Beside each success stands "
            "what the guarantee allows: exchanging two "
            "weights moves two edges, so their order may cost twice epsilon; the others move one.\n\n"
            "For a sound mechanism everything is computed exactly from its probabilities, under --prior or "
            "all weights of the range alike. For a published form, "
            "releases of invented weights are drawn with a fixed public seed: edges have one of --levels "
            "weights each. No private file is read, and no ledger.",
            {{"what blocks leave to an attacker",
              "fogline weights attack --mechanism blocks --range 100:600 --epsilon 5"},
             {"a form of the paper that tells the order of any two weights",
              "fogline weights attack --mechanism lap-ci --published --range 100:600 --epsilon 0.1"}}};
  }

  void declare(OptionSet& options) override {
    weights_.declare(options);
    options.group("Attack on a published form");
    options.value("--levels", "N", levels_, "weights an edge can have, evenly over the range (20)");
    options.value("--releases", "N", releases_, "releases drawn (400)");
    options.value("--seed", "N", seed_, "another draw for another number (1)");
    options.group("Output");
    options.flag("--json", json_, "print JSON");
  }

  int run(Session& session) override {
    session.data(weights_.published ? on_published(session) : on_sound());
    return 0;
  }

 private:
  std::string on_sound() const {
    const weights::WeightTerms terms = weights_.terms();
    if (terms.prior == weights::PriorSource::noisy)
      throw InvalidOption("prior", "noisy is made from private weights; attack with flat or a file");
    const std::vector<double> prior = weights_.prior_of_points();
    const auto mechanism = weights::make_mechanism(terms.choice(prior));
    const weights::WeightAttacks found = weights::attack(*mechanism, prior);
    return json_ ? to_text(as_json(*mechanism, found)) : as_text(*mechanism, found);
  }

  std::string on_published(Session& session) const {
    const weights::PublishedWeights::Options options = weights_.published_options();
    const weights::PublishedAttacks found = weights::attack_published(
        options, {.levels = levels_, .releases = releases_, .seed = seed_, .threads = session.threads()});
    return json_ ? to_text(as_json(options, found)) : as_text(options, found);
  }

  static Json numbers(const YesNoAttack& asked) {
    return {{"success", asked.success}, {"without", asked.without}, {"bound", asked.bound}};
  }

  static Json numbers(const AttackCount& count, double bound) {
    return {{"asked", count.asked},
            {"answered", count.answered},
            {"right", count.right},
            {"success", count.success()},
            {"claimed_bound", bound}};
  }

  static Json as_json(const weights::EdgeMechanism& mechanism, const weights::WeightAttacks& found) {
    const weights::OneEdgeAttack& one = found.one_edge;
    Json json = {{"kind", "weights"},
                 {"mechanism", mechanism.name()},
                 {"guarantee", to_string(mechanism.guarantee())},
                 {"exact", found.exact},
                 {"order", numbers(found.order)},
                 {"equality", numbers(found.equality)},
                 {"one_edge",
                  {{"error", one.error},
                   {"error_without", one.error_without},
                   {"floor", nullptr},
                   {"hits", one.hits},
                   {"hits_without", one.hits_without},
                   {"hits_bound", one.hits_bound}}}};
    if (one.floor) json["one_edge"]["floor"] = *one.floor;
    return json;
  }

  Json as_json(const weights::PublishedWeights::Options& options,
               const weights::PublishedAttacks& found) const {
    return {{"kind", "weights"},
            {"mechanism", to_string(options.strategy)},
            {"guarantee", "none"},
            {"reason", weights::reason(options.strategy)},
            {"claimed_epsilon", options.epsilon},
            {"levels", levels_},
            {"releases", releases_},
            {"order", numbers(found.order, found.order_bound)},
            {"equality", numbers(found.equality, found.other_bound)},
            {"one_edge", numbers(found.one_edge, found.other_bound)}};
  }

  static std::string as_text(const weights::EdgeMechanism& mechanism, const weights::WeightAttacks& found) {
    const weights::OneEdgeAttack& one = found.one_edge;
    std::string text = fields({{"mechanism", std::string(mechanism.name())},
                               {"promise", to_string(mechanism.guarantee())},
                               {"weights", fmt::format("{} in steps of {}", mechanism.grid().range_text(),
                                                       mechanism.grid().step_text())}});
    text += heading("allowed");
    text += line("which of two edges is the heavier", found.order.success, found.order.without,
                 found.order.bound);
    text +=
        line("are two weights equal", found.equality.success, found.equality.without, found.equality.bound);
    text += line("one edge's weight, all others known", one.hits, one.hits_without, one.hits_bound);
    text += fmt::format("mean error of the best guess of that weight {:.6g}, without the release {:.6g}{}\n",
                        one.error, one.error_without,
                        one.floor ? fmt::format(", allowed {:.6g}", *one.floor) : "");
    if (!found.exact)
      text += "drawn numbers far outside the range were lumped: the best attackers do a little better\n";
    return text;
  }

  std::string as_text(const weights::PublishedWeights::Options& options,
                      const weights::PublishedAttacks& found) const {
    std::string text = fields({{"mechanism", fmt::format("{}, as published; claimed epsilon {}",
                                                         to_string(options.strategy), options.epsilon)},
                               {"promise", fmt::format("none: {}", weights::reason(options.strategy))},
                               {"drawn", fmt::format("{} releases of invented weights at {} levels",
                                                     grouped(releases_), grouped(levels_))}});
    text += heading("claimed");
    text += line("which of two edges is the heavier", found.order.success(), 0.5, found.order_bound);
    text += line("are two weights equal", found.equality.success(), 0.5, found.other_bound);
    text += line("one edge's weight, of two, others known", found.one_edge.success(), 0.5, found.other_bound);
    text +=
        fmt::format("the order was told in {} of {} releases, and was right in {} of these\n",
                    grouped(found.order.answered), grouped(found.order.asked), grouped(found.order.right));
    return text;
  }

  release::WeightsFields weights_;
  std::uint64_t levels_ = 20, releases_ = 400, seed_ = 1;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> weights_attack() {
  return std::make_unique<WeightsAttack>();
}

}  // namespace fogline::cli
