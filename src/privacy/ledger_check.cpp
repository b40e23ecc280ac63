// SPDX-License-Identifier: Apache-2.0
#include "privacy/ledger_check.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "privacy/composition.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/ledger_file.hpp"
#include "privacy/release.hpp"

namespace fogline::privacy {
namespace {

/// Walks the chain from the first entry and keeps going after a break, so that every edit is named.
class ChainWalker {
 public:
  ChainWalker(LedgerFile& file, std::string first_hash, const LedgerCheckOptions& options,
              LedgerVerdict& verdict)
      : file_(file),
        hash_(std::move(first_hash)),
        known_head_(options.known_head),
        findings_(verdict.findings),
        verdict_(verdict) {
    saw_known_head_ = known_head_ == hash_;
    for (const NamedStatement& anchor : options.statements) {
      if (const auto* reference = std::get_if<LedgerReference>(&anchor.statement.ledger)) {
        anchored_.emplace(reference->entry, std::nullopt);
      }
    }
  }

  void visit(const EntryRow& row) {
    const auto number = static_cast<std::uint64_t>(row.sequence);
    const auto expected = static_cast<std::int64_t>(last_ + 1);
    if (row.sequence < expected) return found(0, "it holds an entry numbered below 1");
    if (row.sequence > expected) {
      found(last_ + 1, fmt::format("entries {} to {} are missing", last_ + 1, number - 1));
    } else if (row.previous_hash != hash_) {
      found(number, "the chain is broken: it does not continue the entry before");
    }
    if (row.hash != hash_of(row)) found(number, "it was changed: its content does not have its hash");
    last_ = number;
    hash_ = row.hash;
    saw_known_head_ = saw_known_head_ || known_head_ == hash_;
    ++count_;
    enter(row, number);
  }

  std::uint64_t count() const { return count_; }
  std::uint64_t last() const { return last_; }
  const std::string& hash() const { return hash_; }
  bool saw_known_head() const { return saw_known_head_; }
  const std::optional<LedgerEntry>& anchored(std::uint64_t number) const { return anchored_.at(number); }
  const Settlement* settlement_of(std::uint64_t number) const {
    const auto found = settled_.find(number);
    return found == settled_.end() ? nullptr : &found->second;
  }

 private:
  void found(std::uint64_t entry, std::string sentence) { findings_.push_back({entry, std::move(sentence)}); }

  void enter(const EntryRow& row, std::uint64_t number) try {
    LedgerEntry entry = from_row(row);
    if (entry.type == EntryType::charge) {
      if (const auto refused = books_.excess(entry.dataset, entry.guarantee.value())) {
        found(number, fmt::format("it exceeds the cap of its dataset: {}", refused->what()));
      }
    }
    if (entry.type == EntryType::charge && entry.guarantee->notion() != Notion::none)
      unsettled_.emplace(number, entry.dataset);
    if (entry.settlement) settle(number, entry);
    books_.apply(entry);
    if (entry.cap && entry.cap->is_of_subjects())
      subjects_.try_emplace(entry.dataset, *entry.cap).first->second.set_cap(*entry.cap);
    if (entry.subjects) check_subjects(entry);
    verdict_.is_anchored = verdict_.is_anchored || entry.type == EntryType::anchor;
    compare_clock(entry);
    const auto wanted = anchored_.find(number);
    if (wanted != anchored_.end()) wanted->second = std::move(entry);
  } catch (const InvalidOption& error) {
    found(number, fmt::format("it is malformed: {}", error.what()));
  }

  /// Of whoever wrote it. It may have been set back by hand, and it may be another machine's: nothing was edited.
  void compare_clock(const LedgerEntry& entry) {
    if (entry.time_unix_s < latest_s_)
      verdict_.remarks.push_back(
          {entry.number, fmt::format("its time is {} s before that of an earlier entry: a "
                                     "clock was wrong",
                                     latest_s_ - entry.time_unix_s)});
    latest_s_ = std::max(latest_s_, entry.time_unix_s);
  }

