// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/blocks.hpp"
#include "cli/run.hpp"
#include "cli/spelling.hpp"
#include "cli/verbs.hpp"
#include "privacy/ledger_check.hpp"

namespace fogline::cli {
namespace {

class LedgerVerify : public Command {
 public:
  CommandInfo info() const override {
    return {{"ledger", "verify"},
            "Look for edits, losses and broken rules in a ledger",
            "Reads the whole ledger and checks SQLite's own integrity, the chain of hashes, the head, every "
            "number, and that no cap was "
            "ever exceeded. Exit code 1 if anything is found.\n\n"
            "Whoever owns the file can rewrite all of it consistently, or put an older copy in its place. "
            "That is seen only against something kept elsewhere: "
            "the statements of earlier releases, given as arguments, or a head written down earlier, given "
            "with --head.",
            {{"a fresh ledger",
              "fogline ledger cap --ledger my.ledger --dataset riders --epsilon 2 -q && fogline ledger "
              "verify --ledger my.ledger"},
             {"for a program",
              "fogline ledger cap --ledger my.ledger --dataset riders --epsilon 2 -q && fogline ledger "
              "verify --ledger my.ledger --json"}}};
  }

  void declare(OptionSet& options) override {
    options.positional("STATEMENTS", statements_, "statements whose entries must be in the ledger");
    ledger_.declare_ledger(options);
    options.value("--head", "HASH", head_, "a head written down earlier, which must be in the chain");
    options.group("Output");
    options.flag("--json", json_, "print JSON");
  }

  int run(Session& session) override {
    privacy::LedgerCheckOptions options;
    for (const std::string& file : statements_)
      options.statements.push_back({file, privacy::read_statement(file)});
    if (!head_.empty()) options.known_head = head_;
    const auto verdict = privacy::verify_ledger(ledger_.path(), options);
    session.data(json_ ? as_json(verdict) : as_text(verdict));
    return verdict.sound() ? exit_code::fine : exit_code::data;
  }

 private:
  std::string as_json(const privacy::LedgerVerdict& verdict) const {
    nlohmann::ordered_json findings = nlohmann::ordered_json::array();
    for (const auto& finding : verdict.findings)
      findings.push_back({{"entry", finding.entry}, {"finding", finding.sentence}});
    const nlohmann::ordered_json report = {{"ledger", ledger_.path()},
                                           {"sound", verdict.sound()},
                                           {"entries", verdict.head.entries},
                                           {"head", verdict.head.hash},
                                           {"findings", findings}};
    return to_text(report);
  }

  std::string as_text(const privacy::LedgerVerdict& verdict) const {
    std::string text;
    for (const auto& finding : verdict.findings) {
      text += finding.entry > 0 ? fmt::format("entry {}: {}\n", finding.entry, spelled(finding.sentence))
                                : spelled(finding.sentence) + "\n";
    }
    if (verdict.sound())
      text += fmt::format("sound: {} entries, head {}\n", verdict.head.entries, verdict.head.hash);
    return text;
  }

  LedgerBlock ledger_;
  std::vector<std::string> statements_;
  std::string head_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> ledger_verify() {
  return std::make_unique<LedgerVerify>();
}

}  // namespace fogline::cli
