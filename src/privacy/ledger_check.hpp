// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "privacy/ledger.hpp"
#include "privacy/statement.hpp"

namespace fogline::privacy {

/// Something wrong with a ledger.
struct Finding {
  std::uint64_t entry = 0;  ///< 0: the file as a whole
  std::string sentence;
};

/// A statement as an anchor: it was handed out, so a ledger that disagrees with it was changed.
struct NamedStatement {
  std::string name;
  Statement statement;
};

struct LedgerCheckOptions {
  std::vector<NamedStatement> statements;  ///< each must find its entry in this ledger
  std::optional<std::string> known_head;   ///< a head hash written down earlier; it must be in the chain
};

struct LedgerVerdict {
  LedgerHead head;  ///< as found; entries counts the rows that are there
  std::vector<Finding> findings;
  std::vector<Finding> remarks = {};  ///< what is odd and no edit: times that run backwards
  bool is_anchored = false;           ///< an entry says that its head is kept in a second place
  bool sound() const { return findings.empty(); }
};

/// Reads a whole ledger and looks for edits, losses and broken rules: SQLite's own integrity check, changed
/// or missing tables and triggers, a broken chain, a head that does not match (the end was cut off),
/// malformed numbers, a cap exceeded; and, given anchors, an older copy or another ledger in its place.
///
///     LedgerVerdict verdict = verify_ledger("project.ledger", {.known_head = noted});
///     for (const Finding& finding : verdict.findings) ...
///
/// A file damaged beyond reading is a finding. A file that is missing, may not be read or is of a newer
/// format throws FileError. Who can write the file can rewrite all of it consistently: that only the anchors
/// show.
LedgerVerdict verify_ledger(const std::string& path, const LedgerCheckOptions& options = {});

/// How a statement and the ledger entry it names differ, in one sentence; empty if they agree.
std::string difference(const Statement& statement, const LedgerReference& reference,
                       const LedgerEntry& entry);

}  // namespace fogline::privacy
