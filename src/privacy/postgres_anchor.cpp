// SPDX-License-Identifier: Apache-2.0
#include "privacy/postgres_anchor.hpp"

#include "base/error.hpp"

#ifdef FOGLINE_LIBPQ
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <libpq-fe.h>
#include <poll.h>

#include "privacy/key_json.hpp"
#endif

namespace fogline::privacy {

bool is_postgres_uri(std::string_view where) {
  return where.starts_with("postgresql://") || where.starts_with("postgres://");
}

#ifndef FOGLINE_LIBPQ

std::shared_ptr<Anchor> make_postgres_anchor(const std::string&) {
  throw InvalidOption("anchor",
                      "is a PostgreSQL database, and this program was built without libpq: install libpq-dev "
                      "and build again, or name a file, a folder or a command");
}

#else

namespace {

/// To connect, and again for each answer. A URI may ask for another connect_timeout.
constexpr std::chrono::seconds longest_wait{10};
constexpr std::size_t longest_complaint = 300, kept_hash_bytes = 32;
constexpr std::string_view undefined_table = "42P01", insufficient_privilege = "42501";

/// `line` is in the order of insertion, so that an acceptance puts aside what came before it. An identity column, for whoever may
/// insert may then number, without rights to a sequence. The lock is for processes that begin at once: IF NOT EXISTS alone
/// lets the second fail. docs/ledger.md has the same statements, for administrators.
constexpr const char* make_table = R"(
SELECT pg_advisory_xact_lock(hashtext('fogline_anchor'));
CREATE TABLE IF NOT EXISTS fogline_anchor (
  line bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  ledger text NOT NULL,
  entries bigint NOT NULL,
  hash text NOT NULL,
  accepted boolean NOT NULL,
  charged_at timestamptz NOT NULL,
  kept_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS fogline_anchor_longest ON fogline_anchor (ledger, entries DESC, line);
CREATE INDEX IF NOT EXISTS fogline_anchor_accepted ON fogline_anchor (ledger, line) WHERE accepted;
)";

constexpr const char* select_longest = R"(
SELECT entries, hash FROM fogline_anchor
WHERE ledger = $1 AND line >= coalesce((SELECT max(line) FROM fogline_anchor WHERE ledger = $1 AND accepted), 0)
ORDER BY entries DESC, line LIMIT 1)";

/// The setting is the transaction's, and is asked for when it commits: one round trip, whatever is the server's default.
/// A server that syncs nothing at all inserts nothing.
constexpr const char* insert_head = R"(
INSERT INTO fogline_anchor (ledger, entries, hash, accepted, charged_at)
SELECT $1, $2::bigint, $3, $4::boolean, to_timestamp($5::double precision)
FROM set_config('synchronous_commit', 'on', true) WHERE current_setting('fsync') = 'on')";

struct FinishConnection {
  void operator()(PGconn* connection) const { PQfinish(connection); }
};
struct ClearResult {
  void operator()(PGresult* result) const { PQclear(result); }
};
using PostgresConnection = std::unique_ptr<PGconn, FinishConnection>;
using PostgresResult = std::unique_ptr<PGresult, ClearResult>;

/// The first line of what libpq or a server says, fit for a terminal.
std::string complaint_of(std::string_view text) {
  std::string line(text.substr(0, std::min(text.find('\n'), longest_complaint)));
  for (char& letter : line)
    if (letter < ' ' || letter > '~') letter = '?';
  return line.empty() ? "no reason given" : line;
}

std::string_view state_of(const PostgresResult& answer) {
  const char* state = PQresultErrorField(answer.get(), PG_DIAG_SQLSTATE);
  return state == nullptr ? "" : state;
}

class PostgresAnchor : public Anchor {
 public:
  PostgresAnchor(std::string uri, std::string shown) : uri_(std::move(uri)), shown_(std::move(shown)) {}

  const std::string& where() const override { return uri_; }

