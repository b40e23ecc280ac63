// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "privacy/statement.hpp"

namespace fogline::privacy {

/// The statements of releases that follow each other, a line of JSON for each, in one file that is never without those of answers that
/// are out: a line is written whole, before its answer.
///
///     StatementLog log("safe.statements.jsonl", {.overwrite = false});    // throws FileError if it is there
///     log.add(statement);                                                 // on the disk when this returns
///     std::vector<Statement> all = read_statements("safe.statements.jsonl");
///
/// Every line is a statement by itself. The file is made, or begun anew, with the first of them: whoever asks for nothing loses nothing. A symbolic link is not
/// followed. Readable by its owner alone.
class StatementLog {
 public:
  struct Options {
    bool overwrite = false;  ///< begin a file of that name anew
  };
  StatementLog(std::string path, const Options& options);
  StatementLog(const StatementLog&) = delete;
  StatementLog& operator=(const StatementLog&) = delete;
  ~StatementLog();

  /// Lasts before it returns: the ledger is told of the statement next. Throws FileError, and leaves no part of a line.
  void add(const Statement& statement);
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  Options options_;
  int file_ = -1;  // -1: none was added
};

/// Does the name say that it holds such lines?
bool is_statement_log(const std::string& path);

/// All of them, the first on line 1. Throws FileError; DataError naming the line of one that cannot be read, or for a file without any.
std::vector<Statement> read_statements(const std::string& path);

}  // namespace fogline::privacy
