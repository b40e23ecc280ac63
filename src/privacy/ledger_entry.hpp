// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "privacy/guarantee.hpp"

namespace fogline::privacy {

enum class EntryType {
  charge,      ///< a release: its epsilon is spent
  seeded_run,  ///< a run with a fixed seed: recorded, never counted
  cap,         ///< a cap set, raised or lowered
  settlement,  ///< what was written for a charge or a seeded run
  refusal,     ///< private records were read, and not released: whoever asked was told so
  dataset,     ///< a dataset was declared: releases of it may be charged
  anchor,      ///< from here on the head is kept in a second place; of the whole ledger
  acceptance,  ///< the ledger was taken as it is although that place disagreed; of the whole ledger
  refusals,    ///< how many refusals whoever may not know the records may be given
  subjects     ///< reports of subjects, each charged to one of them: a block of lines
};
/// "charge", "seeded run", "cap", "settled", "refused", "dataset", "anchor", "accepted", "refusals", "subjects"
std::string_view to_string(EntryType type);

bool is_of_the_whole_ledger(EntryType type);  ///< then it has no dataset

/// The most that may be spent on one dataset in one measure: by all its releases together, by what they can tell of one person, or by what each subject is charged in a window.
struct Cap {
  EpsilonMeasure measure;
  Rational epsilon;        ///< 0 (nothing may be released) to 1,000,000
  bool of_person = false;  ///< counts releases whose promise covers a person, and forbids all others
  /// Above 0: of each subject by itself (privacy/subjects.hpp), in any stretch of so many seconds.
  std::int64_t subject_window_s = 0;
  bool is_of_subjects() const { return subject_window_s > 0; }
  friend bool operator==(const Cap&, const Cap&) = default;

  /// "epsilon 2", "epsilon 1/2 per metre", "epsilon 2 per person", "epsilon 1/2 per metre per person", "epsilon 1/10 per metre per subject in 24 h".
  /// Throws InvalidOption, naming `cap`.
  static Cap parse(std::string_view text);
};
std::string to_string(const Cap& cap);

/// What was written for an entry: whatever else names the entry was not.
struct Settlement {
  std::uint64_t entry = 0;  ///< that was charged
  std::string
      output_sha256;  ///< of the bytes that went out; of several outputs, of their hashes, a line each
  std::string statement_sha256;  ///< of the statement's text
  friend bool operator==(const Settlement&, const Settlement&) = default;
};

/// The lines of an entry that charges subjects, as the chain holds them (privacy/subjects.hpp); they stand in a table of their own.
struct SubjectBlock {
  std::uint64_t lines = 0;
  std::string sha256;  ///< of their text
  std::string
      draft_sha256;  ///< of what was promised for them (draft_hash() of privacy/release.hpp): with this, and no other, they are drawn
  friend bool operator==(const SubjectBlock&, const SubjectBlock&) = default;
};

/// One line of a ledger. Lines are only ever added, and each holds the hash of the one before.
struct LedgerEntry {
  std::uint64_t number = 0;  ///< from 1, without gaps
  std::int64_t time_unix_s = 0;
  EntryType type = EntryType::charge;
  std::string dataset;  ///< empty for an anchor and an acceptance
  std::string kind;     ///< of a charge, a seeded run, a refusal and a block of subjects
  std::string mechanism, output,
      version;                         ///< of a charge, a seeded run and a block of subjects; empty otherwise
  std::optional<Guarantee> guarantee;  ///< charge and seeded run; of subjects: of one report
  std::optional<Cap> cap;              ///< cap
  std::optional<Settlement> settlement;  ///< settlement
  std::optional<SubjectBlock> subjects;  ///< subjects
  bool is_uncapped = false;              ///< dataset: it was said that nothing limits what it may spend
  std::string accepted_because;          ///< acceptance: plain text, 1 to 500 bytes
  bool is_guarded = false;          ///< charge: of whoever may not know the records, before they were read
  std::uint64_t refused_entry = 0;  ///< refusal: the guarded charge that paid for it; 0: nobody did
  std::uint64_t most_refusals = 0;  ///< refusals: of guarded requests in all, 0 to 1,000,000
  std::string previous_hash;        ///< of entry number - 1; genesis_hash() for the first
  std::string hash;                 ///< SHA-256 of all fields above
  friend bool operator==(const LedgerEntry&, const LedgerEntry&) = default;
};

/// What a statement says about its ledger entry.
struct LedgerReference {
  std::string ledger_id;
  std::uint64_t entry = 0;
  std::string entry_hash;
  std::string dataset;
  std::uint64_t line = 0;  ///< of an entry that charges subjects, from 1; 0: the whole entry
  friend bool operator==(const LedgerReference&, const LedgerReference&) = default;
};

/// An entry as it lies in the file. Fractions are text "numerator/denominator" in lowest terms, never
/// floating point; fields an entry does not have are empty.
struct EntryRow {
  std::int64_t sequence = 0;
  std::int64_t time_unix_s = 0;
  std::string event, dataset, kind, mechanism, notion, unit, epsilon, measure, delta, exactness, reason,
      output, version, previous_hash, hash;
  /// What an entry says beside the columns that the first format had: JSON, or nothing.
  std::string details;
};

/// The text columns of the first format, in the order in which they are stored and hashed; `hash` itself is not among them. `details` came with
/// the second, and stands behind `hash`.
inline constexpr auto entry_columns = std::to_array<std::pair<const char*, std::string EntryRow::*>>({
    {"event", &EntryRow::event},
    {"dataset", &EntryRow::dataset},
    {"kind", &EntryRow::kind},
    {"mechanism", &EntryRow::mechanism},
    {"notion", &EntryRow::notion},
    {"unit", &EntryRow::unit},
    {"epsilon", &EntryRow::epsilon},
    {"measure", &EntryRow::measure},
    {"delta", &EntryRow::delta},
    {"exactness", &EntryRow::exactness},
    {"reason", &EntryRow::reason},
    {"output", &EntryRow::output},
    {"version", &EntryRow::version},
    {"previous_hash", &EntryRow::previous_hash},
});

/// SHA-256 over every field as "name=length:value\n". The lengths make the text unambiguous: no two different
/// rows have the same. A row without details has the hash that the first format gave it.
std::string hash_of(const EntryRow& row);

/// What the first entry of a ledger holds as its previous hash; it ties the chain to the ledger's id.
std::string genesis_hash(const std::string& ledger_id);

EntryRow to_row(const LedgerEntry& entry);

/// Throws InvalidOption naming the column that is malformed, out of range or contradicts another. Does not check the hash.
LedgerEntry from_row(const EntryRow& row);

/// Throws InvalidOption naming the field, unless names are plain and short, the output has no folder, a cap is at most
/// 1,000,000 and the time lies in 1970 to 9999. Holds for every entry, written or read: a ledger may come from a stranger.
void require_valid(const LedgerEntry& entry);

}  // namespace fogline::privacy
