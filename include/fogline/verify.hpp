// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fogline/ledger.hpp"
#include "fogline/listener.hpp"

namespace fogline {

/// One thing that was looked at.
struct VerifyCheck {
  enum class Outcome { passed, failed, not_checked };
  std::string name;  ///< "guarantee", "released file", "ledger"
  Outcome outcome = Outcome::not_checked;
  std::string sentence;
};

struct VerifyOptions {
  std::string folder = ".";  ///< where the files that a statement names are looked for
  std::map<std::string, std::string> files =
      {};                               ///< name in the statement -> path, for those that lie elsewhere
  bool read_map = true;                 ///< false: what needs the map is not checked, and takes no time
  std::vector<std::string> trust = {};  ///< files or folders of public keys whose signatures count
  bool limited = true;      ///< what would be long work is not checked: a statement may come from anybody
  std::string limits = {};  ///< when a file is refused as too large, as `limits` of every request: "bytes=4G"
};

/// Works out what a release promises from its statement (JSON) and compares it with what the statement says, its files and, if it is at hand, its ledger.
///
///     for (const auto& check : fogline::verify(safe.statement, &ledger, {}, silent))
///       if (check.outcome == fogline::VerifyCheck::Outcome::failed) std::cerr << check.sentence << "\n";
///
/// Throws DataError for a text that is no statement.
std::vector<VerifyCheck> verify(const std::string& statement, Ledger* ledger, const VerifyOptions& options,
                                Listener& listener);

}  // namespace fogline
