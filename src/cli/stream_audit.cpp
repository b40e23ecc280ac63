// SPDX-License-Identifier: Apache-2.0
#include "audit/stream_audit.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/blocks.hpp"
#include "cli/verbs.hpp"
#include "release/stream_fields.hpp"

namespace fogline::cli {
namespace {

using Json = nlohmann::ordered_json;

class StreamAuditVerb : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"stream", "audit"},
        "Check that the mechanism of a stream keeps its promise, reading no private state",
        "Walks of the model are released as a stream would be, and at every step the mechanism is certified "
        "from the integers it draws with: over all joined states and all answers. Then the weights that it "
        "states are compared between joined states at all answers of a table, or for noise beyond states "
        "that lie farthest apart, along the corners and facets of the sensitivity hull. At some steps "
        "draws, with a fixed public seed, are compared with these weights (of noise on a lattice coarse "
        "enough to list its answers), and the falsifier tries to tell joined states apart. A right "
        "mechanism fails this in fewer than one of a million audits. Exit code 1 if a fault is found.\n\n"
        "Counted besides: steps at which the policy left a possible state exposed, and steps at which an "
        "answer may tell states apart for certain that the policy does not join.\n\n"
        "Reads the model and the policy, no private state and no ledger.",
        {{"cells of 340 m, what one state leads to must look alike",
          "fogline sample stream -o states.csv --public trips.csv -q && fogline stream learn trips.csv "
          "--grid 340 -o model.json -q && fogline stream audit --model model.json --policy transition "
          "--epsilon 1 --json"},
         {"K-norm noise, more steps",
          "fogline sample stream -o states.csv --public trips.csv -q && fogline stream learn trips.csv "
          "--grid 340 -o model.json -q && fogline stream audit --model model.json --policy util:1000 "
          "--epsilon 1 --mechanism k-norm --steps 25"}}};
  }

  void declare(OptionSet& options) override {
    stream_.declare(options);
    options.group("Audit");
    options.value("--walks", "N", options_.walks, "of the model (2)");
    options.value("--steps", "N", options_.steps, "of each walk (10)");
    options.value("--samples", "N", options_.samples,
                  "draws of each fit, and of each falsified state (20000)");
    options.group("Output");
    options.flag("--json", json_, "print JSON");
  }

  int run(Session& session) override {
    const stream::StreamTerms terms = stream_.terms();
    const stream::PublicStream stream(terms, stream_.named());
    options_.threads = session.threads();
    options_.progress = session.progress();
    const audit::StreamAudit audit = audit::audit_stream(stream, options_);
    session.data(json_ ? to_text(as_json(terms, audit)) : as_text(terms, audit));
    return audit.passed ? 0 : 1;
  }

 private:
  static std::string as_text(const stream::StreamTerms& terms, const audit::StreamAudit& audit) {
    return fields(
               {{"mechanism", std::string(to_string(terms.mechanism))},
                {"claim",
                 fmt::format("policy DP, epsilon {} at each step", terms.epsilon.value().to_string())},
                {"certificate",
                 fmt::format("{} at {} steps, {} joined pairs; largest loss {:.6g}, {:.2f} % of epsilon",
                             audit.certified ? "kept" : "broken", grouped(audit.steps), grouped(audit.pairs),
                             audit.joined_loss, 100 * audit.share_of_epsilon)},
                {"ratios",
                 fmt::format("largest {:.6g} at {} answers", audit.ratio_loss, grouped(audit.answers))},
                {"fit", fmt::format("{} draws (public seed {}): {}; chi-square {:+.2f} deviations at most",
                                    grouped(audit.fit_draws), audit::StreamAuditOptions::public_seed,
                                    audit.fit.fits ? "as they should be" : "not as they should be",
                                    audit.fit.largest_deviations())},
                {"falsifier", fmt::format("a loss of at least {:.3g} shown by {} draws",
                                          audit.finding.loss_at_least, grouped(audit.finding.samples))},
                {"exposed steps",
                 fmt::format("{}, at which the policy leaves a possible state alone", audit.exposed_steps)},
                {"separated steps",
                 fmt::format("{}, at which an answer can tell states that are not joined apart for certain",
                             audit.separated_steps)}}) +
           audit.sentence + "\n";
  }

  static Json as_json(const stream::StreamTerms& terms, const audit::StreamAudit& audit) {
    Json inputs = Json::array();
    for (std::size_t i = 0; i < audit.fitted.size(); ++i) {
      const audit::InputFit& one = audit.fit.inputs[i];
      inputs.push_back({{"of", audit.fitted[i]},
                        {"samples", one.samples},
                        {"impossible", one.impossible},
                        {"events", one.events},
                        {"failures", one.failures},
                        {"chi_square_deviations", one.chi_square.deviations}});
    }
    return {{"kind", "stream"},
            {"mechanism", to_string(terms.mechanism)},
            {"policy", terms.policy},
            {"notion", "policy DP"},
            {"epsilon", terms.epsilon.value().to_string()},
            {"passed", audit.passed},
            {"certified", audit.certified},
            {"steps", audit.steps},
            {"joined_pairs", audit.pairs},
            {"loss", audit.joined_loss},
            {"share_of_epsilon", audit.share_of_epsilon},
            {"ratio_loss", audit.ratio_loss},
            {"answers", audit.answers},
            {"same_noise", audit.same_noise},
            {"fit",
             {{"fits", audit.fit.fits},
              {"draws", audit.fit_draws},
              {"false_alarm", audit.fit.false_alarm},
              {"public_seed", audit::StreamAuditOptions::public_seed},
              {"inputs", inputs}}},
            {"falsifier",
             {{"broken", audit.finding.broken},
              {"loss_at_least", audit.finding.loss_at_least},
              {"pair", audit.finding.pair_words},
              {"samples", audit.finding.samples}}},
            {"exposed_steps", audit.exposed_steps},
            {"separated_steps", audit.separated_steps},
            {"verdict", audit.sentence}};
  }

  release::StreamFields stream_;
  audit::StreamAuditOptions options_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> stream_audit() {
  return std::make_unique<StreamAuditVerb>();
}

}  // namespace fogline::cli
