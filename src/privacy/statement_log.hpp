// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "privacy/statement.hpp"

namespace fogline::privacy {

/// The statements of releases that follow each other, a line of JSON for each, in one file that is never without those of answers that
/// are out: a line is written whole, before its answer.
///
///     StatementLog log("safe.statements.jsonl", {});    // throws if another process writes it
///     log.add(statement);                               // on the disk when this returns
///     StatementLines lines = read_statements("safe.statements.jsonl");
///
/// Every line is a statement by itself. A file of that name that holds statements is gone on with: its lines stay, and
/// new ones follow them. What a crash left of a last line is cut away before the next is written: a line that is not
/// whole never had its answer go out. With `overwrite` the file is begun anew instead. Either happens with the first
/// statement that is added: whoever asks for nothing changes nothing.
///
/// One process writes at a time: the file is locked from construction to destruction. A symbolic link is not followed.
/// Readable by its owner alone. Cost: a file that is there is looked at from its end, as far as its last line; earlier
/// lines are for read_statements().
class StatementLog {
 public:
  struct Options {
    bool overwrite = false;  ///< begin a file of that name anew, whatever it holds
  };
  /// Throws FileError: a link, no file that can be made or written, another process writes it; DataError: its last line
  /// is no statement.
  StatementLog(std::string path, const Options& options);
  StatementLog(const StatementLog&) = delete;
  StatementLog& operator=(const StatementLog&) = delete;
  ~StatementLog();  ///< a file that was made for nothing is removed

  /// Lasts before it returns: the ledger is told of the statement next. Throws FileError, and leaves no part of a line.
  void add(const Statement& statement);
  const std::string& path() const { return path_; }
  /// Of a last line that was cut short, which the first add() takes away; 0: none.
  std::uint64_t torn_bytes() const { return torn_bytes_; }

 private:
  void look_at_end();
  void begin();
  void require_named() const;
  [[noreturn]] void fail(std::int64_t before) const;

  std::string path_;
  Options options_;
  int file_ = -1;
  bool was_there_ = false;
  bool is_begun_ = false;      // something was added
  bool is_line_open_ = false;  // the last line is whole but for its end
  std::uint64_t torn_bytes_ = 0;
};

/// Does the name say that it holds such lines?
bool is_statement_log(const std::string& path);

struct StatementLines {
  std::vector<Statement> all;  ///< the first on line 1
  std::uint64_t torn_bytes =
      0;  ///< of a last line that was cut short, by a crash or because it is being written; 0: none
};

/// All of them. Throws FileError; DataError naming the line of one that cannot be read, or for a file without any.
StatementLines read_statements(const std::string& path);

}  // namespace fogline::privacy
