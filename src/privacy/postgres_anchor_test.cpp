// SPDX-License-Identifier: Apache-2.0
// What needs no server; and, if FOGLINE_TEST_POSTGRES names a database, what does (tests/postgres_anchor.py starts one).
#include "privacy/postgres_anchor.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/error.hpp"
#include "privacy/test_folder.hpp"
#include "privacy/test_ledger.hpp"

namespace fogline::privacy::postgres_anchor_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string complaint_about(const std::string& where) {
  try {
    make_anchor(where)->kept(std::string(32, 'a'));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

class PostgresAnchor : public testing::Test {
 protected:
  void SetUp() override {
    try {
      make_anchor("postgresql:///db");
    } catch (const InvalidOption& error) {
      GTEST_SKIP() << error.what();
    }
  }
  TestFolder folder_;
};

TEST_F(PostgresAnchor, APasswordIsRefusedAndNotRepeated) {
  for (const std::string uri :
       {"postgresql://fog:opensesame@host/db", "postgres://host/db?user=fog&password=opensesame",
        "postgresql://host/db?sslpassword=opensesame", "postgresql://fog:opensesame@[::1/db",
        "postgresql://fog:opensesame@host/db?nonsense", "Postgresql://fog:opensesame@host/db",
        "psql://fog:opensesame@host/db"}) {
    EXPECT_THROW(make_anchor(uri), InvalidOption) << uri;
    EXPECT_THAT(complaint_about(uri), Not(HasSubstr("opensesame")));
  }
  EXPECT_THAT(complaint_about("postgresql://fog:opensesame@host/db"), HasSubstr("~/.pgpass"));
  EXPECT_EQ(make_anchor("postgresql://fog@host/db")->where(), "postgresql://fog@host/db");
}

TEST_F(PostgresAnchor, AServerThatIsNotThereIsAFileError) {
  const std::string uri = "postgresql://fog@/db?host=" + folder_.name();
  EXPECT_THROW(make_anchor(uri)->kept(std::string(32, 'a')), FileError);
  EXPECT_THAT(complaint_about(uri),
              AllOf(HasSubstr("postgresql://" + folder_.name() + "/db"), HasSubstr("cannot be reached")));
}

/// It accepts, and says nothing.
TEST_F(PostgresAnchor, AServerThatHangsIsAFileError) {
  const int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  const std::string path = folder_.path(".s.PGSQL.5432");
  ASSERT_LT(path.size(), sizeof address.sun_path);
  path.copy(address.sun_path, path.size());
  ASSERT_EQ(bind(server, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(listen(server, 1), 0);
  EXPECT_THAT(complaint_about("postgresql:///db?connect_timeout=2&port=5432&host=" + folder_.name()),
              HasSubstr("timeout expired"));
  close(server);
}

class PostgresServer : public PostgresAnchor {
 protected:
  void SetUp() override {
    const char* uri = std::getenv("FOGLINE_TEST_POSTGRES");
    if (uri == nullptr) GTEST_SKIP() << "FOGLINE_TEST_POSTGRES names no database";
    anchor_ = make_anchor(uri);
  }
  std::shared_ptr<Anchor> anchor_;
  const std::string hash_ = std::string(64, 'b');
};

TEST_F(PostgresServer, TheLongestHeadSinceTheLastAcceptanceCounts) {
  const std::string id(32, 'a');
  EXPECT_EQ(anchor_->kept(id), std::nullopt);
  anchor_->keep({id, 7, hash_}, 1);
  anchor_->keep({id, 6, hash_}, 1);
  anchor_->keep({std::string(32, 'c'), 9, hash_}, 1);
  EXPECT_EQ(anchor_->kept(id), (LedgerHead{id, 7, hash_}));
  anchor_->accept({id, 2, hash_}, 1);
  EXPECT_EQ(anchor_->kept(id)->entries, 2U);
  anchor_->keep({id, 3, hash_}, 1);
  EXPECT_EQ(anchor_->kept(id)->entries, 3U);
}

TEST_F(PostgresServer, SeveralThreadsShareAConnection) {
  const std::string path = folder_.path("ledger");
  Ledger ledger(path, {.anchor = [&](const std::string&) { return anchor_; }});
  ledger.add_anchor(1);
  declare_in(ledger);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&] {
      Ledger mine(path, {.anchor = [&](const std::string&) { return anchor_; }});
      for (int i = 0; i < 10; ++i) mine.charge(report_request());
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(anchor_->kept(ledger.id())->entries, 42U);
}

/// The server ends connections on which nothing is asked (PostgreSQL 14 or later).
TEST_F(PostgresServer, ABrokenConnectionIsMadeAnew) {
  const auto impatient = make_anchor(anchor_->where() + "&options=-c%20idle_session_timeout%3D100");
  const std::string id(32, 'd');
  impatient->keep({id, 1, hash_}, 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  impatient->keep({id, 2, hash_}, 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  EXPECT_EQ(impatient->kept(id)->entries, 2U);
}

/// And prints how long they took, for docs/results/trust.md.
TEST_F(PostgresServer, KnowsTheLastOfManyCharges) {
  const auto file = make_anchor(folder_.path("anchor.log"));
  const std::map<std::string, std::shared_ptr<Anchor>> anchors{
      {"no anchor", nullptr}, {"a file", file}, {"PostgreSQL", anchor_}};
  std::map<std::string, std::unique_ptr<Ledger>> ledgers;
  std::map<std::string, std::vector<double>> milliseconds;
  for (const auto& [name, anchor] : anchors) {
    ledgers[name] = std::make_unique<Ledger>(
        folder_.path(name), Ledger::Options{.anchor = [anchor](const std::string&) { return anchor; }});
    if (anchor) ledgers[name]->add_anchor(1);
    declare_in(*ledgers[name]);
  }
  for (int charge = 0; charge < 200; ++charge) {
    for (auto& [name, ledger] : ledgers) {
      const auto begin = std::chrono::steady_clock::now();
      ledger->charge(report_request());
      const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
      milliseconds[name].push_back(took.count());
    }
  }
  for (const auto& [name, anchor] : anchors) {
    if (!anchor) continue;
    EXPECT_EQ(anchor->kept(ledgers[name]->id()), ledgers[name]->head());
  }
  for (auto& [name, times] : milliseconds) {
    std::ranges::sort(times);
    fmt::print("a charge with {}: {:.1f} ms (median of {}; nine of ten below {:.1f} ms)\n", name,
               times[times.size() / 2], times.size(), times[times.size() * 9 / 10]);
  }
}

}  // namespace
}  // namespace fogline::privacy::postgres_anchor_test
