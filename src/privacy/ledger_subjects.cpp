// SPDX-License-Identifier: Apache-2.0
// Of ledger.hpp: what is charged to subjects, and what they were answered.
#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "privacy/file_hash.hpp"
#include "privacy/ledger.hpp"
#include "privacy/ledger_file.hpp"

namespace fogline::privacy {

using sqlite::Transaction;

SubjectAccounts& Ledger::accounts_of(const std::string& dataset) {
  const auto found = subjects_.find(dataset);
  if (found == subjects_.end())
    throw InvalidOption("dataset", fmt::format("'{}' has no cap per subject", dataset));
  return found->second;
}

void Ledger::apply_subjects(const LedgerEntry& entry, const std::vector<SubjectLine>& lines) {
  SubjectAccounts& accounts = accounts_of(entry.dataset);
  for (std::size_t i = 0; i < lines.size(); ++i)
    accounts.add(lines[i], entry.guarantee->epsilon(), {entry.number, i + 1}, entry.time_unix_s);
}

SubjectReceipt Ledger::charge_subjects(const SubjectRequest& request, const Wanted& wanted) {
  using enum SubjectDecision::Outcome;
  LedgerEntry entry;
  entry.time_unix_s = request.time_unix_s;
  entry.type = EntryType::subjects;
  entry.dataset = request.dataset;
  entry.kind = request.kind;
  entry.mechanism = request.mechanism;
  entry.output = "-";
  entry.version = request.version;
  entry.guarantee = request.guarantee;
  entry.subjects = {1, std::string(64, '0'), request.draft_sha256};  // the hash is not known yet
  require_valid(entry);

  const std::lock_guard lock(mutex_);
  const sqlite::Database::Asking asking(file_->database(), wanted);
  Transaction transaction(file_->database(), Transaction::Kind::write);
  catch_up();
  require_anchored();
  if (const auto refused = books_.subjects_refusal(request.dataset, request.guarantee)) throw *refused;
  const SubjectAccounts& accounts = accounts_of(request.dataset);
  if (request.policy.refresh_s < 0 || request.policy.refresh_s > accounts.cap().subject_window_s)
    throw InvalidOption("refresh", "must be from 0 to the window of the cap");
  SubjectReceipt receipt;
  const std::int64_t now_s = request.now ? request.now() : request.time_unix_s;
  receipt.clock_behind_s_ = std::max<std::int64_t>(last_time_unix_s_ - now_s, 0);
  entry.time_unix_s = std::max(now_s, last_time_unix_s_);  // a clock that is set back renews nothing
  entry.number = count_ + 1;
  const Rational& epsilon = request.guarantee.epsilon();
  std::vector<SubjectLine> charged_lines;
  // On a copy: what is decided here may not be written after all.
  SubjectAccounts tried = accounts.of(request.lines);
  for (const SubjectLine& line : request.lines) {
    SubjectDecision decision = tried.decide(line, epsilon, request.policy, entry.time_unix_s);
    const bool is_charged = decision.outcome == charged;
    const bool is_remembered = (decision.outcome == current || decision.outcome == latest) && line.mark;
    if (is_charged || is_remembered) {
      SubjectLine written = line;
      if (is_remembered) written.reports = 0;
      if (is_remembered) written.stands_for = decision.place;
      charged_lines.push_back(written);
      const SubjectPlace place{entry.number, charged_lines.size()};
      tried.add(written, epsilon, place, entry.time_unix_s);
      if (is_charged) decision = {charged, place, entry.time_unix_s};
    }
    receipt.decisions_.push_back(decision);
  }
  if (!charged_lines.empty()) {
    const std::string text = to_text(charged_lines);
    entry.subjects = {charged_lines.size(), sha256_of_text(text), request.draft_sha256};
    entry.previous_hash = hash_;
    entry.hash = hash_of(to_row(entry));
    file_->append(to_row(entry));
    file_->append_subjects(entry.number, text);
  }
  find_answers(receipt, request.draft_sha256);
  transaction.commit();
  if (charged_lines.empty()) return receipt;
  clock_behind_s_ = receipt.clock_behind_s_;
  apply(entry);
  apply_subjects(entry, charged_lines);
  count_ = entry.number;
  hash_ = entry.hash;
  keep_head(Anchoring::compare, entry.time_unix_s);
  return receipt;
}

/// Of lines that have an answer already; the others that were paid for are to be drawn, but not under another promise than they were paid for.
void Ledger::find_answers(SubjectReceipt& receipt, const std::string& draft_sha256) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> first;
  for (std::size_t i = 0; i < receipt.decisions_.size(); ++i) {
    SubjectDecision& decision = receipt.decisions_[i];
    if (decision.place.entry == 0) continue;
    const bool is_new = decision.place.entry == count_ + 1;
    if (const auto kept = is_new ? std::nullopt : file_->answer(decision.place)) {
      receipt.answers_.emplace(i, *kept);
      continue;
    }
    if (!is_new && from_row(file_->row(decision.place.entry)).subjects.value().draft_sha256 != draft_sha256) {
      decision.outcome = SubjectDecision::Outcome::lost;
    } else if (first.emplace(std::pair{decision.place.entry, decision.place.line}, i).second) {
      receipt.to_draw_.push_back(i);
    }
  }
}

random::Key SubjectReceipt::draw_key() {
  if (to_draw_.empty() || std::exchange(drawn_, true))
    throw Error("a receipt gives one key, once, for what it paid for");
  return random::Key::from_operating_system();
}

std::vector<std::string> Ledger::keep_answers(
    const std::vector<std::pair<SubjectPlace, std::string>>& answers) {
  const std::lock_guard lock(mutex_);
  Transaction transaction(file_->database(), Transaction::Kind::write);
  catch_up();
  std::vector<std::string> kept = file_->keep_answers(answers);
  transaction.commit();
  return kept;
}

std::optional<std::string> Ledger::subject_answer(const SubjectPlace& place) {
  const std::lock_guard lock(mutex_);
  return file_->answer(place);
}

SubjectBudget Ledger::subject_budget(const std::string& dataset, const std::string& subject,
                                     std::int64_t now_s) {
  const std::lock_guard lock(mutex_);
  const Transaction transaction(file_->database(), Transaction::Kind::read);
  catch_up();
  return accounts_of(dataset).budget(subject, std::max(now_s, last_time_unix_s_));
}

std::optional<std::int64_t> Ledger::subject_renewal(const std::string& dataset, const std::string& subject,
                                                    const Rational& cost, std::int64_t now_s) {
  const std::lock_guard lock(mutex_);
  return accounts_of(dataset).renewal(subject, cost, std::max(now_s, last_time_unix_s_));
}

std::optional<LedgerReference> Ledger::reference_of(const SubjectPlace& place) {
  const auto paid = entry(place.entry);
  if (!paid || !paid->subjects || place.line == 0 || place.line > paid->subjects->lines) return std::nullopt;
  return LedgerReference{id_, paid->number, paid->hash, paid->dataset, place.line};
}

}  // namespace fogline::privacy
