// SPDX-License-Identifier: Apache-2.0
#include "audit/traces_audit.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/blocks.hpp"
#include "cli/spelling.hpp"
#include "cli/verbs.hpp"
#include "release/traces_fields.hpp"

namespace fogline::cli {
namespace {

using Json = nlohmann::ordered_json;

class TracesAuditVerb : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"traces", "audit"},
        "Check that a release of trips keeps its promise, on invented trips",
        "Makes up neighbouring sets of trips, with one trip more (standing still, straight across, through "
        "every cell, to and fro a hundred times) or one user more (with one trip, as many as count in full, "
        "many more), releases one of them and records every place where private numbers meet noise. Then "
        "it releases the other with the noise shifted so that all noisy numbers are the same. Whatever is "
        "made of them must be the same too, the private numbers may differ by no more than is declared, and "
        "all that was declared may cost no more than epsilon. Unless --trips is given, all of it is done "
        "once more with so many trips declared that everything is asked that is asked of many.\n\n"
        "The noise itself is compared with the law it declares: a right mechanism fails that in fewer than "
        "one of a million audits.\n\n"
        "Reads no private trip, no ledger, and draws everything from a public seed. Exit code 1 if a fault "
        "is found.",
        {{"one trip, at epsilon 1", "fogline traces audit --area 116.15,39.75,116.60,40.10 --epsilon 1"},
         {"users with up to 20 trips, as JSON",
          "fogline traces audit --plane --area 0,0,38400,38920 --epsilon 1 --unit user --trips-per-user 20 "
          "--json"}}};
  }

  void declare(OptionSet& options) override {
    traces_.declare(options);
    reading_.declare_plane(options);
    options.group("Audit");
    options.value("--runs", "N", options_.runs, "replays of each pair of neighbours (3)");
    options.value("--noise-runs", "N", options_.noise_runs, "releases whose noise is looked at (10)");
    options.group("Output");
    options.flag("--json", json_, "print JSON");
  }

  int run(Session& session) override {
    const traces::TraceTerms terms = traces_.terms(reading_.unit());
    options_.progress = session.progress();
    const audit::TracesAudit audit = audit::audit_traces(terms, options_);
    session.data(json_ ? to_text(as_json(terms, audit)) : as_text(terms, audit));
    return audit.passed ? 0 : 1;
  }

 private:
  static std::string as_text(const traces::TraceTerms& terms, const audit::TracesAudit& audit) {
    std::vector<std::pair<std::string, std::string>> rows{
        {"claim", to_string(terms.guarantee())},
        {"declared", fmt::format("{:.6f} of epsilon, by {} counts together", audit.declared, audit.meetings)},
        {"noise", fmt::format("{} draws (public seed {}): {}; chi-square {:+.2f} deviations at most",
                              grouped(audit.noise.draws), audit::TracesAuditOptions::public_seed,
                              audit.noise.fits ? "as they should be" : "not as they should be",
                              audit.noise.largest_deviations)}};
    for (const audit::TracesAudit::Trial& trial : audit.trials)
      rows.emplace_back(
          "replayed",
          fmt::format("{}: {}", trial.words,
                      trial.finding.broken ? spelled(trial.finding.reason)
                                           : fmt::format("costs {:.4f}", trial.finding.largest_loss)));
    return fields(rows) + audit.sentence + "\n";
  }

  static Json as_json(const traces::TraceTerms& terms, const audit::TracesAudit& audit) {
    const auto guarantee = terms.guarantee();
    Json replays = Json::array();
    for (const audit::TracesAudit::Trial& trial : audit.trials)
      replays.push_back({{"neighbours", trial.words},
                         {"broken", trial.finding.broken},
                         {"reason", trial.finding.reason},
                         {"largest_loss", trial.finding.largest_loss},
                         {"runs", trial.finding.runs}});
    return {{"kind", "traces"},
            {"mechanism", traces::synthesis_name},
            {"form", "sound"},
            {"notion", to_string(guarantee.notion())},
            {"unit", guarantee.unit()},
            {"epsilon", guarantee.epsilon().to_string()},
            {"passed", audit.passed},
            {"declared_epsilon", audit.declared},
            {"counts", audit.meetings},
            {"noise",
             {{"fits", audit.noise.fits},
              {"draws", audit.noise.draws},
              {"chi_square_deviations", audit.noise.largest_deviations},
              {"public_seed", audit::TracesAuditOptions::public_seed}}},
            {"replays", replays},
            {"verdict", audit.sentence}};
  }

  release::TracesFields traces_;
  release::TripReading reading_;
  audit::TracesAuditOptions options_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> traces_audit() {
  return std::make_unique<TracesAuditVerb>();
}

}  // namespace fogline::cli
