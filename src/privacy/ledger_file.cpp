// SPDX-License-Identifier: Apache-2.0
#include "privacy/ledger_file.hpp"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <map>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "privacy/folder_sync.hpp"
#include "privacy/key_json.hpp"

namespace fogline::privacy {
namespace {

using sqlite::Damaged;
using sqlite::Database;
using sqlite::Query;
using sqlite::Transaction;

constexpr std::int64_t application_id = 0x464F474C;  // "FOGL"
/// The second format has a column more, for entries that say what the first had no columns for. A ledger of the first is read as it is, and
/// gets the column with its next entry. The third has entries of kinds that the second did not know: declared datasets, anchors.
constexpr std::int64_t first_version = 1, schema_version = 3;
/// Of a ledger that charges subjects: two tables more.
constexpr std::int64_t subjects_version = 4;

const std::string details_column = "details TEXT NOT NULL DEFAULT ''";

/// Name and text of everything in the schema. The triggers stop accidents and honest tools; against others
/// the hash chain stands.
const std::map<std::string, std::string>& schema() {
  static const std::map<std::string, std::string> parts = [] {
    std::string columns;
    for (const auto& [name, member] : entry_columns) columns += fmt::format(", {} TEXT NOT NULL", name);
    std::map<std::string, std::string> made{
        {"ledger", "CREATE TABLE ledger (id TEXT NOT NULL) STRICT"},
        {"head",
         "CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), entries INTEGER NOT NULL, "
         "hash TEXT NOT NULL) STRICT"},
        // As SQLite writes it when the column is added to a table of the first format.
        {"entries", "CREATE TABLE entries (sequence INTEGER PRIMARY KEY, time_unix_s INTEGER NOT NULL" +
                        columns + ", hash TEXT NOT NULL, " + details_column + ") STRICT"},
        {"head_moves_on",
         "CREATE TRIGGER head_moves_on BEFORE UPDATE ON head WHEN NEW.entries <> OLD.entries + 1 "
         "BEGIN SELECT RAISE(ABORT, 'a ledger only grows'); END"}};
    made["subject_lines"] =
        "CREATE TABLE subject_lines (entry INTEGER PRIMARY KEY, lines TEXT NOT NULL) STRICT";
    made["subject_answers"] =
        "CREATE TABLE subject_answers (entry INTEGER NOT NULL, line INTEGER NOT NULL, answer TEXT NOT NULL, "
        "PRIMARY KEY (entry, line)) STRICT, WITHOUT ROWID";
    for (const auto& [table, event] : {std::pair{"entries", "UPDATE"},
                                       {"entries", "DELETE"},
                                       {"head", "DELETE"},
                                       {"ledger", "UPDATE"},
                                       {"ledger", "DELETE"},
                                       {"subject_lines", "UPDATE"},
                                       {"subject_lines", "DELETE"},
                                       {"subject_answers", "UPDATE"},
                                       {"subject_answers", "DELETE"}}) {
      const std::string name = fmt::format("{}_no_{}", table, event);
      made[name] = fmt::format(
          "CREATE TRIGGER {} BEFORE {} ON {} BEGIN SELECT RAISE(ABORT, 'a ledger only grows'); END", name,
          event, table);
    }
    return made;
  }();
  return parts;
}

bool is_of_subjects(std::string_view name) {
  return name.starts_with("subject_");
}

std::string new_ledger_id() {
  random::Stream bits = random::Key::from_operating_system().stream("ledger id");
  const std::uint64_t high = bits.next64();
  return fmt::format("{:016x}{:016x}", high, bits.next64());
}

void make_complete(const std::string& path, const std::string& ledger_id) {
  Database file(path, {.access = Database::Access::create});
  file.run("PRAGMA synchronous = EXTRA");
  Transaction transaction(file, Transaction::Kind::write);
  file.run(
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", application_id, schema_version));
  for (const char* table : {"ledger", "head", "entries"}) file.run(schema().at(table));
  Query id = file.prepare("INSERT INTO ledger (id) VALUES (?)");
  id.bind(1, ledger_id);
  id.step();
  Query head = file.prepare("INSERT INTO head (one, entries, hash) VALUES (1, 0, ?)");
  head.bind(1, genesis_hash(ledger_id));
  head.step();
  for (const auto& [name, sql] : schema()) {
    if (sql.starts_with("CREATE TRIGGER") && !is_of_subjects(name)) file.run(sql);
  }
  transaction.commit();
}

/// Removes what is left of a ledger that was not put in place.
struct Leftover {
  std::string path;
  ~Leftover() {
    unlink(path.c_str());
    unlink((path + "-journal").c_str());
  }
};

/// Renames without replacing; says whether `to` is now a ledger, ours or that of a process that was first.
bool put_in_place(const std::string& from, const std::string& to) {
  int done = renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
  // Some file systems cannot rename that way; all that keep locks can link.
  if (done != 0 && errno == EINVAL) done = link(from.c_str(), to.c_str());
  return done == 0 || errno == EEXIST;
}

void create(const std::string& path) {
  if (!std::filesystem::is_directory(std::filesystem::absolute(path).parent_path())) {
    throw FileError(path, "its folder does not exist", "make the folder first");
  }
  if (std::filesystem::exists(path + "-journal") || std::filesystem::exists(path + "-wal")) {
    // Asked again after the journal was seen: another process may have put the ledger in place meanwhile and be writing to it.
    if (std::filesystem::exists(path)) return;
    throw FileError(path, "is missing, but its journal is still there",
                    "put the ledger back where it was; a new one would begin with a full budget");
  }
  const std::string ledger_id = new_ledger_id();
  const Leftover fresh{fmt::format("{}.{}.new", path, ledger_id)};
  make_complete(fresh.path, ledger_id);
  if (!put_in_place(fresh.path, path)) {
    throw FileError(path, fmt::format("cannot be put in place ({})", std::generic_category().message(errno)),
                    "choose a folder you may write to, on a local disk");
  }
  sync_folder_of(path);
}

std::string ready(std::string path, Ledger::Access access) {
  std::error_code unknown;
  const auto status = std::filesystem::symlink_status(path, unknown);
  if (status.type() == std::filesystem::file_type::directory) {
    throw FileError(path, "is a folder", "name a file in it");
  }
  if (status.type() != std::filesystem::file_type::not_found) return path;
  if (access != Ledger::Access::create) {
    throw FileError(path, "there is no such ledger",
                    "check the name; a ledger is made by declaring a dataset in it");
  }
  create(path);
  return path;
}

Database::Options database_options(const Ledger::Options& options) {
  if (options.busy_timeout.count() < 0 || options.busy_timeout > std::chrono::hours(1)) {
    throw InvalidOption("busy_timeout", "must be 0 to 1 hour");
  }
  const bool read_only = options.access == Ledger::Access::read_only;
  return {.access = read_only ? Database::Access::read_only : Database::Access::read_write,
          .busy_timeout = options.busy_timeout,
          .wanted = options.wanted};
}

void require_ledger(Database& file) {
  if (file.integer("PRAGMA application_id") != application_id) {
    throw Damaged(file.path(), "is not a Fogline ledger, or its beginning is damaged",
                  "name another file, or put back a copy from before the damage");
  }
  const std::int64_t version = file.integer("PRAGMA user_version");
  if (version < first_version || version > subjects_version) {
    throw FileError(
        file.path(),
        fmt::format("is a ledger of format {}, this program knows format {}", version, subjects_version),
        "install a newer Fogline");
  }
}

/// By the table itself: the number of the format may have been changed.
bool has_details(Database& file) {
  return file.integer("SELECT count(*) FROM pragma_table_info('entries') WHERE name = 'details'") > 0;
}

std::string column_list(bool with_details) {
  std::string list = "sequence, time_unix_s";
  for (const auto& [name, member] : entry_columns) list += fmt::format(", {}", name);
  return list + ", hash, " + (with_details ? "details" : "''");
}

EntryRow row_of(const Query& query) {
  EntryRow row;
  row.sequence = query.integer(0);
  row.time_unix_s = query.integer(1);
  int column = 2;
  for (const auto& [name, member] : entry_columns) row.*member = query.text(column++);
  row.hash = query.text(column);
  row.details = query.text(column + 1);
  return row;
}

}  // namespace

namespace {

bool is_written_ahead(Database& file) {
  Query query = file.prepare("PRAGMA journal_mode");
  return query.step() && query.text(0) == "wal";
}

}  // namespace

LedgerFile::LedgerFile(std::string path, const Ledger::Options& options)
    : database_(ready(std::move(path), options.access), database_options(options)) {
  require_ledger(database_);
  // Only now that it is known to be ours: changing the journal mode writes to the file. A service that runs has chosen another.
  if (options.access != Ledger::Access::read_only && !is_written_ahead(database_))
    database_.run("PRAGMA journal_mode = DELETE");
  database_.run("PRAGMA synchronous = EXTRA; PRAGMA cell_size_check = ON");
}

void LedgerFile::write_ahead() {
  database_.run("PRAGMA journal_mode = WAL");
}

void LedgerFile::fold_log() try {
  database_.run("PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE");
} catch (const Error&) {
  // Somebody else uses it: whoever is the last to close it folds what is left into the file, and the next service begins with a log as well.
}

std::string LedgerFile::ledger_id() {
  Query query = database_.prepare("SELECT id FROM ledger");
  if (!query.step()) throw Damaged(path(), "has lost its id", "put back a copy from before the damage");
  std::string id = query.text(0);
  // It becomes part of file names and of commands (privacy/anchor.hpp), and a ledger may come from a stranger.
  if (!is_hex(id, ledger_id_bytes))
    throw Damaged(path(), "has an id that is none", "put back a copy from before the damage");
  return id;
}

LedgerHead LedgerFile::head() {
  Query query = database_.prepare("SELECT entries, hash FROM head");
  if (!query.step()) throw Damaged(path(), "has lost its head", "put back a copy from before the damage");
  return {ledger_id(), static_cast<std::uint64_t>(query.integer(0)), query.text(1)};
}

EntryRow LedgerFile::row(std::uint64_t number) {
  Query query = database_.prepare(
      fmt::format("SELECT {} FROM entries WHERE sequence = ?", column_list(has_details(database_))));
  query.bind(1, static_cast<std::int64_t>(number));
  if (!query.step()) throw Damaged(path(), fmt::format("has lost entry {}", number));
  return row_of(query);
}

void LedgerFile::each_row_after(std::uint64_t number, const std::function<void(const EntryRow&)>& visit) {
  Query query = database_.prepare(fmt::format("SELECT {} FROM entries WHERE sequence > ? ORDER BY sequence",
                                              column_list(has_details(database_))));
  // From the very beginning, so that rows numbered 0 or below do not stay unseen.
  query.bind(1, number == 0 ? std::numeric_limits<std::int64_t>::min() : static_cast<std::int64_t>(number));
  while (query.step()) visit(row_of(query));
}

void LedgerFile::append(const EntryRow& row) {
  if (!has_details(database_))
    database_.run(fmt::format("ALTER TABLE entries ADD COLUMN {}", details_column));
  if (database_.integer("PRAGMA user_version") < schema_version)
    database_.run(fmt::format("PRAGMA user_version = {}", schema_version));
  std::string marks = "?, ?, ?, ?";
  for (std::size_t i = 0; i < entry_columns.size(); ++i) marks += ", ?";
  Query insert =
      database_.prepare(fmt::format("INSERT INTO entries ({}) VALUES ({})", column_list(true), marks));
  insert.bind(1, row.sequence);
  insert.bind(2, row.time_unix_s);
  int parameter = 3;
  for (const auto& [name, member] : entry_columns) insert.bind(parameter++, row.*member);
  insert.bind(parameter++, row.hash);
  insert.bind(parameter, row.details);
  insert.step();
  Query head = database_.prepare("UPDATE head SET entries = ?, hash = ?");
  head.bind(1, row.sequence);
  head.bind(2, row.hash);
  head.step();
}

bool LedgerFile::has_subject_tables() {
  return database_.integer("PRAGMA user_version") >= subjects_version;
}

void LedgerFile::add_subject_tables() {
  if (has_subject_tables()) return;
  for (const char* table : {"subject_lines", "subject_answers"}) database_.run(schema().at(table));
  for (const auto& [name, sql] : schema())
    if (sql.starts_with("CREATE TRIGGER") && is_of_subjects(name)) database_.run(sql);
  database_.run(fmt::format("PRAGMA user_version = {}", subjects_version));
}

void LedgerFile::append_subjects(std::uint64_t entry, const std::string& lines) {
  Query insert = database_.prepare("INSERT INTO subject_lines (entry, lines) VALUES (?, ?)");
  insert.bind(1, static_cast<std::int64_t>(entry));
  insert.bind(2, lines);
  insert.step();
}

std::string LedgerFile::subjects(std::uint64_t entry) {
  if (!has_subject_tables()) throw Damaged(path(), "has lost the tables of its subjects");
  Query query = database_.prepare("SELECT lines FROM subject_lines WHERE entry = ?");
  query.bind(1, static_cast<std::int64_t>(entry));
  if (!query.step()) throw Damaged(path(), fmt::format("has lost the lines of entry {}", entry));
  return query.text(0);
}

namespace {

constexpr auto find_answer = "SELECT answer FROM subject_answers WHERE entry = ? AND line = ?";

void bind(Query& query, const SubjectPlace& place) {
  query.bind(1, static_cast<std::int64_t>(place.entry));
  query.bind(2, static_cast<std::int64_t>(place.line));
}

}  // namespace

std::vector<std::string> LedgerFile::keep_answers(
    const std::vector<std::pair<SubjectPlace, std::string>>& answers) {
  Query insert =
      database_.prepare("INSERT OR IGNORE INTO subject_answers (entry, line, answer) VALUES (?, ?, ?)");
  Query find = database_.prepare(find_answer);
  std::vector<std::string> kept;
  for (const auto& [place, text] : answers) {
    insert.reset();
    bind(insert, place);
    insert.bind(3, text);
    insert.step();
    find.reset();
    bind(find, place);
    if (!find.step()) throw Damaged(path(), "lost an answer while it was kept");
    kept.push_back(find.text(0));
  }
  return kept;
}

std::optional<std::string> LedgerFile::answer(const SubjectPlace& place) {
  if (!has_subject_tables()) return std::nullopt;
  Query find = database_.prepare(find_answer);
  bind(find, place);
  if (!find.step()) return std::nullopt;
  return find.text(0);
}

std::string LedgerFile::schema_problem() {
  std::map<std::string, std::string> missing = schema();
  if (!has_subject_tables())
    std::erase_if(missing, [](const auto& part) { return is_of_subjects(part.first); });
  if (!has_details(database_)) {
    std::string& entries = missing.at("entries");
    entries.erase(entries.find(", " + details_column), details_column.size() + 2);
  }
  Query query = database_.prepare("SELECT name, sql FROM sqlite_schema");
  while (query.step()) {
    const std::string name = query.text(0);
    const auto expected = missing.find(name);
    if (expected == missing.end()) return fmt::format("it holds a table, index or trigger that is not ours");
    if (expected->second != query.text(1)) return fmt::format("its part \"{}\" was changed", name);
    missing.erase(expected);
  }
  if (!missing.empty()) return fmt::format("its part \"{}\" is missing", missing.begin()->first);
  const bool says_details = database_.integer("PRAGMA user_version") != first_version;
  return says_details == has_details(database_) ? "" : "the number of its format does not fit its tables";
}

}  // namespace fogline::privacy
