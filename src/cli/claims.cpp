// SPDX-License-Identifier: Apache-2.0
#include "audit/claims.hpp"

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
    session.data(json_ ? to_text(audit::claims_json(release::all_claims()))
                       : spelled(markdown_ ? audit::claims_markdown(release::all_claims())
                                           : audit::claims_text(release::all_claims())));
    return 0;
  }

 private:
  bool json_ = false;
  bool markdown_ = false;
};

}  // namespace

std::unique_ptr<Command> claims() {
  return std::make_unique<Claims>();
}

}  // namespace fogline::cli
