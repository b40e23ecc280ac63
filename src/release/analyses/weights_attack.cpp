// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "release/analyses/analysis.hpp"
#include "release/kinds.hpp"
#include "release/weights_fields.hpp"
#include "weights/measures/attacks.hpp"
#include "weights/paper/published_attacks.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

class WeightsAttack : public Analysis {
 public:
  std::string kind() const override { return "weights"; }
  std::string verb() const override { return "attack"; }

  void declare(FieldTable& table) override {
    weights_.declare(table);
    table.group("Attack on a published form");
    table.value("levels", "N", levels_, "weights an edge can have, evenly over the range (20)")
        .range("2", "1000");
    table.value("releases", "N", releases_, "releases drawn (400)").range("1", "1000000");
    table.value("seed", "N", seed_, "another draw for another number (1)");
  }

  Findings run(Caller& caller) override { return weights_.published ? on_published(caller) : on_sound(); }

 private:
  Findings on_sound() const {
    const weights::WeightTerms terms = weights_.terms();
    if (terms.prior == weights::PriorSource::noisy)
      throw InvalidOption("prior", "noisy is made from private weights; attack with flat or a file");
    const std::vector<double> prior = weights_.prior_of_points();
    const auto mechanism = weights::make_mechanism(terms.choice(prior));
    const weights::WeightAttacks attacks = weights::attack(*mechanism, prior);
    const weights::OneEdgeAttack& one = attacks.one_edge;

    Findings found(as_json(*mechanism, attacks));
    found.add(Findings::Rows{{"mechanism", std::string(mechanism->name())},
                             {"promise", to_string(mechanism->guarantee())},
                             {"weights", fmt::format("{} in steps of {}", mechanism->grid().range_text(),
                                                     mechanism->grid().step_text())}});
    found.add(table(
        "allowed", {row("which of two edges is the heavier", attacks.order.success, attacks.order.without,
                        attacks.order.bound),
                    row("are two weights equal", attacks.equality.success, attacks.equality.without,
                        attacks.equality.bound),
                    row("one edge's weight, all others known", one.hits, one.hits_without, one.hits_bound)}));
    found.add(fmt::format("mean error of the best guess of that weight {:.6g}, without the release {:.6g}{}",
                          one.error, one.error_without,
                          one.floor ? fmt::format(", allowed {:.6g}", *one.floor) : ""));
    if (!attacks.exact)
      found.add("drawn numbers far outside the range were lumped: the best attackers do a little better");
    return found;
  }

  Findings on_published(Caller& caller) const {
    const weights::PublishedWeights::Options options = weights_.published_options();
    const weights::PublishedAttacks attacks = weights::attack_published(
        options, {.levels = levels_, .releases = releases_, .seed = seed_, .threads = caller.threads()});

    Findings found(as_json(options, attacks));
    found.add(Findings::Rows{{"mechanism", fmt::format("{}, as published; claimed epsilon {}",
                                                       to_string(options.strategy), options.epsilon)},
                             {"promise", fmt::format("none: {}", weights::reason(options.strategy))},
                             {"drawn", fmt::format("{} releases of invented weights at {} levels",
                                                   grouped(releases_), grouped(levels_))}});
    found.add(
        table("claimed",
              {row("which of two edges is the heavier", attacks.order.success(), 0.5, attacks.order_bound),
               row("are two weights equal", attacks.equality.success(), 0.5, attacks.other_bound),
               row("one edge's weight, of two, others known", attacks.one_edge.success(), 0.5,
                   attacks.other_bound)}));
    found.add(fmt::format("the order was told in {} of {} releases, and was right in {} of these",
                          grouped(attacks.order.answered), grouped(attacks.order.asked),
                          grouped(attacks.order.right)));
    return found;
  }

  static std::vector<std::string> row(const char* question, double success, double without, double bound) {
    return {question, fmt::format("{:.4f}", success), fmt::format("{:.4f}", without),
            fmt::format("{:.4f}", bound)};
  }

  static Findings::Table table(const char* bound, std::vector<std::vector<std::string>> rows) {
    return {{{"probability that the attacker is right", 44, Findings::Align::left},
             {"released", 10},
             {"without", 10},
             {bound, 10}},
            std::move(rows)};
  }

  static Json numbers(const weights::YesNoAttack& asked) {
    return {{"success", asked.success}, {"without", asked.without}, {"bound", asked.bound}};
  }

  static Json numbers(const weights::AttackCount& count, double bound) {
    return {{"asked", count.asked},
            {"answered", count.answered},
            {"right", count.right},
            {"success", count.success()},
            {"claimed_bound", bound}};
  }

  static Json as_json(const weights::EdgeMechanism& mechanism, const weights::WeightAttacks& attacks) {
    const weights::OneEdgeAttack& one = attacks.one_edge;
    return {{"kind", "weights"},
            {"mechanism", mechanism.name()},
            {"guarantee", to_string(mechanism.guarantee())},
            {"exact", attacks.exact},
            {"order", numbers(attacks.order)},
            {"equality", numbers(attacks.equality)},
            {"one_edge",
             {{"error", one.error},
              {"error_without", one.error_without},
              {"floor", one.floor ? Json(*one.floor) : Json()},
              {"hits", one.hits},
              {"hits_without", one.hits_without},
              {"hits_bound", one.hits_bound}}}};
  }

  Json as_json(const weights::PublishedWeights::Options& options,
               const weights::PublishedAttacks& attacks) const {
    return {{"kind", "weights"},
            {"mechanism", to_string(options.strategy)},
            {"guarantee", "none"},
            {"reason", weights::reason(options.strategy)},
            {"claimed_epsilon", options.epsilon},
            {"levels", levels_},
            {"releases", releases_},
            {"order", numbers(attacks.order, attacks.order_bound)},
            {"equality", numbers(attacks.equality, attacks.other_bound)},
            {"one_edge", numbers(attacks.one_edge, attacks.other_bound)}};
  }

  WeightsFields weights_;
  std::uint64_t levels_ = 20, releases_ = 400, seed_ = 1;
};

}  // namespace

std::unique_ptr<Analysis> weights_attack() {
  return std::make_unique<WeightsAttack>();
}

}  // namespace fogline::release
