// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/progress.hpp"

struct sqlite3;
struct sqlite3_stmt;

/// The little of SQLite that the ledger needs, with its errors turned into FileErrors that say what to do.
namespace fogline::privacy::sqlite {

/// The file is no database, or one whose pages are damaged.
class Damaged : public FileError {
 public:
  using FileError::FileError;
};

class Query;

/// A connection. Not to be used by two threads at once, nor in a child process after fork().
///
///     Database file(path, {.access = Access::read_only});
///     Query query = file.prepare("SELECT count(*) FROM entries");
///     query.step();
class Database {
 public:
  enum class Access { create, read_write, read_only };
  struct Options {
    Access access = Access::read_write;
    std::chrono::milliseconds busy_timeout{60'000};  ///< how long to wait for another process
    Wanted wanted = {};  ///< asked meanwhile; throws Cancelled, with nothing written
  };
  /// While it lives, this one is asked in place of whom the options name.
  class Asking {
   public:
    Asking(Database& file, const Wanted& wanted) : file_(file), before_(file.wanted_) {
      if (wanted) file.wanted_ = wanted;
    }
    Asking(const Asking&) = delete;
    ~Asking() { file_.wanted_.swap(before_); }

   private:
    Database& file_;
    Wanted before_;
  };
  Database(std::string path, const Options& options);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void run(const std::string& sql);  ///< one or more statements without a result
  Query prepare(std::string_view sql);
  std::int64_t integer(std::string_view sql);  ///< the one number a query gives
  const std::string& path() const { return path_; }

  [[noreturn]] void fail(int code) const;

 private:
  static int on_busy(void* database, int times);  ///< whether to wait on; SQLite's busy handler

  std::string path_;
  sqlite3* handle_ = nullptr;
  std::chrono::milliseconds busy_timeout_;
  Wanted wanted_;
};

/// A prepared statement; columns and parameters count as in SQLite, from 0 and from 1.
class Query {
 public:
  Query(Database& file, sqlite3_stmt* statement) : file_(file), statement_(statement, finalise) {}

  void bind(int parameter, std::int64_t value);
  void bind(int parameter, const std::string& value);
  bool step();   ///< false when there are no more rows
  void reset();  ///< to be run again; what was bound stays until it is bound anew
  std::int64_t integer(int column) const;
  std::string text(int column) const;

 private:
  static void finalise(sqlite3_stmt* statement);

  Database& file_;
  std::unique_ptr<sqlite3_stmt, void (*)(sqlite3_stmt*)> statement_;
};

/// A transaction that is rolled back unless committed. `write` takes the only write lock at once, so that
/// what it reads stays true until it commits; `read` sees one state of the file.
class Transaction {
 public:
  enum class Kind { read, write };
  Transaction(Database& file, Kind kind);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& file_;
  bool open_ = true;
};

}  // namespace fogline::privacy::sqlite