  std::optional<LedgerHead> kept(const std::string& ledger_id) override {
    const std::lock_guard lock(mutex_);
    const PostgresResult answer = ask(select_longest, {ledger_id});
    if (state_of(answer) == undefined_table) return std::nullopt;
    require(answer, PGRES_TUPLES_OK);
    if (PQntuples(answer.get()) == 0) return std::nullopt;
    if (PQnfields(answer.get()) != 2) fail("did not answer what was asked", "see whether this is PostgreSQL");
    LedgerHead head{.ledger_id = ledger_id, .entries = 0, .hash = PQgetvalue(answer.get(), 0, 1)};
    const std::string_view entries = PQgetvalue(answer.get(), 0, 0);
    const auto [end, error] = std::from_chars(entries.data(), entries.data() + entries.size(), head.entries);
    if (error != std::errc() || end != entries.data() + entries.size() || !is_hex(head.hash, kept_hash_bytes))
      fail("holds a row for it that no ledger wrote", "compare its table fogline_anchor with docs/ledger.md");
    return head;
  }

  void keep(const LedgerHead& head, std::int64_t time_unix_s) override { insert(head, "false", time_unix_s); }
  void accept(const LedgerHead& head, std::int64_t time_unix_s) override {
    insert(head, "true", time_unix_s);
  }

 private:
  /// None but this one shows the address: host and database, and nothing else of the URI.
  [[noreturn]] void fail(const std::string& problem, std::string_view what_to_try) const {
    throw FileError(shown_, "is the anchor of the ledger, and " + problem, what_to_try);
  }

  void insert(const LedgerHead& head, const char* is_accepted, std::int64_t time_unix_s) {
    const std::lock_guard lock(mutex_);
    const std::vector<std::string> values{head.ledger_id, std::to_string(head.entries), head.hash,
                                          is_accepted, std::to_string(time_unix_s)};
    PostgresResult answer = ask(insert_head, values);
    if (state_of(answer) == undefined_table) {
      create_table();
      answer = ask(insert_head, values);
    }
    require(answer, PGRES_COMMAND_OK);
    if (std::string_view(PQcmdTuples(answer.get())) != "1")
      fail("does not sync what it keeps", "turn on fsync in the server's configuration");
  }

  void create_table() {
    const PostgresResult answer = ask(make_table, {});
    if (state_of(answer) == insufficient_privilege)
      fail("has no table fogline_anchor, which this role may not make",
           "have an administrator make it; docs/ledger.md has the statements");
    require(answer, PGRES_COMMAND_OK);
  }

  void require(const PostgresResult& answer, ExecStatusType wanted) const {
    if (PQresultStatus(answer.get()) == wanted) return;
    const char* said = PQresultErrorField(answer.get(), PG_DIAG_MESSAGE_PRIMARY);
    fail("answered: " + complaint_of(said == nullptr ? PQresStatus(PQresultStatus(answer.get())) : said),
         "the role needs INSERT and SELECT on a table fogline_anchor as in docs/ledger.md");
  }

  /// A connection that was made before may have broken since; one that was just made is not tried again. A head that is inserted twice
  /// says the same twice.
  PostgresResult ask(const char* sql, const std::vector<std::string>& values) {
    for (bool may_retry = connection_ != nullptr;; may_retry = false) {
      if (!connection_) connect();
      PostgresResult answer = exchange(sql, values);
      if (answer && PQstatus(connection_.get()) == CONNECTION_OK) return answer;
      const std::string why = complaint_of(PQerrorMessage(connection_.get()));
      connection_.reset();
      if (!may_retry) fail("broke off: " + why, "see whether the server is running");
    }
  }

