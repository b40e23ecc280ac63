// SPDX-License-Identifier: Apache-2.0
#include "audit/kinds/path_audit.hpp"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/grouped.hpp"
#include "release/analyses/analysis.hpp"
#include "release/kinds.hpp"
#include "release/path_fields.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

class PathAuditAnalysis : public Analysis {
 public:
  std::string kind() const override { return "path"; }
  std::string verb() const override { return "audit"; }

  void declare(FieldTable& table) override {
    network_.declare(table, "the network whose routes are tried: CSV source,target, OSM, ...");
    path_.declare(table);
    table.group("Audit");
    table.value("samples", "N", options_.samples, "of the fit and of the falsifier, each input (40000)");
    table.value("routes", "N", options_.most_routes, "of the network that are enumerated, at most (200)");
    table.value("outputs", "N", options_.most_outputs, "publications that are enumerated, at most (262144)");
  }

  Findings run(Caller& caller) override {
    const path::PathTerms terms = path_.terms();
    const path::RouteMap map = network_.read(caller, terms.corridor());
    const path::PathLabels labels(terms.options(map));
    options_.threads = caller.threads();
    options_.progress = caller.progress();
    const audit::PathAudit audit = audit::audit_path(map, labels, options_);
    Findings found(as_json(labels, audit));
    found.passed = audit.passed;
    found.add(rows(labels, audit));
    found.add(audit.sentence);
    return found;
  }

 private:
  static bool fits(const audit::PathAudit& audit) {
    return audit.fit.fits && (!audit.stop_fit || audit.stop_fit->fits);
  }

  static std::string loss(double value) {
    return std::isinf(value) ? "infinite" : fmt::format("{:.6f}", value);
  }

  static Findings::Rows rows(const path::PathLabels& labels, const audit::PathAudit& audit) {
    Findings::Rows rows{
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
      rows.emplace_back("enumerated", "no: there are too many publications (`outputs`)");
    }
    rows.emplace_back("sampler",
                      fmt::format("{}, {} draws", fits(audit) ? "follows the tables" : "DOES NOT FIT",
                                  grouped(audit.fit.samples())));
    rows.emplace_back("falsifier", fmt::format("{} after {} runs: shows a loss of at least {:.3f}",
                                               audit.finding.broken ? "BROKEN" : "not broken",
                                               grouped(audit.finding.samples), audit.finding.loss_at_least));
    return rows;
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
            {"fit", {{"fits", fits(audit)}, {"draws", audit.fit.samples()}}},
            {"falsifier",
             {{"broken", audit.finding.broken},
              {"loss_at_least", audit.finding.loss_at_least},
              {"other_way_at_least", number(audit.finding.other_way_at_least)},
              {"pair", audit.finding.pair_words},
              {"samples", audit.finding.samples}}},
            {"public_seed", audit::PathAuditOptions::public_seed},
            {"verdict", audit.sentence}};
  }

  RouteNetworkFields network_;
  PathFields path_;
  audit::PathAuditOptions options_;
};

}  // namespace

std::unique_ptr<Analysis> path_audit() {
  return std::make_unique<PathAuditAnalysis>();
}

}  // namespace fogline::release