  static bool is_allowed(const SubjectLine& line, const SubjectAccounts& accounts, const LedgerEntry& entry) {
    using enum SubjectDecision::Outcome;
    const auto outcome = accounts.decide(line, entry.guarantee->epsilon(), {}, entry.time_unix_s).outcome;
    if (outcome == repeated || outcome == other_body) return false;
    // What stands for an earlier answer costs nothing.
    return line.stands_for ? line.stands_for->entry <= entry.number : outcome == charged;
  }

  void check_subjects(const LedgerEntry& entry) {
    const auto accounts = subjects_.find(entry.dataset);
    if (books_.subjects_refusal(entry.dataset, *entry.guarantee) || accounts == subjects_.end())
      return found(entry.number, "it charges subjects of a dataset that has no cap for them");
    const std::string text = file_.subjects(entry.number);
    if (sha256_of_text(text) != entry.subjects->sha256)
      return found(entry.number, "its lines were changed: they do not have their hash");
    const std::vector<SubjectLine> lines = subject_lines_from(text);
    if (lines.size() != entry.subjects->lines)
      return found(entry.number, "it has not as many lines as it says");
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (!is_allowed(lines[i], accounts->second, entry))
        found(entry.number,
              fmt::format("its line {} exceeds the cap of its subject, or stands there twice", i + 1));
      accounts->second.add(lines[i], entry.guarantee->epsilon(), {entry.number, i + 1}, entry.time_unix_s);
    }
  }

  void settle(std::uint64_t number, const LedgerEntry& entry) {
    const auto paid = unsettled_.find(entry.settlement->entry);
    if (paid == unsettled_.end() || paid->second != entry.dataset)
      return found(number, "it settles no release of its dataset, or one that was settled before");
    unsettled_.erase(paid);
    if (anchored_.contains(entry.settlement->entry))
      settled_.emplace(entry.settlement->entry, *entry.settlement);
  }

  LedgerFile& file_;
  std::string hash_;
  std::optional<std::string> known_head_;
  std::vector<Finding>& findings_;
  LedgerVerdict& verdict_;
  std::int64_t latest_s_ = 0;
  Books books_;
  std::map<std::string, SubjectAccounts> subjects_;
  std::uint64_t last_ = 0;
  std::uint64_t count_ = 0;
  bool saw_known_head_;
  std::map<std::uint64_t, std::string> unsettled_;  // releases that promise something, and their datasets
  std::map<std::uint64_t, Settlement> settled_;     // of the entries that statements name
  std::map<std::uint64_t, std::optional<LedgerEntry>> anchored_;  // the entries that statements name
};

void check_pages(LedgerFile& file, std::vector<Finding>& findings) {
  sqlite::Query query = file.database().prepare("PRAGMA integrity_check(20)");
  while (query.step()) {
    if (query.text(0) != "ok") findings.push_back({0, fmt::format("SQLite finds damage: {}", query.text(0))});
  }
}

void check_head(const LedgerHead& head, const ChainWalker& walker, std::vector<Finding>& findings) {
  if (head.entries > walker.last()) {
    findings.push_back(
        {walker.last() + 1, fmt::format("the last {} entries are missing: the ledger was cut off",
                                        head.entries - walker.last())});
  } else if (head.entries < walker.last() || head.hash != walker.hash()) {
    findings.push_back({0, "the head does not match the last entry"});
  }
}

void check_statement(const NamedStatement& anchor, const std::string& ledger_id, const ChainWalker& walker,
                     std::vector<Finding>& findings) {
  const auto* reference = std::get_if<LedgerReference>(&anchor.statement.ledger);
  if (reference == nullptr) return;
  std::string problem;
  if (reference->ledger_id != ledger_id) {
    problem = "it belongs to another ledger";
  } else if (const auto& entry = walker.anchored(reference->entry)) {
    problem = difference(anchor.statement, *reference, *entry);
    const Settlement* settled = walker.settlement_of(reference->entry);
    if (problem.empty() && settled != nullptr && *settled != settlement_of(anchor.statement))
      problem = "its entry was settled with another output or statement: this is not what was written";
  } else {
    problem = fmt::format("its entry {} is not there: the ledger was cut off or replaced by an older copy",
                          reference->entry);
  }
  if (!problem.empty())
    findings.push_back({reference->entry, fmt::format("statement {}: {}", anchor.name, problem)});
}

/// One entry pays for one release: two statements on it must be copies of each other.
void check_shared_entries(const std::vector<NamedStatement>& anchors, std::vector<Finding>& findings) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, const NamedStatement*> first;
  for (const NamedStatement& anchor : anchors) {
    const auto* reference = std::get_if<LedgerReference>(&anchor.statement.ledger);
    if (reference == nullptr) continue;
    const auto [known, is_new] = first.emplace(std::pair{reference->entry, reference->line}, &anchor);
    if (!is_new && known->second->statement != anchor.statement) {
      findings.push_back(
          {reference->entry, fmt::format("statements {} and {} claim one entry for different releases",
                                         known->second->name, anchor.name)});
    }
  }
}

