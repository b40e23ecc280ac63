// SPDX-License-Identifier: Apache-2.0
#include "audit/kinds/weights_audit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "release/analyses/analysis.hpp"
#include "release/analyses/fit_view.hpp"
#include "release/analyses/whole_releases.hpp"
#include "release/kinds.hpp"
#include "release/weights_fields.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

class WeightsAudit : public Analysis {
 public:
  std::string kind() const override { return "weights"; }
  std::string verb() const override { return "audit"; }

  void declare(FieldTable& table) override {
    weights_.declare(table);
    table.group("Audit");
    table
        .value("samples", "N", samples_,
               "draws of each quarter of the range (100000); published: of each graph (200000)")
        .nonzero()
        .range("1000", "100000000");
  }

  Findings run(Caller& caller) override {
    return weights_.published ? audit_published(caller) : audit_sound(caller);
  }

 private:
  Findings audit_sound(Caller& caller) {
    const weights::WeightTerms terms = weights_.terms();
    if (terms.prior == weights::PriorSource::noisy) {
      throw InvalidOption("prior",
                          "noisy is two releases: audit blocks with a public prior, and `epsilon` "
                          "less the prior's share");
    }
    const auto mechanism = weights::make_mechanism(terms.choice(weights_.prior_of_points()));
    audit::WeightsAuditOptions options{
        .rounding = terms.rounding, .threads = caller.threads(), .progress = caller.progress()};
    if (samples_ > 0) options.samples = samples_;
    const audit::WeightsAudit audit = audit::audit_weights(*mechanism, options);

    const ReplayedReleases replayed = replayed_releases(*mechanism, caller);
    Json json = as_json(*mechanism, audit);
    json["releases"] = replayed.json();
    json["passed"] = audit.passed && !replayed.broken();
    if (replayed.broken()) json["verdict"] = replayed.accusation();
    Findings found(std::move(json));
    Findings::Rows told = rows(*mechanism, audit);
    told.emplace_back("releases", replayed.row());
    found.add(std::move(told));
    found.add(replayed.broken() ? replayed.accusation() : audit.sentence);
    found.passed = audit.passed && !replayed.broken();
    return found;
  }

  /// A triangle whose weights move as far as the unit of protection allows.
  ReplayedReleases replayed_releases(const weights::EdgeMechanism& mechanism, Caller& caller) {
    const weights::WeightGrid& grid = mechanism.grid();
    const weights::Protection& protection = mechanism.protection();
    const double most = protection.most.to_double();
    const std::int64_t last = grid.is_finite() ? static_cast<std::int64_t>(grid.points()) - 1
                                               : std::numeric_limits<std::int32_t>::max();
    const auto steps = [&](double weight) {
      return std::min(last, static_cast<std::int64_t>(std::floor(weight / grid.step() + 1e-9)));
    };
    std::vector<std::int64_t> before{0, 0, 0}, after = before;
    if (protection.unit == weights::ProtectedUnit::edge) {
      after[1] = last;
    } else if (protection.unit == weights::ProtectedUnit::change) {
      after[1] = steps(most);
    } else {
      for (std::size_t i = 0; i < after.size() && static_cast<double>(i) < most; ++i) after[i] = steps(1);
    }
    constexpr std::uint64_t most_points = 2'000;  // a table is built for each draw
    if (mechanism.outputs() > 0 && grid.points() > most_points)
      return {.why_not = fmt::format("the range has more than {} weights", grouped(most_points))};
    if (before == after) return {.why_not = "whatever the unit allows lies within one step of the grid"};
    const MakeRequest make = with_fields_of(*this, weights_release,
                                            [](const FieldTable& fields) { hold(fields, "anyway", true); });
    return replay_releases({.words = fmt::format("three weights, {}", protection.text(grid)),
                            .first = whole_release(make, triangle_of(weights_at(grid, before)), caller),
                            .second = whole_release(make, triangle_of(weights_at(grid, after)), caller),
                            .claimed_loss = mechanism.guarantee().epsilon().to_double()});
  }

  static std::vector<double> weights_at(const weights::WeightGrid& grid,
                                        const std::vector<std::int64_t>& points) {
    std::vector<double> weights;
    for (const std::int64_t point : points) weights.push_back(grid.value(point));
    return weights;
  }

  Findings audit_published(Caller& caller) const {
    const auto options = weights_.published_options("100:600");
    audit::PublishedWeightsAuditOptions effort{.threads = caller.threads(), .progress = caller.progress()};
    if (samples_ > 0) effort.most_samples = samples_;
    const audit::PublishedWeightsAudit audit = audit::audit_published_weights(
        weights_.mechanism, {.epsilon = options.epsilon, .range = options.range.value(), .k = options.k},
        effort);

    Findings found(as_json(options, audit));  // whatever it shows is the answer, so it passes
    found.add(rows(audit));
    found.add(audit.sentence);
    return found;
  }

