// SPDX-License-Identifier: Apache-2.0
#include "privacy/ledger.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "privacy/composition.hpp"
#include "privacy/file_hash.hpp"
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
  entry.is_guarded = request.is_guarded;
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

LedgerEntry refusals_entry(const std::string& dataset, std::uint64_t most, std::int64_t time_unix_s) {
  LedgerEntry entry;
  entry.time_unix_s = time_unix_s;
  entry.type = EntryType::refusals;
  entry.dataset = dataset;
  entry.most_refusals = most;
  require_valid(entry);
  return entry;
}

[[noreturn]] void refuse_altered(const std::string& path, std::string_view what) {
  throw DataError({path}, fmt::format("the ledger was altered: {}", what),
                  "a check of the whole ledger says more; put back a copy from before");
}

/// As the chain knows them.
std::vector<SubjectLine> lines_of(const LedgerEntry& entry, LedgerFile& file) {
  const std::string text = file.subjects(entry.number);
  std::vector<SubjectLine> lines = subject_lines_from(text);
  if (sha256_of_text(text) != entry.subjects->sha256 || lines.size() != entry.subjects->lines)
    throw InvalidOption("lines", "of subjects were changed");
  return lines;
}

/// Within the caps.
void require_allowed(const Books& books, const LedgerEntry& entry) {
  if (entry.type == EntryType::charge) {
    if (const auto refused = books.refusal(entry.dataset, entry.guarantee.value())) throw *refused;
    if (!entry.is_guarded) return;
    if (const auto refused = books.guarded_refusal(entry.dataset, *entry.guarantee)) throw *refused;
  }
  // A seeded run promises nothing, so a cap forbids it like any release that promises nothing.
  if (entry.type == EntryType::seeded_run) {
    if (const auto refused = books.excess(entry.dataset, seeded(*entry.guarantee))) throw *refused;
  }
  if (entry.type == EntryType::refusals && !books.dataset(entry.dataset).is_declared())
    throw InvalidOption("dataset", fmt::format("'{}' is not declared", entry.dataset));
  // A cap declares a dataset as well.
  if (entry.cap) books.require_settable(entry.dataset, *entry.cap);
  if (entry.type == EntryType::dataset || (entry.cap && !books.dataset(entry.dataset).is_declared()))
    books.require_new(entry.dataset);
}

}  // namespace

Receipt::Receipt(Receipt&& other) noexcept
    : reference_(std::move(other.reference_)),
      seed_(other.seed_),
      clock_behind_s_(other.clock_behind_s_),
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
      hash_(genesis_hash(id_)),
      anchor_(options.anchor ? options.anchor(id_) : nullptr) {}

Ledger::~Ledger() {
  if (is_serving_) file_->fold_log();
}

void Ledger::begin_serving() {
  const std::lock_guard lock(mutex_);
  file_->write_ahead();
  is_serving_ = true;
}

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
      const LedgerEntry entry = from_row(row);
      apply(entry);
      if (entry.subjects) apply_subjects(entry, lines_of(entry, *file_));
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

/// Every entry that the anchor knows must be in the chain.
void Ledger::require_anchored() {
  if (!anchor_) {
    if (!is_anchored_) return;
    throw DataError({file_->path()}, "its head is kept in a second place, which is not known here",
                    "name its anchor and accept the ledger, once you know that this is its newest copy");
  }
  const auto kept = anchor_->kept(id_);
  if (!kept && !is_anchored_) return;
  if (!kept)
    throw DataError({file_->path()}, fmt::format("its anchor {} knows nothing of it", anchor_->where()),
                    "find the anchor that it had; or accept the ledger as it is, with a reason");
  const bool is_there =
      kept->entries <= count_ &&
      (kept->entries == 0 ? genesis_hash(id_) : file_->row(kept->entries).hash) == kept->hash;
  if (!is_there)
    throw DataError(
        {file_->path()},
        fmt::format(
            "does not hold entry {} as its anchor {} kept it: this is an older copy, or its history was "
            "rewritten",
            kept->entries, anchor_->where()),
        "put the newest copy back; or accept the ledger as it is, with a reason");
}