void check_all(LedgerFile& file, const LedgerCheckOptions& options, LedgerVerdict& verdict) {
  const sqlite::Transaction snapshot(file.database(), sqlite::Transaction::Kind::read);
  check_pages(file, verdict.findings);
  if (const std::string problem = file.schema_problem(); !problem.empty()) {
    verdict.findings.push_back({0, fmt::format("the tables were altered: {}", problem)});
  }
  const LedgerHead head = file.head();
  ChainWalker walker(file, genesis_hash(head.ledger_id), options, verdict);
  file.each_row_after(0, [&](const EntryRow& row) { walker.visit(row); });
  verdict.head = {head.ledger_id, walker.count(), walker.hash()};
  check_head(head, walker, verdict.findings);
  for (const NamedStatement& anchor : options.statements) {
    check_statement(anchor, head.ledger_id, walker, verdict.findings);
  }
  check_shared_entries(options.statements, verdict.findings);
  if (options.known_head && !walker.saw_known_head()) {
    verdict.findings.push_back({0,
                                "the known head is not in the chain: the ledger was rewritten, cut off or "
                                "replaced by an older copy"});
  }
}

}  // namespace

std::string difference(const Statement& statement, const LedgerReference& reference,
                       const LedgerEntry& entry) {
  if (reference.entry_hash != entry.hash)
    return "its entry has another hash: the statement was changed or the ledger rewritten";
  if (!entry.guarantee) return fmt::format("its entry is '{}', not a release", to_string(entry.type));
  if (entry.subjects.has_value() != (reference.line > 0)) return "only one of the two is of a subject";
  if (entry.subjects && reference.line > entry.subjects->lines) return "its entry has no such line";
  const bool is_seeded = entry.type == EntryType::seeded_run;
  if (is_seeded != (statement.randomness == random::Source::seeded)) {
    return "one of the two is a seeded run and the other is not";
  }
  if (reference.dataset != entry.dataset) return "its entry is of another dataset";
  if (statement.kind != entry.kind || statement.mechanism != entry.mechanism) {
    return "its entry is of another kind or mechanism";
  }
  if (statement.version != entry.version) return "its entry is of another version";
  if (statement.guarantee != (is_seeded ? seeded(*entry.guarantee) : *entry.guarantee)) {
    return "its entry has another guarantee";
  }
  // What had no name when it was charged, because it went into memory or was drawn in parts, was given one later.
  if (entry.output != "-" && statement.outputs.front().name != entry.output)
    return "its entry is of another output";
  return "";
}

LedgerVerdict verify_ledger(const std::string& path, const LedgerCheckOptions& options) {
  LedgerVerdict verdict;
  try {
    LedgerFile file(path, {.access = Ledger::Access::existing});
    check_all(file, options, verdict);
  } catch (const sqlite::Damaged& error) {
    verdict.findings.push_back({0, error.what()});
  }
  return verdict;
}

}  // namespace fogline::privacy
