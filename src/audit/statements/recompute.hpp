// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.hpp"
#include "privacy/statement.hpp"
#include "privacy/statement_check.hpp"

namespace fogline::audit {

struct RecomputeOptions {
  std::string folder = ".";  ///< where files are looked for
  std::map<std::string, std::string> files =
      {};                  ///< name in the statement -> path, for files that lie elsewhere
  bool read_files = true;  ///< false: no file is opened and no map made; what needs them is not checked
  bool read_map = true;    ///< false: the same for the map alone, which is what can take long
  bool limited =
      true;         ///< what would be more work than audit/statements/work_limits.hpp allows is not checked
  int threads = 0;  ///< 0 (all cores) to 1,024
  Progress progress = {};
};

/// How the statements of some mechanisms of a kind, in one form, are recomputed.
struct Recomputation {
  std::string_view kind;
  std::vector<std::string_view> mechanisms;
  privacy::Form form = privacy::Form::sound;
  std::vector<privacy::Check> (*run)(const privacy::Statement& statement,
                                     const RecomputeOptions& options) = nullptr;
};

/// Works out from a statement's parameters and public inputs what the mechanism promises, and compares it with what the
/// statement says: the guarantee, the sentences, the released file, the map and the expected error.
///
///     auto checks = recompute(statement, known, {.folder = "out"});         // `known`: release/kinds.hpp has all
///     // "parameters", "guarantee", "words", "released file", "positions", "range", "expected error"
///
/// Nothing that the releaser wrote is taken for granted, except the parameters themselves; whether those are the ones that
/// were charged for is for the ledger to say (privacy/statement_check.hpp). What it cannot see: docs/statement.md.
///
/// A mechanism this version does not have gives "not checked", never "passed". Throws Cancelled only.
///
/// Cost: reading the map and averaging its error: under a second to 5,000 vertices, then a search of the whole map from each of
/// 200 vertices.
std::vector<privacy::Check> recompute(const privacy::Statement& statement,
                                      std::span<const Recomputation> known, const RecomputeOptions& options);

}  // namespace fogline::audit