/// Before anybody gets a receipt: what is drawn is anchored.
void Ledger::keep_head(Anchoring anchoring, std::int64_t time_unix_s) {
  if (!anchor_) return;
  const LedgerHead head{id_, count_, hash_};
  anchoring == Anchoring::accept ? anchor_->accept(head, time_unix_s) : anchor_->keep(head, time_unix_s);
}

Ledger::Appended Ledger::append(std::vector<LedgerEntry> entries, Anchoring anchoring, const Wanted& wanted) {
  const std::lock_guard lock(mutex_);
  const sqlite::Database::Asking asking(file_->database(), wanted);
  std::int64_t behind_s = 0;
  {
    Transaction transaction(file_->database(), Transaction::Kind::write);
    catch_up();
    if (anchoring == Anchoring::compare) require_anchored();
    behind_s = std::max<std::int64_t>(last_time_unix_s_ - entries.front().time_unix_s, 0);
    const bool declares = entries.front().type == EntryType::dataset;
    std::uint64_t number = count_;
    std::string hash = hash_;
    for (LedgerEntry& entry : entries) {
      // Its caps come with the dataset that they declare.
      if (!declares || entry.type == EntryType::dataset) require_allowed(books_, entry);
      if (declares && entry.cap) books_.require_settable(entry.dataset, *entry.cap);
      if (entry.settlement) require_unsettled(entry);
      entry.number = ++number;
      entry.previous_hash = hash;
      entry.hash = hash_of(to_row(entry));
      hash = entry.hash;
      if (entry.cap && entry.cap->is_of_subjects()) file_->add_subject_tables();
      file_->append(to_row(entry));
    }
    transaction.commit();
  }
  clock_behind_s_ = behind_s;
  for (const LedgerEntry& entry : entries) {
    apply(entry);
    count_ = entry.number;
    hash_ = entry.hash;
  }
  keep_head(anchoring, entries.front().time_unix_s);
  return {std::move(entries), behind_s};
}

Receipt Ledger::receipt_of(LedgerEntry entry, std::optional<std::uint64_t> seed, const Wanted& wanted) {
  const Appended added = append({std::move(entry)}, Anchoring::compare, wanted);
  const LedgerEntry& paid = added.entries.front();
  return {{id_, paid.number, paid.hash, paid.dataset}, seed, added.clock_behind_s};
}

void Ledger::add_dataset(const DatasetRequest& request) {
  if (!request.caps.empty() && request.is_uncapped)
    throw InvalidOption("cap", "is given, and so is the word that there is none: give one of the two");
  if (request.caps.empty() && !request.is_uncapped)
    throw InvalidOption("cap", "is needed, or the word that there is none");
  LedgerEntry declared;
  declared.time_unix_s = request.time_unix_s;
  declared.type = EntryType::dataset;
  declared.dataset = request.dataset;
  declared.is_uncapped = request.is_uncapped;
  require_dataset_name(declared.dataset);
  require_valid(declared);
  std::vector<LedgerEntry> entries{declared};
  for (const Cap& cap : request.caps) {
    if (cap.is_of_subjects() && request.caps.size() > 1)
      throw InvalidOption("cap", "per subject is the only cap of its dataset");
    for (std::size_t i = 1; i < entries.size(); ++i)
      if (entries[i].cap->measure == cap.measure && entries[i].cap->of_person == cap.of_person)
        throw InvalidOption("cap", "is given twice for one measure");
    entries.push_back(entry_of({.dataset = request.dataset, .cap = cap, .time_unix_s = request.time_unix_s}));
  }
  if (request.most_refusals)
    entries.push_back(refusals_entry(request.dataset, *request.most_refusals, request.time_unix_s));
  append(std::move(entries));
}