  static Findings::Rows rows(const weights::EdgeMechanism& mechanism, const audit::WeightsAudit& audit) {
    const std::string checked =
        audit.table ? fmt::format("any two of {} weights, {} outputs each",
                                  grouped(mechanism.grid().points()), grouped(mechanism.outputs()))
                    : fmt::format("noise for {} step{} of the grid; neighbours are {} apart",
                                  grouped(audit.rule->declared_steps),
                                  audit.rule->declared_steps == 1 ? "" : "s", grouped(audit.rule->steps));
    const audit::EdgeDraws& draws = audit.draws;
    return {{"mechanism", std::string(mechanism.name())},
            {"claim", to_string(mechanism.guarantee())},
            {"largest loss", fmt::format("[{}, {}], {:.2f} % of epsilon", audit.loss_low, audit.loss_high,
                                         100 * audit.share_of_epsilon)},
            {"checked", checked},
            {"fit", fit_words(draws.fit, draws.draws, audit::WeightsAuditOptions::public_seed)},
            {"independence",
             fmt::format("{} by {} pairs of edges", draws.pairs.fits ? "not contradicted" : "contradicted",
                         grouped(draws.pairs_of_edges))}};
  }

  static Json as_json(const weights::EdgeMechanism& mechanism, const audit::WeightsAudit& audit) {
    const auto guarantee = mechanism.guarantee();
    Json json = {{"kind", "weights"},
                 {"mechanism", mechanism.name()},
                 {"form", "sound"},
                 {"notion", to_string(guarantee.notion())},
                 {"unit", guarantee.unit()},
                 {"epsilon", guarantee.epsilon().to_string()},
                 {"passed", audit.passed},
                 {"certified", audit.certified},
                 {"method", audit.table ? "table" : "rule of the noise"},
                 {"loss_low", audit.loss_low},
                 {"loss_high", audit.loss_high},
                 {"share_of_epsilon", audit.share_of_epsilon},
                 {"edges_that_differ", audit.edges_that_differ}};
    if (audit.table) {
      json["outputs"] = mechanism.outputs();
    } else {
      json["noise_made_for_steps"] = audit.rule->declared_steps;
      json["sensitivity_steps"] = audit.rule->steps;
    }
    const audit::EdgeDraws& draws = audit.draws;
    json["fit"] = {{"fits", draws.fit.fits},
                   {"false_alarm", draws.fit.false_alarm},
                   {"public_seed", audit::WeightsAuditOptions::public_seed},
                   {"inputs", fit_inputs(draws.fit, "weight", draws.weights)}};
    json["independence"] = {{"contradicted", !draws.pairs.fits},
                            {"pairs", draws.pairs_of_edges},
                            {"tables", fit_inputs(draws.pairs, "of", draws.apart)}};
    json["verdict"] = audit.sentence;
    return json;
  }

  static Findings::Rows rows(const audit::PublishedWeightsAudit& audit) {
    const audit::Finding& shown = audit.finding;
    return {{"paper claims", audit.claim},
            {"promise", "none"},
            {"true epsilon",
             fmt::format("at least {:.4g}, confidence {}", shown.loss_at_least, shown.confidence)},
            {"neighbours", shown.pair_words},
            {"event", shown.event.empty() ? "none told them apart" : shown.event},
            {"replay", audit.replayed.broken ? audit.replayed.reason : "nothing went round the noise"},
            {"samples", grouped(shown.samples)}};
  }

  Json as_json(const weights::PublishedWeights::Options& options,
               const audit::PublishedWeightsAudit& audit) const {
    const audit::Finding& shown = audit.finding;
    return {{"kind", "weights"},
            {"mechanism", weights_.mechanism},
            {"form", "published"},
            {"guarantee", "none"},
            {"claimed_epsilon", options.epsilon},
            {"k", options.k},
            {"broken", audit.broken},
            {"loss_at_least", shown.loss_at_least},
            {"confidence", shown.confidence},
            {"event", shown.event},
            {"pair", shown.pair_words},
            {"samples", shown.samples},
            {"shown_by_samples", shown.broken},
            {"shown_by_replay", audit.replayed.broken},
            {"replay", audit.replayed.reason},
            {"reason", audit.reason},
            {"verdict", audit.sentence}};
  }

  WeightsFields weights_;
  std::uint64_t samples_ = 0;
};

}  // namespace

std::unique_ptr<Analysis> weights_audit() {
  return std::make_unique<WeightsAudit>();
}

}  // namespace fogline::release
