// SPDX-License-Identifier: Apache-2.0
// What a ledger says when the file, the folder or the disk is not what it should be.
#include <chrono>
#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "privacy/ledger.hpp"
#include "privacy/ledger_check.hpp"
#include "privacy/test_folder.hpp"
#include "privacy/test_ledger.hpp"

namespace fogline::privacy::ledger_failure_test {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class LedgerFailure : public testing::Test {
 protected:
  std::string open_error(const Ledger::Options& options = {}) const {
    try {
      Ledger(path_, options).set_cap(report_cap(Rational(1)));
    } catch (const FileError& error) {
      return error.what();
    }
    return "no error";
  }

  TestFolder folder_;
  std::string path_ = folder_.path("project.ledger");
};

TEST_F(LedgerFailure, AMissingFolderIsNamed) {
  path_ = folder_.path("missing/project.ledger");
  EXPECT_THAT(open_error(), HasSubstr("make the folder first"));
  EXPECT_FALSE(fs::exists(folder_.path("missing")));
}

TEST_F(LedgerFailure, AFileInPlaceOfTheFolderIsNamed) {
  std::ofstream(folder_.path("file")) << "x";
  path_ = folder_.path("file/project.ledger");
  EXPECT_THAT(open_error(), HasSubstr("its folder does not exist"));
}

TEST_F(LedgerFailure, AFolderIsNoLedger) {
  path_ = folder_.name();
  EXPECT_THAT(open_error(), HasSubstr("is a folder"));
}

TEST_F(LedgerFailure, OnlyCreateMakesALedger) {
  EXPECT_THAT(open_error({.access = Ledger::Access::existing}), HasSubstr("there is no such ledger"));
  EXPECT_THAT(open_error({.access = Ledger::Access::read_only}), HasSubstr("there is no such ledger"));
  EXPECT_FALSE(fs::exists(path_));
  EXPECT_THROW(verify_ledger(path_), FileError);
}

TEST_F(LedgerFailure, TextIsNotTakenForALedger) {
  std::ofstream(path_) << std::string(10'000, 'x');
  EXPECT_THAT(open_error(), HasSubstr("is not a ledger"));
  EXPECT_EQ(content_of(path_), std::string(10'000, 'x'));
}

TEST_F(LedgerFailure, AnEmptyFileIsDamageAndNotANewLedger) {
  std::ofstream(path_) << "";
  EXPECT_THAT(open_error(), HasSubstr("is not a Fogline ledger"));
  EXPECT_EQ(fs::file_size(path_), 0U);
}

TEST_F(LedgerFailure, AForeignDatabaseIsRefusedAndLeftAlone) {
  tamper(path_, "CREATE TABLE t (x); PRAGMA application_id = 7");
  const std::string before = content_of(path_);
  EXPECT_THAT(open_error(), HasSubstr("is not a Fogline ledger"));
  EXPECT_EQ(content_of(path_), before);
}

TEST_F(LedgerFailure, ANewerFormatIsRefused) {
  { const Ledger made(path_, {}); }
  tamper(path_, "PRAGMA user_version = 5");
  EXPECT_THAT(open_error(), HasSubstr("install a newer Fogline"));
  EXPECT_THROW(verify_ledger(path_), FileError);
}

TEST_F(LedgerFailure, AJournalWithoutItsLedgerIsNotPassedOver) {
  std::ofstream(path_ + "-journal") << "x";
  EXPECT_THAT(open_error(), HasSubstr("put the ledger back where it was"));
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(LedgerFailure, AReadOnlyLedgerShowsButDoesNotCharge) {
  declare(path_);
  EXPECT_THAT(open_error({.access = Ledger::Access::read_only}), HasSubstr("read-only"));
  Ledger ledger(path_, {.access = Ledger::Access::read_only});
  EXPECT_EQ(ledger.entries().size(), 1U);
}

TEST_F(LedgerFailure, ALockHeldTooLongIsSaidSo) {
  declare(path_);
  Ledger ledger(path_, {.busy_timeout = std::chrono::milliseconds(50)});
  sqlite3* other = nullptr;
  sqlite3_open(path_.c_str(), &other);
  sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr);
  try {
    ledger.charge(report_request());
    ADD_FAILURE() << "expected an error";
  } catch (const FileError& error) {
    EXPECT_THAT(error.what(), HasSubstr("another process keeps it locked"));
  }
  sqlite3_close(other);
  EXPECT_NO_THROW(ledger.charge(report_request()));
  EXPECT_EQ(ledger.head().entries, 2U);
  EXPECT_THROW(Ledger(path_, {.busy_timeout = std::chrono::hours(2)}), InvalidOption);
}

/// A ledger that serves many is opened by one of them: whoever charges is asked, and the next one is not.
TEST_F(LedgerFailure, WhoChargesIsAskedWhetherToWait) {
  declare(path_);
  Ledger ledger(path_, {});
  sqlite3* other = nullptr;
  sqlite3_open(path_.c_str(), &other);
  sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr);
  int asked = 0;
  EXPECT_THROW(ledger.charge(report_request(), [&] { return ++asked < 3; }), Cancelled);
  EXPECT_EQ(asked, 4) << "three looks while it waits, and one at its end";
  sqlite3_close(other);
  EXPECT_EQ(ledger.head().entries, 1U);
  ledger.charge(report_request());
  EXPECT_EQ(asked, 4);
}

TEST_F(LedgerFailure, WhoWaitsForALockMayStop) {
  int asked = 0;
  declare(path_);
  Ledger ledger(path_, {.wanted = [&] { return ++asked < 3; }});
  EXPECT_EQ(asked, 0);
  sqlite3* other = nullptr;
  sqlite3_open(path_.c_str(), &other);
  sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr);
  EXPECT_THROW(ledger.charge(report_request()), Cancelled);
  EXPECT_GE(asked, 3);
  sqlite3_exec(other, "ROLLBACK", nullptr, nullptr, nullptr);
  // A reader lets the charge begin, and not end.
  sqlite3_exec(other, "BEGIN; SELECT * FROM head", nullptr, nullptr, nullptr);
  asked = 0;
  EXPECT_THROW(ledger.charge(report_request()), Cancelled);
  sqlite3_close(other);
  EXPECT_EQ(ledger.head().entries, 1U);
  EXPECT_NO_THROW(ledger.charge(report_request()));
}

TEST_F(LedgerFailure, ALedgerReplacedWhileOpenIsNotChargedUnseen) {
  declare(path_);
  Ledger ledger(path_, {});
  ledger.charge(report_request());
  fs::rename(path_, folder_.path("moved"));
  { const Ledger fresh(path_, {}); }
  EXPECT_THROW(ledger.charge(report_request()), FileError);
}

TEST_F(LedgerFailure, AnOlderCopyPutBackWhileOpenIsNoticed) {
  declare(path_);
  Ledger ledger(path_, {});
  ledger.charge(report_request());
  fs::copy_file(path_, folder_.path("older"));
  ledger.charge(report_request());
  fs::copy_file(folder_.path("older"), path_, fs::copy_options::overwrite_existing);
  EXPECT_THROW(ledger.charge(report_request()), Error);
}

int exit_code_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Runs `action` in a child whose files may grow to `bytes` at most: a disk that is full. Gives its exit
/// code.
template <class Action>
int with_full_disk(rlim_t bytes, Action action) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(action());
  }
  return exit_code_of(child);
}

