// SPDX-License-Identifier: Apache-2.0
#include "privacy/sqlite.hpp"

#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>
#include <thread>

#include <fmt/format.h>
#include <sqlite3.h>

namespace fogline::privacy::sqlite {
namespace {

/// Between two looks at a file that another process holds.
constexpr std::chrono::milliseconds pause_when_busy{10};

constexpr auto restore = "put back a copy from before the damage";

int open_flags(Database::Access access) {
  switch (access) {
    case Database::Access::create:
      return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    case Database::Access::read_write:
      return SQLITE_OPEN_READWRITE;
    case Database::Access::read_only:
      break;
  }
  return SQLITE_OPEN_READONLY;
}

/// A write that fails says so; SQLite keeps "no space left" apart, but not a quota or a limit on file sizes.
bool is_full(int extended) {
  return (extended & 0xFF) == SQLITE_FULL || extended == SQLITE_IOERR_WRITE ||
         extended == SQLITE_IOERR_TRUNCATE || extended == SQLITE_IOERR_FSYNC ||
         extended == SQLITE_IOERR_DIR_FSYNC;
}

[[noreturn]] void fail_read_only(const std::string& path, int extended) {
  switch (extended) {
    case SQLITE_READONLY_DBMOVED:
      throw FileError(path, "was moved, deleted or replaced while in use",
                      "put it back and run again; nothing was charged");
    case SQLITE_READONLY_ROLLBACK:
    case SQLITE_READONLY_RECOVERY:
      throw FileError(path, "a crash left an unfinished write beside it",
                      "open it once with permission to write, so that it is undone");
    default:
      throw FileError(path, "the file or its folder is read-only",
                      "give yourself permission to write to both; nothing was charged");
  }
}

[[noreturn]] void fail_with(const std::string& path, int extended, int system_error,
                            std::string_view detail) {
  const int code = extended & 0xFF;
  const std::string system =
      system_error == 0 ? std::string(detail) : std::generic_category().message(system_error);
  if (code == SQLITE_NOMEM) throw std::bad_alloc();
  if (code == SQLITE_READONLY) fail_read_only(path, extended);
  if (code == SQLITE_CORRUPT) throw Damaged(path, fmt::format("is damaged ({})", detail), restore);
  if (code == SQLITE_NOTADB) throw Damaged(path, "is not a ledger, or its beginning is damaged", restore);
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED) {
    throw FileError(path, "another process keeps it locked",
                    "let that process end and run again; nothing was charged");
  }
  if (is_full(extended)) {
    throw FileError(path, "cannot be written: the disk is full, over a quota, or failing",
                    "free some space and run again; nothing was released");
  }
  if (code == SQLITE_CANTOPEN || code == SQLITE_PERM || code == SQLITE_AUTH) {
    throw FileError(path, fmt::format("cannot be opened ({})", system),
                    "check that its folder exists and that you may write to it");
  }
  throw FileError(path, fmt::format("cannot be read or written ({})", system),
                  "check the disk and run again; a check of the whole ledger says whether the file is sound");
}

}  // namespace

Database::Database(std::string path, const Options& options)
    : path_(std::move(path)), busy_timeout_(options.busy_timeout), wanted_(options.wanted) {
  // An absolute path is never taken for one of SQLite's special names (":memory:", "file:...?nolock=1").
  const std::string absolute = std::filesystem::absolute(path_).string();
  const int code = sqlite3_open_v2(absolute.c_str(), &handle_, open_flags(options.access), nullptr);
  if (code != SQLITE_OK) {
    const int system_error = handle_ == nullptr ? 0 : sqlite3_system_errno(handle_);
    sqlite3_close_v2(handle_);
    fail_with(path_, code, system_error, sqlite3_errstr(code));
  }
  sqlite3_extended_result_codes(handle_, 1);
  sqlite3_busy_handler(handle_, on_busy, this);
  // A ledger may come from a stranger: its schema gets no say over what our statements do.
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
}

Database::~Database() {
  sqlite3_close_v2(handle_);
}

int Database::on_busy(void* database, int times) {
  const Database& file = *static_cast<const Database*>(database);
  if (times * pause_when_busy >= file.busy_timeout_) return 0;
  if (file.wanted_ && !file.wanted_()) return 0;
  std::this_thread::sleep_for(pause_when_busy);
  return 1;
}

void Database::fail(int code) const {
  // The one reason to give up early. A transaction that was waiting has written nothing, and is rolled back.
  if ((code & 0xFF) == SQLITE_BUSY && wanted_ && !wanted_()) throw Cancelled();
  const int extended = sqlite3_extended_errcode(handle_);
  const int kind = extended & 0xFF;
  // SQLite keeps the system's error of the last failed call; only these kinds come from one.
  const bool from_system = kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN;
  fail_with(path_, kind == (code & 0xFF) ? extended : code, from_system ? sqlite3_system_errno(handle_) : 0,
            sqlite3_errmsg(handle_));
}

void Database::run(const std::string& sql) {
  const int code = sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

Query Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(handle_, sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  if (code != SQLITE_OK) fail(code);
  return {*this, statement};
}

std::int64_t Database::integer(std::string_view sql) {
  Query query = prepare(sql);
  if (!query.step()) throw Damaged(path_, "lacks a row that every ledger has", restore);
  return query.integer(0);
}

void Query::finalise(sqlite3_stmt* statement) {
  sqlite3_finalize(statement);
}

void Query::bind(int parameter, std::int64_t value) {
  const int code = sqlite3_bind_int64(statement_.get(), parameter, value);
  if (code != SQLITE_OK) file_.fail(code);
}

void Query::bind(int parameter, const std::string& value) {
  const int code = sqlite3_bind_text64(statement_.get(), parameter, value.data(), value.size(),
                                       SQLITE_TRANSIENT, SQLITE_UTF8);
  if (code != SQLITE_OK) file_.fail(code);
}

void Query::reset() {
  sqlite3_reset(statement_.get());  // what it gives is the error of the step before, which was thrown
}

bool Query::step() {
  const int code = sqlite3_step(statement_.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) file_.fail(code);
  return code == SQLITE_ROW;
}

std::int64_t Query::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::string Query::text(int column) const {
  const unsigned char* bytes = sqlite3_column_text(statement_.get(), column);
  if (bytes == nullptr) return {};
  return {reinterpret_cast<const char*>(bytes),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

Transaction::Transaction(Database& file, Kind kind) : file_(file) {
  file_.run(kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
  if (!open_) return;
  try {
    file_.run("ROLLBACK");
  } catch (const std::exception&) {
    // SQLite has rolled back by itself after a full disk or a read error; there is nothing left to undo.
  }
}

void Transaction::commit() {
  file_.run("COMMIT");
  open_ = false;
}

}  // namespace fogline::privacy::sqlite
