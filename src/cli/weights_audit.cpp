// SPDX-License-Identifier: Apache-2.0
#include "audit/weights_audit.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/blocks.hpp"
#include "cli/spelling.hpp"
#include "cli/verbs.hpp"
#include "release/weights_fields.hpp"

namespace fogline::cli {
namespace {

using Json = nlohmann::ordered_json;

class WeightsAuditVerb : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"weights", "audit"},
        "Check that a mechanism for edge weights keeps its promise, reading no private record",
        "A sound mechanism draws each edge by itself, so one edge's loss is audited. A table (blocks) is "
        "certified "
        "exactly: its integers, between any two weights of the range. Noise (geometric, staircase) is "
        "certified by its rule: the sensitivity is worked out anew from unit, range and step, and compared "
        "with the one the noise is made for. Then weights all over the range are drawn with a fixed public "
        "seed: the draws are compared with the table or the law, and pairs of edges with independent ones, "
        "which can contradict that edges are drawn by themselves, but not prove it. A right mechanism fails "
        "this in fewer than one of a million audits. Neighbours differ in one "
        "edge, or for a trip in at most --most edges, whose losses are added up. Exit code 1 if a fault is "
        "found.\n\n"
        "A form of the paper (--published) promises nothing, and the audit says what the paper's claim is "
        "worth: a lower bound on the true epsilon, with a confidence of 99.9999 %, on two graphs that the "
        "paper calls neighbours. Samples show no more than about ln(samples) - 4; a replay with the same "
        "noise also shows private data that goes round the noise, at any epsilon. Exit code 0: the bound is "
        "the answer.\n\n"
        "Reads no graph, no ledger and no private record.",
        {{"the default for an edge's whole weight, as JSON",
          "fogline weights audit --mechanism blocks --range 100:600 --epsilon 10 --json"},
         {"what the paper's claim for MB-CI is worth",
          "fogline weights audit --mechanism mb-ci --published --epsilon 1"}}};
  }

  void declare(OptionSet& options) override {
    weights_.declare(options);
    options.group("Audit");
    options
        .value("--samples", "N", samples_,
               "draws of each quarter of the range (100000); published: of each graph (200000)")
        .nonzero();
    options.group("Output");
    options.flag("--json", json_, "print JSON");
  }

  int run(Session& session) override {
    return weights_.published ? audit_published(session) : audit_sound(session);
  }

 private:
  int audit_sound(Session& session) {
    const weights::WeightTerms terms = weights_.terms();
    if (terms.prior == weights::PriorSource::noisy) {
      throw InvalidOption("prior",
                          "noisy is two releases: audit blocks with a public prior, and --epsilon "
                          "less the prior's share");
    }
    const auto mechanism = weights::make_mechanism(terms.choice(weights_.prior_of_points()));
    audit::WeightsAuditOptions options{
        .rounding = terms.rounding, .threads = session.threads(), .progress = session.progress()};
    if (samples_ > 0) options.samples = samples_;
    const audit::WeightsAudit audit = audit::audit_weights(*mechanism, options);
    session.data(json_ ? to_text(as_json(*mechanism, audit)) : as_text(*mechanism, audit));
    return audit.passed ? 0 : 1;
  }

  int audit_published(Session& session) {
    const auto options = weights_.published_options("100:600");
    audit::PublishedWeightsAuditOptions effort{.threads = session.threads(), .progress = session.progress()};
    if (samples_ > 0) effort.most_samples = samples_;
    const audit::PublishedWeightsAudit audit = audit::audit_published_weights(
        weights_.mechanism, {.epsilon = options.epsilon, .range = options.range.value(), .k = options.k},
        effort);
    session.data(json_ ? to_text(as_json(options, audit)) : as_text(audit));
    return 0;
  }

  static std::string as_text(const weights::EdgeMechanism& mechanism, const audit::WeightsAudit& audit) {
    std::vector<std::pair<std::string, std::string>> rows{
        {"mechanism", std::string(mechanism.name())},
        {"claim", to_string(mechanism.guarantee())},
        {"largest loss", fmt::format("[{}, {}], {:.2f} % of epsilon", audit.loss_low, audit.loss_high,
                                     100 * audit.share_of_epsilon)}};
    if (audit.table) {
      rows.emplace_back(
          "checked", fmt::format("any two of {} weights, {} outputs each", grouped(mechanism.grid().points()),
                                 grouped(mechanism.outputs())));
    } else {
      rows.emplace_back("checked",
                        fmt::format("noise for {} step{} of the grid; neighbours are {} apart",
                                    grouped(audit.rule->declared_steps),
                                    audit.rule->declared_steps == 1 ? "" : "s", grouped(audit.rule->steps)));
    }
    rows.emplace_back("fit",
                      fmt::format("{} draws (public seed {}): {}; chi-square {:+.2f} deviations at most",
                                  grouped(audit.draws.draws), audit::WeightsAuditOptions::public_seed,
                                  audit.draws.fit.fits ? "as they should be" : "not as they should be",
                                  audit.draws.fit.largest_deviations()));
    rows.emplace_back(
        "independence",
        fmt::format("{} by {} pairs of edges", audit.draws.pairs.fits ? "not contradicted" : "contradicted",
                    grouped(audit.draws.pairs_of_edges)));
    return fields(rows) + audit.sentence + "\n";
  }

  static Json as_json(const weights::EdgeMechanism& mechanism, const audit::WeightsAudit& audit) {
    const auto guarantee = mechanism.guarantee();
    Json result = {{"kind", "weights"},
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
      result["outputs"] = mechanism.outputs();
    } else {
      result["noise_made_for_steps"] = audit.rule->declared_steps;
      result["sensitivity_steps"] = audit.rule->steps;
    }
    const audit::EdgeDraws& draws = audit.draws;
    result["fit"] = {{"fits", draws.fit.fits},
                     {"false_alarm", draws.fit.false_alarm},
                     {"public_seed", audit::WeightsAuditOptions::public_seed},
                     {"inputs", as_json("weight", draws.weights, draws.fit)}};
    result["independence"] = {{"contradicted", !draws.pairs.fits},
                              {"pairs", draws.pairs_of_edges},
                              {"tables", as_json("of", draws.apart, draws.pairs)}};
    result["verdict"] = audit.sentence;
    return result;
  }

  static Json as_json(const char* name, const std::vector<std::string>& words, const audit::FitVerdict& fit) {
    Json inputs = Json::array();
    for (std::size_t i = 0; i < words.size(); ++i) {
      const audit::InputFit& one = fit.inputs[i];
      inputs.push_back({{name, words[i]},
                        {"samples", one.samples},
                        {"impossible", one.impossible},
                        {"events", one.events},
                        {"failures", one.failures},
                        {"chi_square_deviations", one.chi_square.deviations}});
    }
    return inputs;
  }

  static std::string as_text(const audit::PublishedWeightsAudit& audit) {
    const audit::Finding& found = audit.finding;
    return fields({{"paper claims", audit.claim},
                   {"promise", "none"},
                   {"true epsilon",
                    fmt::format("at least {:.4g}, confidence {}", found.loss_at_least, found.confidence)},
                   {"neighbours", found.pair_words},
                   {"event", found.event.empty() ? "none told them apart" : found.event},
                   {"replay",
                    audit.replayed.broken ? spelled(audit.replayed.reason) : "nothing went round the noise"},
                   {"samples", grouped(found.samples)}}) +
           audit.sentence + "\n";
  }

  Json as_json(const weights::PublishedWeights::Options& options,
               const audit::PublishedWeightsAudit& audit) const {
    const audit::Finding& found = audit.finding;
    return {{"kind", "weights"},
            {"mechanism", weights_.mechanism},
            {"form", "published"},
            {"guarantee", "none"},
            {"claimed_epsilon", options.epsilon},
            {"k", options.k},
            {"broken", audit.broken},
            {"loss_at_least", found.loss_at_least},
            {"confidence", found.confidence},
            {"event", found.event},
            {"pair", found.pair_words},
            {"samples", found.samples},
            {"shown_by_samples", found.broken},
            {"shown_by_replay", audit.replayed.broken},
            {"replay", audit.replayed.reason},
            {"reason", audit.reason},
            {"verdict", audit.sentence}};
  }

  release::WeightsFields weights_;
  std::uint64_t samples_ = 0;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> weights_audit() {
  return std::make_unique<WeightsAuditVerb>();
}

}  // namespace fogline::cli