  void connect() {
    const std::string seconds = std::to_string(longest_wait.count());
    // What stands after the URI outweighs it. A standby may lag behind: what it says was kept would let an older copy pass.
    const std::array<const char*, 5> names{"connect_timeout", "fallback_application_name", "dbname",
                                           "target_session_attrs", nullptr};
    const std::array<const char*, 5> values{seconds.c_str(), "fogline", uri_.c_str(), "read-write", nullptr};
    connection_.reset(PQconnectdbParams(names.data(), values.data(), 1));
    if (PQstatus(connection_.get()) != CONNECTION_OK) {
      const std::string why = complaint_of(PQerrorMessage(connection_.get()));
      connection_.reset();
      fail("cannot be reached: " + why, "see whether the server is running and lets you in");
    }
    // Otherwise libpq prints them.
    PQsetNoticeReceiver(
        connection_.get(), [](void*, const PGresult*) {}, nullptr);
  }

  /// The first error or else the last result; null if the connection broke. Waits itself, for a server that stands still keeps none of
  /// its own time limits.
  PostgresResult exchange(const char* sql, const std::vector<std::string>& values) {
    PGconn* connection = connection_.get();
    std::vector<const char*> texts;
    for (const std::string& value : values) texts.push_back(value.c_str());
    // Several statements in one go are for the protocol without parameters.
    const int is_sent = texts.empty() ? PQsendQuery(connection, sql)
                                      : PQsendQueryParams(connection, sql, static_cast<int>(texts.size()),
                                                          nullptr, texts.data(), nullptr, nullptr, 0);
    if (is_sent != 1) return nullptr;
    const auto deadline = std::chrono::steady_clock::now() + longest_wait;
    PostgresResult last;
    for (;;) {
      while (PQisBusy(connection) != 0) {
        wait_for_answer(deadline);
        if (PQconsumeInput(connection) != 1) return nullptr;
      }
      PostgresResult next(PQgetResult(connection));
      if (!next) return last;
      const ExecStatusType status = PQresultStatus(next.get());
      if (status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH)
        return nullptr;  // never ends
      if (!last || PQresultStatus(last.get()) != PGRES_FATAL_ERROR) last = std::move(next);
    }
  }

  void wait_for_answer(std::chrono::steady_clock::time_point deadline) {
    for (;;) {
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
      pollfd socket{.fd = PQsocket(connection_.get()), .events = POLLIN, .revents = 0};
      const int ready = left.count() > 0 ? poll(&socket, 1, static_cast<int>(left.count())) : 0;
      if (ready > 0) return;
      if (ready < 0 && errno == EINTR) continue;
      connection_.reset();  // an answer that comes late is nobody's
      fail(fmt::format("did not answer within {} seconds", longest_wait.count()),
           "see whether the server is well; a head that it kept all the same does no harm");
    }
  }

  std::string uri_, shown_;
  std::mutex mutex_;
  PostgresConnection connection_;
};

struct FreeOptions {
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};

}  // namespace

std::shared_ptr<Anchor> make_postgres_anchor(const std::string& uri) {
  // What libpq has to say of a malformed one repeats it, with the password.
  const std::unique_ptr<PQconninfoOption, FreeOptions> options(PQconninfoParse(uri.c_str(), nullptr));
  if (!options) throw InvalidOption("anchor", "begins like the URI of a PostgreSQL database, and is none");
  std::string host, database;
  for (const PQconninfoOption* option = options.get(); option->keyword != nullptr; ++option) {
    if (option->val == nullptr) continue;
    const std::string_view name = option->keyword;
    if (std::string_view(option->dispchar) == "*")
      throw InvalidOption(
          "anchor",
          "holds a password, which would be kept and shown with it: put the password into "
          "~/.pgpass, a file that PGPASSFILE names, or a service file, and leave it out here");
    if (name == "host" || name == "service") host = option->val;
    if (name == "dbname") database = option->val;
  }
  return std::make_shared<PostgresAnchor>(uri, fmt::format("postgresql://{}/{}", host, database));
}

#endif

}  // namespace fogline::privacy
