// SPDX-License-Identifier: Apache-2.0
#include "audit/claims.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

#include "cli/blocks.hpp"
#include "cli/spelling.hpp"
#include "cli/usage_error.hpp"
#include "cli/verbs.hpp"
#include "release/kinds.hpp"

namespace fogline::cli {
namespace {

class Claims : public Command {
 public:
  CommandInfo info() const override {
    return {{"claims"},
            "List what every mechanism promises, who checks it, and which published promises do not hold",
            "For each mechanism: kind, form, notion, unit of protection, what epsilon means, what must be "
            "public, exactness, the page with the proof, which parts "
            "of the audit cover it and when that was last recorded. Mechanisms of papers whose claim does "
            "not hold are listed with the reason and the "
            "loss that was measured.\n\n"
            "The record is made by the project's own checks and built into the program; 'fogline selftest' "
            "repeats it.",
            {{"the table", "fogline claims"}, {"for a program", "fogline claims --json"}}};
  }

  void declare(OptionSet& options) override {
    options.group("Output");
    options.flag("--json", json_, "print JSON");
    options.flag("--markdown", markdown_, "print the page docs/claims.md");
  }

  int run(Session& session) override {
    if (json_ && markdown_) throw UsageError("--json and --markdown exclude each other");
    session.data(json_ ? as_json()
                       : spelled(markdown_ ? audit::claims_markdown(release::all_claims())
                                           : audit::claims_text(release::all_claims())));
    return 0;
  }

 private:
  static nlohmann::ordered_json audit_json(const audit::Claim& claim) {
    const auto found = audit::recorded_audit(claim);
    if (!found) return nullptr;
    nlohmann::ordered_json result{{"date", found->date},
                                  {"version", found->version},
                                  {"passed", found->passed},
                                  {"passed_by", found->engines},
                                  {"accused_by", found->accused_by}};
    if (found->loss_at_least) {
      result["claimed_loss"] = *found->claimed_loss;
      result["loss_at_least"] = std::isinf(*found->loss_at_least)
                                    ? nlohmann::ordered_json("unbounded")
                                    : nlohmann::ordered_json(*found->loss_at_least);
      result["evidence"] = found->evidence;
    }
    return result;
  }

  static std::string as_json() {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const audit::Claim& claim : release::all_claims()) {
      all.push_back({{"kind", claim.kind},
                     {"mechanism", claim.mechanism},
                     {"form", to_string(claim.form)},
                     {"offered_for_release", claim.released},
                     {"holds", claim.why_not.empty()},
                     {"notion", to_string(claim.notion)},
                     {claim.why_not.empty() ? "epsilon_means" : "paper_claims", claim.epsilon_means},
                     {"unit", claim.unit},
                     {"must_be_public", claim.must_be_public},
                     {"exactness", to_string(claim.exactness)},
                     {"page", claim.page},
                     {"why_not", claim.why_not.empty() ? nlohmann::ordered_json()
                                                       : nlohmann::ordered_json(claim.why_not)},
                     {"audit", audit_json(claim)}});
    }
    return to_text(all);
  }

  bool json_ = false;
  bool markdown_ = false;
};

}  // namespace

std::unique_ptr<Command> claims() {
  return std::make_unique<Claims>();
}

}  // namespace fogline::cli
