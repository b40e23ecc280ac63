// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "privacy/ledger.hpp"
#include "privacy/statement.hpp"
#include "privacy/trusted_keys.hpp"

namespace fogline::privacy {

enum class Outcome { passed, failed, not_checked };
std::string_view to_string(Outcome outcome);  ///< "passed", "failed", "not checked"

struct Check {
  std::string
      name;  ///< "consistency", "public input berlin.osm.pbf", "output safe.csv", "ledger entry", "settled", "signature"
  Outcome outcome;
  std::string sentence;
};

/// Where a file lies that a statement names: as `files` say, else in `folder`.
std::string place_of(const std::string& name, const std::string& folder,
                     const std::map<std::string, std::string>& files);

struct StatementCheckOptions {
  std::string folder = ".";                  ///< where files are looked for
  std::map<std::string, std::string> files;  ///< name in the statement -> path, for files that lie elsewhere
  Ledger* ledger = nullptr;                  ///< not checked without
  TrustedKeys trusted = {};                  ///< whose signatures count
};

/// Compares a statement with the files and the ledger it speaks of. One check for each thing it says; whoever
/// reads a verdict counts failed ones, and should ask about the ones not checked.
///
///     for (const Check& check : verify(read_statement(path), {.folder = "out", .ledger = &ledger})) ...
///
/// A specification such as "line:101:1000" is no file and gets no check here. Whether parameters, guarantee and words belong together
/// is for audit/statements/recompute.hpp, which knows the mechanisms.
std::vector<Check> verify(const Statement& statement, const StatementCheckOptions& options);

}  // namespace fogline::privacy
