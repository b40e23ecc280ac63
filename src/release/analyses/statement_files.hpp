// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>

#include "privacy/ledger.hpp"
#include "privacy/statement.hpp"
#include "release/common_fields.hpp"

namespace fogline::release {

/// For verbs that look up what a statement speaks of: where it is, the files it names, and the ledger that was charged.

/// Throws InvalidOption if a name is of no file that any of these statements speaks of.
void refuse_unknown_names(const std::map<std::string, std::string>& files,
                          std::span<const privacy::Statement> statements);

/// A statement, and the released file it was found by; empty if the statement itself was named.
struct StatementOf {
  std::string statement, released;
};

/// For a released file, the statement beside it, FILE.statement.json; for anything else itself. Throws DataError for a file that
/// is no JSON and has no statement beside it.
StatementOf statement_of(const std::string& file);

/// The statement of a file that holds one. Throws as read_statement() does; DataError for a .jsonl of several, each of
/// a release of its own, that says how one is taken out.
privacy::Statement only_statement(const std::string& file);

/// Under whatever name a release lies here: its first output is `released`, whatever `files` said of it, and what was released with it lies beside, with the same ending. Of a
/// release in parts it is the part of that name, or of that hash. Hashes tell whether these are the ones: one that is none of the outputs stands for the first, and
/// is not the one.
void name_outputs(const privacy::Statement& statement, const std::string& released,
                  std::map<std::string, std::string>& files);

/// The ledger that was named; otherwise the front end's default, if it is the one the statement speaks of. Null if there is none.
std::shared_ptr<privacy::Ledger> ledger_at_hand(const LedgerFields& ledger,
                                                const privacy::Statement& statement);

}  // namespace fogline::release