void Ledger::add_anchor(std::int64_t time_unix_s) {
  if (!anchor_) throw InvalidOption("anchor", "is needed");
  // Before the entry that says so: a place that cannot be written to would leave a ledger that nobody can charge.
  anchor_->keep(head(), time_unix_s);
  LedgerEntry entry;
  entry.time_unix_s = time_unix_s;
  entry.type = EntryType::anchor;
  append({std::move(entry)});
}

void Ledger::accept(const std::string& reason, std::int64_t time_unix_s) {
  LedgerEntry entry;
  entry.time_unix_s = time_unix_s;
  entry.type = EntryType::acceptance;
  entry.accepted_because = reason;
  require_valid(entry);
  append({std::move(entry)}, Anchoring::accept);
}

void Ledger::require_chargeable() {
  const std::lock_guard lock(mutex_);
  const Transaction transaction(file_->database(), Transaction::Kind::read);
  catch_up();
  require_anchored();
}

bool Ledger::is_anchored() {
  const std::lock_guard lock(mutex_);
  const Transaction transaction(file_->database(), Transaction::Kind::read);
  catch_up();
  return is_anchored_;
}

std::int64_t Ledger::clock_behind_s() {
  const std::lock_guard lock(mutex_);
  return clock_behind_s_;
}

Receipt Ledger::charge(const ReleaseRequest& request, const Wanted& wanted) {
  return receipt_of(entry_of(request, EntryType::charge), std::nullopt, wanted);
}

Receipt Ledger::record_seeded_run(const ReleaseRequest& request, std::uint64_t seed) {
  return receipt_of(entry_of(request, EntryType::seeded_run), seed);
}

void Ledger::record_refusal(const std::string& dataset, const std::string& kind, std::int64_t time_unix_s,
                            std::uint64_t paid) {
  LedgerEntry entry;
  entry.time_unix_s = time_unix_s;
  entry.type = EntryType::refusal;
  entry.dataset = dataset;
  entry.kind = kind;
  entry.refused_entry = paid;
  require_valid(entry);
  append({std::move(entry)});
}

void Ledger::set_refusals(const std::string& dataset, std::uint64_t most, std::int64_t time_unix_s) {
  append({refusals_entry(dataset, most, time_unix_s)});
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
  append({std::move(line)});
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
  if (entry.cap && entry.cap->is_of_subjects())
    subjects_.try_emplace(entry.dataset, *entry.cap).first->second.set_cap(*entry.cap);
  last_time_unix_s_ = std::max(last_time_unix_s_, entry.time_unix_s);
  is_anchored_ = is_anchored_ || entry.type == EntryType::anchor;
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
  if (anchor_) require_anchored();
  return find_settlement(entry);
}

MeasureTotal Ledger::set_cap(const CapRequest& request) {
  append({entry_of(request)});
  if (request.cap.is_of_subjects()) return {.spent = {}, .cap = request.cap.epsilon};
  const std::lock_guard lock(mutex_);
  return books_.dataset(request.dataset).total_of(request.cap);
}

Books Ledger::books() {
  const std::lock_guard lock(mutex_);
  const Transaction transaction(file_->database(), Transaction::Kind::read);
  catch_up();
  if (anchor_) require_anchored();
  return books_;
}

std::vector<LedgerEntry> Ledger::entries() {
  const std::lock_guard lock(mutex_);
  const Transaction transaction(file_->database(), Transaction::Kind::read);
  catch_up();
  if (anchor_) require_anchored();
  std::vector<LedgerEntry> all;
  all.reserve(count_);
  file_->each_row_after(0, [&](const EntryRow& row) { all.push_back(from_row(row)); });
  return all;
}

std::optional<LedgerEntry> Ledger::entry(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  const Transaction transaction(file_->database(), Transaction::Kind::read);
  catch_up();
  if (anchor_) require_anchored();
  if (number == 0 || number > count_) return std::nullopt;
  return from_row(file_->row(number));
}

LedgerHead Ledger::head() {
  const std::lock_guard lock(mutex_);
  const Transaction transaction(file_->database(), Transaction::Kind::read);
  catch_up();
  if (anchor_) require_anchored();
  return {id_, count_, hash_};
}

}  // namespace fogline::privacy
