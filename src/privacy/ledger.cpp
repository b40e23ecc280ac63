// SPDX-License-Identifier: Apache-2.0
#include "privacy/ledger.hpp"

#include <utility>

#include <fmt/format.h>

#include "privacy/composition.hpp"
#include "privacy/ledger_file.hpp"
#include "privacy/plain_text.hpp"

namespace fogline::privacy {
namespace {

using sqlite::Transaction;

LedgerEntry entry_of(const ReleaseRequest& request, EntryType type) {
  LedgerEntry entry;
  entry.time_unix_s = request.time_unix_s;
  entry.type = type;
  entry.dataset = request.dataset;
  entry.kind = request.kind;
  entry.mechanism = request.mechanism;
  entry.output = request.output;
  entry.version = request.version;
  entry.guarantee = request.guarantee;
  require_valid(entry);
  return entry;
}

LedgerEntry entry_of(const CapRequest& request) {
  LedgerEntry entry;
  entry.time_unix_s = request.time_unix_s;
  entry.type = EntryType::cap;
  entry.dataset = request.dataset;
  entry.cap = request.cap;
  require_valid(entry);
  return entry;
}

[[noreturn]] void refuse_altered(const std::string& path, std::string_view what) {
  throw DataError({path}, fmt::format("the ledger was altered: {}", what),
                  "a check of the whole ledger says more; put back a copy from before");
}

/// Within the caps.
void require_allowed(const Books& books, const LedgerEntry& entry) {
  if (entry.type == EntryType::charge) {
    if (const auto refused = books.refusal(entry.dataset, entry.guarantee.value())) throw *refused;
  }
  // A seeded run promises nothing, so a cap forbids it like any release that promises nothing.
  if (entry.type == EntryType::seeded_run) {
    if (const auto refused = books.refusal(entry.dataset, seeded(*entry.guarantee))) throw *refused;
  }
}

}  // namespace

Receipt::Receipt(Receipt&& other) noexcept
    : reference_(std::move(other.reference_)),
      seed_(other.seed_),
      drawn_(std::exchange(other.drawn_, true)) {}

random::Key Receipt::draw_key() {
  if (std::exchange(drawn_, true)) {
    throw Error("a receipt gives one key, once: a second release needs its own charge");
  }
  return seed_ ? random::SeededKey(*seed_) : random::Key::from_operating_system();
}

Ledger::Ledger(std::string path, const Options& options)
    : file_(std::make_unique<LedgerFile>(std::move(path), options)),
      id_(file_->ledger_id()),
      hash_(genesis_hash(id_)) {}

Ledger::~Ledger() = default;

void Ledger::catch_up() {
  if (const std::string problem = file_->schema_problem(); !problem.empty())
    refuse_altered(file_->path(), problem);
  const LedgerHead head = file_->head();
  if (head.ledger_id != id_) refuse_altered(file_->path(), "its id changed while it was open");
  file_->each_row_after(count_, [&](const EntryRow& row) {
    const bool follows = row.sequence == static_cast<std::int64_t>(count_ + 1) && row.previous_hash == hash_;
    if (!follows || row.hash != hash_of(row)) {
      refuse_altered(file_->path(), fmt::format("the chain breaks at entry {}", count_ + 1));
    }
    try {
      apply(from_row(row));
    } catch (const Error& error) {
      refuse_altered(file_->path(), fmt::format("entry {}: {}", row.sequence, error.what()));
    }
    ++count_;
    hash_ = row.hash;
  });
  if (head.entries != count_ || head.hash != hash_) {
    refuse_altered(file_->path(), "its last entries are missing or it was replaced by another copy");
  }
}

LedgerEntry Ledger::append(LedgerEntry entry) {
  const std::lock_guard lock(mutex_);
  Transaction transaction(file_->database(), Transaction::Kind::write);
  catch_up();
  require_allowed(books_, entry);
  if (entry.settlement) require_unsettled(entry);
  entry.number = count_ + 1;
  entry.previous_hash = hash_;
  entry.hash = hash_of(to_row(entry));
  file_->append(to_row(entry));
  transaction.commit();
  apply(entry);
  count_ = entry.number;
  hash_ = entry.hash;
  return entry;
}

Receipt Ledger::charge(const ReleaseRequest& request) {
  const LedgerEntry entry = append(entry_of(request, EntryType::charge));
  return {{id_, entry.number, entry.hash, entry.dataset}, std::nullopt};
}

Receipt Ledger::record_seeded_run(const ReleaseRequest& request, std::uint64_t seed) {
  const LedgerEntry entry = append(entry_of(request, EntryType::seeded_run));
  return {{id_, entry.number, entry.hash, entry.dataset}, seed};
}

void Ledger::record_refusal(const std::string& dataset, const std::string& kind, std::int64_t time_unix_s) {
  LedgerEntry entry;
  entry.time_unix_s = time_unix_s;
  entry.type = EntryType::refusal;
  entry.dataset = dataset;
  entry.kind = kind;
  require_valid(entry);
  append(std::move(entry));
}

void Ledger::settle(const LedgerReference& charged, const Settlement& written, std::int64_t time_unix_s) {
  const auto paid = entry(charged.entry);
  if (charged.ledger_id != id_ || charged.entry != written.entry || !paid || paid->hash != charged.entry_hash)
    throw Error("what is settled was not charged to this ledger");
  LedgerEntry line;
  line.time_unix_s = time_unix_s;
  line.type = EntryType::settlement;
  line.dataset = charged.dataset;
  line.settlement = written;
  require_valid(line);
  append(std::move(line));
}

void Ledger::require_unsettled(const LedgerEntry& settlement) const {
  const auto paid = unsettled_.find(settlement.settlement->entry);
  if (paid == unsettled_.end() || paid->second != settlement.dataset)
    throw InvalidOption(
        "details",
        "settle no release of the dataset that promises something, or one that was settled before");
}

void Ledger::apply(const LedgerEntry& entry) {
  if (entry.settlement) require_unsettled(entry);
  books_.apply(entry);
  if (entry.settlement) unsettled_.erase(entry.settlement->entry);
  if (entry.type == EntryType::charge && entry.guarantee->notion() != Notion::none)
    unsettled_.emplace(entry.number, entry.dataset);
}

std::optional<Settlement> Ledger::find_settlement(std::uint64_t entry) {
  std::optional<Settlement> found;
  file_->each_row_after(entry, [&](const EntryRow& row) {
    if (row.event != to_string(EntryType::settlement)) return;
    if (const auto settled = from_row(row).settlement; settled->entry == entry) found = settled;
  });
  return found;
}

std::optional<Settlement> Ledger::settlement_of(std::uint64_t entry) {
  const std::lock_guard lock(mutex_);
  const Transaction transaction(file_->database(), Transaction::Kind::read);
  catch_up();
  return find_settlement(entry);
}

MeasureTotal Ledger::set_cap(const CapRequest& request) {
  const LedgerEntry entry = append(entry_of(request));
  const std::lock_guard lock(mutex_);
  return books_.dataset(entry.dataset).total(entry.cap->measure);
}

Books Ledger::books() {
  const std::lock_guard lock(mutex_);
  const Transaction transaction(file_->database(), Transaction::Kind::read);
  catch_up();
  return books_;
}

std::vector<LedgerEntry> Ledger::entries() {
  const std::lock_guard lock(mutex_);
  const Transaction transaction(file_->database(), Transaction::Kind::read);
  catch_up();
  std::vector<LedgerEntry> all;
  all.reserve(count_);
  file_->each_row_after(0, [&](const EntryRow& row) { all.push_back(from_row(row)); });
  return all;
}

std::optional<LedgerEntry> Ledger::entry(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  const Transaction transaction(file_->database(), Transaction::Kind::read);
  catch_up();
  if (number == 0 || number > count_) return std::nullopt;
  return from_row(file_->row(number));
}

LedgerHead Ledger::head() {
  const std::lock_guard lock(mutex_);
  const Transaction transaction(file_->database(), Transaction::Kind::read);
  catch_up();
  return {id_, count_, hash_};
}

}  // namespace fogline::privacy