constexpr int disk_full_said = 10;

TEST_F(LedgerFailure, AFullDiskIsSaidSoAndLeavesNoEntry) {
  {
    declare(path_);
    Ledger ledger(path_, {});
    for (int i = 0; i < 4; ++i) ledger.charge(report_request());
  }
  const auto charge_until_full = [&] {
    Ledger ledger(path_, {});
    int charged = 0;
    try {
      for (; charged < 100; ++charged) ledger.charge(report_request());
    } catch (const FileError& error) {
      const bool clear = std::string(error.what()).find("full") != std::string::npos;
      const bool sound = ledger.head().entries == 5U + static_cast<unsigned>(charged);
      return clear && sound ? disk_full_said : 1;
    }
    return 2;
  };
  EXPECT_EQ(with_full_disk(fs::file_size(path_) + 8192, charge_until_full), disk_full_said);
  EXPECT_TRUE(verify_ledger(path_).sound());
  EXPECT_NO_THROW(Ledger(path_, {}).charge(report_request()));
}

TEST_F(LedgerFailure, AFullDiskLeavesNoHalfLedger) {
  const auto create = [&] { return open_error().find("full") != std::string::npos ? disk_full_said : 1; };
  EXPECT_EQ(with_full_disk(6000, create), disk_full_said);
  EXPECT_TRUE(fs::is_empty(folder_.name()));
}

/// Runs `action` in a child that is not allowed to write everywhere, as root is. Gives its exit code.
template <class Action>
int as_ordinary_user(Action action) {
  constexpr uid_t nobody = 65534;
  const pid_t child = fork();
  if (child == 0) _exit(geteuid() == 0 && setuid(nobody) != 0 ? 1 : action());
  return exit_code_of(child);
}

TEST_F(LedgerFailure, AFileOrFolderWithoutWritePermissionIsSaidSo) {
  constexpr int said = 10;
  constexpr auto read_and_enter = fs::perms(0555);
  declare(path_);
  fs::permissions(path_, fs::perms(0444));
  fs::permissions(folder_.name(), read_and_enter);
  const auto charge = [&] { return open_error().find("is read-only") != std::string::npos ? said : 1; };
  EXPECT_EQ(as_ordinary_user(charge), said);
  const auto look = [&] { return verify_ledger(path_).sound() ? said : 1; };
  EXPECT_EQ(as_ordinary_user(look), said);
  path_ = folder_.path("new.ledger");
  const auto create = [&] {
    return open_error().find("you may write to it") != std::string::npos ? said : 1;
  };
  EXPECT_EQ(as_ordinary_user(create), said);
  fs::permissions(folder_.name(), fs::perms::owner_all);
  EXPECT_EQ(Ledger(folder_.path("project.ledger"), {}).head().entries, 1U);
}

}  // namespace
}  // namespace fogline::privacy::ledger_failure_test
