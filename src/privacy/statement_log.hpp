// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "privacy/statement.hpp"

namespace fogline::privacy {

/// The statements of releases that follow each other, a line of JSON for each, in one file that is never without those of answers that
/// are out: a line is written whole, before its answer.
///
///     StatementLog log("safe.statements.jsonl", {.overwrite = false});    // throws FileError if it is there, or cannot be made
///     log.add(statement);
///
/// Every line is a statement by itself, as `fogline verify` reads it. Readable by its owner alone.
class StatementLog {
 public:
  struct Options {
    bool overwrite = false;  ///< begin a file of that name anew
  };
  StatementLog(std::string path, const Options& options);
  StatementLog(const StatementLog&) = delete;
  StatementLog& operator=(const StatementLog&) = delete;
  ~StatementLog();

  void add(const Statement& statement);  ///< throws FileError, and leaves no part of a line
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int file_;
};

}  // namespace fogline::privacy
