// SPDX-License-Identifier: Apache-2.0
#include "audit/path_audit.hpp"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/blocks.hpp"
#include "cli/verbs.hpp"
#include "release/path_fields.hpp"

namespace fogline::cli {
namespace {

using Json = nlohmann::ordered_json;

class PathAuditVerb : public Command {
 public:
  CommandInfo info() const override {
    return {{"path", "audit"},
            "Check what publishing a route promises: exactly on small networks, by attack on others",
            "Certifies the tables that labels are drawn from, from their integers. On small networks it then "
            "enumerates: every route "
            "of the network, each with every one of its steps taken away, and the probability of every "
            "publication, compared in both "
            "directions and printed beside the promise and the paper's bound. The mechanism itself is "
            "sampled and compared with its "
            "tables, and a falsifier tries to tell a route from the same route without one step.\n\n"
            "Towards the road is the direction that is promised: how much more likely a publication is with "
            "the road than without. "
            "Back is the other one, which the one-sided form leaves open: it is infinite, because a pair "
            "that is ruled out is no "
            "step for certain.\n\n"
            "Reads no private route. The exit code is 1 if anything speaks against the promise.",
            {{"a small network",
              "fogline sample path -q && fogline path audit --network net.csv --epsilon-edges 1"},
             {"differential privacy for each label, as JSON",
              "fogline sample path --vertices 5 --roads 7 -q && fogline path audit --network net.csv "
              "--two-sided --epsilon-edges 2 "
              "--json"}}};
  }

  void declare(OptionSet& options) override {
    network_.declare(options, "the network whose routes are tried: CSV source,target, OSM, ...");
    path_.declare(options);
    options.group("Audit");
    options.value("--samples", "N", options_.samples, "of the fit and of the falsifier, each input (40000)");
    options.value("--routes", "N", options_.most_routes, "of the network that are enumerated, at most (200)");
    options.value("--outputs", "N", options_.most_outputs,
                  "publications that are enumerated, at most (262144)");
    options.group("Output");
    options.flag("--json", json_, "print JSON");
  }

  int run(Session& session) override {
    const path::PathTerms terms = path_.terms();
    const path::RouteMap map = network_.read(session, terms.corridor());
    const path::PathLabels labels(terms.options(map));
    options_.threads = session.threads();
    options_.progress = session.progress();
    const audit::PathAudit audit = audit::audit_path(map, labels, options_);
    session.data(json_ ? to_text(as_json(labels, audit)) : as_text(labels, audit));
    return audit.passed ? 0 : 1;
  }

 private:
  static std::string loss(double value) {
    return std::isinf(value) ? "infinite" : fmt::format("{:.6f}", value);
  }

  static std::string as_text(const path::PathLabels& labels, const audit::PathAudit& audit) {
    std::vector<std::pair<std::string, std::string>> rows{
        {"guarantee", to_string(labels.guarantee())},
        {"promised", fmt::format("{:.9f}", audit.stated)},
        {"the paper's bound", fmt::format("{:.6f}, called differential privacy", audit.paper)},
        {"certified", fmt::format("{:.9f}, from the integers of the tables", audit.certified)}};
    const bool one_sided = labels.options().form == path::PathForm::one_sided;
    if (one_sided) rows.emplace_back("one label, back", loss(audit.label_back));
    const audit::PathEnumeration& all = audit.enumeration;
    if (all.done) {
      rows.emplace_back("enumerated",
                        fmt::format("{} routes, {} with and without a step, up to {} publications each",
                                    grouped(all.routes), grouped(all.neighbours), grouped(all.outputs)));
      rows.emplace_back("loss towards the road", loss(all.towards));
      rows.emplace_back("loss back", loss(all.back) + (one_sided ? ", which is not promised" : ""));
    } else {
      rows.emplace_back("enumerated", "no: there are too many publications (--outputs)");
    }
    rows.emplace_back("sampler", fmt::format("{}, {} draws",
                                             audit.fit.fits && (!audit.stop_fit || audit.stop_fit->fits)
                                                 ? "follows the tables"
                                                 : "DOES NOT FIT",
                                             grouped(audit.fit.samples())));
    rows.emplace_back("falsifier", fmt::format("{} after {} runs: shows a loss of at least {:.3f}",
                                               audit.finding.broken ? "BROKEN" : "not broken",
                                               grouped(audit.finding.samples), audit.finding.loss_at_least));
    return fields(rows) + audit.sentence + "\n";
  }

  static Json as_json(const path::PathLabels& labels, const audit::PathAudit& audit) {
    const auto number = [](double value) { return std::isinf(value) ? Json("infinite") : Json(value); };
    const audit::PathEnumeration& all = audit.enumeration;
    Json enumeration;
    if (all.done)
      enumeration = {{"routes", all.routes},
                     {"neighbours", all.neighbours},
                     {"outputs", all.outputs},
                     {"loss_towards", number(all.towards)},
                     {"loss_back", number(all.back)}};
    return {{"kind", "path"},
            {"mechanism", to_string(labels.options().form)},
            {"notion", to_string(labels.guarantee().notion())},
            {"epsilon", labels.guarantee().epsilon().to_string()},
            {"paper_bound", audit.paper},
            {"passed", audit.passed},
            {"certified_loss", number(audit.certified)},
            {"label_loss", number(audit.label.loss_high)},
            {"label_loss_back", number(audit.label_back)},
            {"stop_loss", number(audit.stop_loss)},
            {"enumeration", enumeration},
            {"fit",
             {{"fits", audit.fit.fits && (!audit.stop_fit || audit.stop_fit->fits)},
              {"draws", audit.fit.samples()}}},
            {"falsifier",
             {{"broken", audit.finding.broken},
              {"loss_at_least", audit.finding.loss_at_least},
              {"other_way_at_least", number(audit.finding.other_way_at_least)},
              {"pair", audit.finding.pair_words},
              {"samples", audit.finding.samples}}},
            {"public_seed", audit::PathAuditOptions::public_seed},
            {"verdict", audit.sentence}};
  }

  release::RouteNetworkFields network_;
  release::PathFields path_;
  audit::PathAuditOptions options_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> path_audit() {
  return std::make_unique<PathAuditVerb>();
}

}  // namespace fogline::cli
