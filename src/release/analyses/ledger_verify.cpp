// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "privacy/ledger_check.hpp"
#include "privacy/statement_log.hpp"
#include "release/analyses/analysis.hpp"
#include "release/kinds.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

/// Opens the file itself, as it is: it takes a name and no handle.
class LedgerVerify : public Analysis {
 public:
  std::string kind() const override { return "ledger"; }
  std::string verb() const override { return "verify"; }
  LedgerFields* ledger() override { return &ledger_; }

  void declare(FieldTable& table) override {
    table
        .positional("statements", "STATEMENTS", statements_, "statements whose entries must be in the ledger")
        .role(FieldRole::public_input);
    ledger_.declare_ledger(table);
    table.value("head", "HASH", head_, "a head written down earlier, which must be in the chain");
  }

  Findings run(Caller& caller) override {
    if (ledger_.name().empty()) throw InvalidOption("ledger", "is needed");
    privacy::LedgerCheckOptions options;
    for (const std::string& file : statements_) {
      if (!privacy::is_statement_log(file)) {
        options.statements.push_back({file, privacy::read_statement(file)});
        continue;
      }
      privacy::StatementLines read = privacy::read_statements(file);
      if (read.torn_bytes > 0)
        caller.warn(fmt::format("{}: its last line is cut short ({} bytes), and is left out", file,
                                grouped(read.torn_bytes)));
      std::size_t line = 0;
      for (privacy::Statement& statement : read.all)
        options.statements.push_back({fmt::format("{} (line {})", file, ++line), std::move(statement)});
    }
    if (!head_.empty()) options.known_head = head_;
    auto verdict = privacy::verify_ledger(ledger_.name(), options);
    compare_with_anchor(verdict);

    Findings found(as_json(verdict));
    for (const auto& finding : verdict.findings)
      found.add(finding.entry > 0 ? fmt::format("entry {}: {}", finding.entry, finding.sentence)
                                  : finding.sentence);
    for (const auto& remark : verdict.remarks)
      found.add(fmt::format("entry {}: {}", remark.entry, remark.sentence));
    if (verdict.sound())
      found.add(fmt::format("sound: {} entries, head {}", verdict.head.entries, verdict.head.hash));
    found.passed = verdict.sound();
    return found;
  }

 private:
  /// What a second place kept of its head must be in the chain.
  void compare_with_anchor(privacy::LedgerVerdict& verdict) const {
    const auto anchor = ledger_.anchors && !verdict.head.ledger_id.empty()
                            ? ledger_.anchors(verdict.head.ledger_id)
                            : nullptr;
    if (!anchor) {
      // An older copy would look the same.
      if (verdict.is_anchored)
        verdict.findings.push_back(
            {0,
             "not compared: its head is kept in a second place, its anchor, which is not "
             "known here; check it where the anchor is known"});
      return;
    }
    const auto kept = anchor->kept(verdict.head.ledger_id);
    if (!kept) {
      verdict.findings.push_back({0, fmt::format("its anchor {} knows nothing of it", anchor->where())});
      return;
    }
    privacy::LedgerCheckOptions options;
    options.known_head = kept->hash;
    for (const privacy::Finding& finding : privacy::verify_ledger(ledger_.name(), options).findings)
      if (finding.sentence.starts_with("the known head"))
        verdict.findings.push_back({0, fmt::format("it does not hold entry {} as its anchor {} kept it",
                                                   kept->entries, anchor->where())});
  }

  Json as_json(const privacy::LedgerVerdict& verdict) const {
    Json findings = Json::array();
    for (const auto& finding : verdict.findings)
      findings.push_back({{"entry", finding.entry}, {"finding", finding.sentence}});
    Json remarks = Json::array();
    for (const auto& remark : verdict.remarks)
      remarks.push_back({{"entry", remark.entry}, {"remark", remark.sentence}});
    return {{"ledger", ledger_.name()},  {"sound", verdict.sound()}, {"entries", verdict.head.entries},
            {"head", verdict.head.hash}, {"findings", findings},     {"remarks", remarks}};
  }

  LedgerFields ledger_;
  std::vector<std::string> statements_;
  std::string head_;
};

}  // namespace

std::unique_ptr<Analysis> ledger_verify() {
  return std::make_unique<LedgerVerify>();
}

}  // namespace fogline::release
