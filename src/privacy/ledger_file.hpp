// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "privacy/ledger.hpp"
#include "privacy/sqlite.hpp"
#include "privacy/subjects.hpp"

namespace fogline::privacy {

/// The file of a ledger: its schema, its rows, nothing of what they mean. Used by Ledger and verify_ledger.
///
/// A new ledger is made complete under another name and then linked into place, so a ledger that is empty or
/// lacks its tables was damaged and is never taken for a new one.
class LedgerFile {
 public:
  LedgerFile(std::string path, const Ledger::Options& options);

  sqlite::Database& database() { return database_; }
  const std::string& path() const { return database_.path(); }

  std::string ledger_id();
  LedgerHead head();
  EntryRow row(std::uint64_t number);  ///< throws Damaged if there is none
  void each_row_after(std::uint64_t number, const std::function<void(const EntryRow&)>& visit);
  void append(const EntryRow& row);  ///< the row and the new head; within the caller's transaction

  /// From now on each transaction is one write and one sync, in a file beside this one (SQLite's write-ahead log), for all who use the ledger; fold_log() undoes that.
  void write_ahead();
  void fold_log();  ///< unless others use the file; never throws

  // Of entries that charge subjects. Their tables come with the first cap of that kind, and within the caller's transaction too.
  void add_subject_tables();  ///< if they are not there yet
  void append_subjects(std::uint64_t entry, const std::string& lines);
  std::string subjects(std::uint64_t entry);  ///< throws Damaged if there are none
  /// The answers that were given for lines, once: whoever comes second leaves the first. Gives what is kept.
  std::vector<std::string> keep_answers(const std::vector<std::pair<SubjectPlace, std::string>>& answers);
  std::optional<std::string> answer(const SubjectPlace& place);

  /// What is wrong with tables and triggers; empty when they are as we made them.
  std::string schema_problem();

 private:
  bool has_subject_tables();

  sqlite::Database database_;
};

}  // namespace fogline::privacy
