// SPDX-License-Identifier: Apache-2.0
// Many threads and many processes charge one dataset: the cap is reached exactly and never exceeded.
#include <atomic>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "privacy/ledger.hpp"
#include "privacy/ledger_check.hpp"
#include "privacy/test_folder.hpp"
#include "privacy/test_ledger.hpp"

namespace fogline::privacy::ledger_concurrency_test {
namespace {

constexpr int workers = 4;
constexpr int affordable = 30;

class LedgerConcurrency : public testing::Test {
 protected:
  void expect_exactly_the_cap() const {
    const LedgerVerdict verdict = verify_ledger(path_);
    EXPECT_TRUE(verdict.sound());
    EXPECT_EQ(verdict.head.entries, affordable + 1U);
    Ledger ledger(path_, {});
    EXPECT_EQ(ledger.books().dataset("riders").per_metre.spent, Rational(affordable, 100));
    EXPECT_THROW(ledger.charge(report_request()), BudgetError);
  }

  static int charge_until_refused(Ledger& ledger) {
    int charged = 0;
    try {
      for (;; ++charged) ledger.charge(report_request());
    } catch (const BudgetError&) {
      return charged;
    }
  }

  TestFolder folder_;
  std::string path_ = folder_.path("project.ledger");
};

TEST_F(LedgerConcurrency, ThreadsSharingOneLedger) {
  Ledger ledger(path_, {});
  ledger.set_cap(report_cap(Rational(affordable, 100)));
  std::atomic<int> charged = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < workers; ++i) threads.emplace_back([&] { charged += charge_until_refused(ledger); });
  }
  EXPECT_EQ(charged, affordable);
  expect_exactly_the_cap();
}

TEST_F(LedgerConcurrency, ThreadsWithALedgerEach) {
  Ledger(path_, {}).set_cap(report_cap(Rational(affordable, 100)));
  std::atomic<int> charged = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < workers; ++i) {
      threads.emplace_back([&] {
        Ledger ledger(path_, {});
        charged += charge_until_refused(ledger);
      });
    }
  }
  EXPECT_EQ(charged, affordable);
  expect_exactly_the_cap();
}

TEST_F(LedgerConcurrency, Processes) {
  { Ledger(path_, {}).set_cap(report_cap(Rational(affordable, 100))); }
  std::vector<pid_t> children;
  for (int i = 0; i < workers; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      Ledger ledger(path_, {});
      _exit(charge_until_refused(ledger));
    }
    children.push_back(child);
  }
  int charged = 0;
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    charged += WEXITSTATUS(status);
  }
  EXPECT_EQ(charged, affordable);
  expect_exactly_the_cap();
}

TEST_F(LedgerConcurrency, ProcessesThatCreateItAtOnceShareOneLedger) {
  std::vector<pid_t> children;
  for (int i = 0; i < workers; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      Ledger(path_, {}).set_cap(report_cap(Rational(1)));
      _exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_TRUE(verify_ledger(path_).sound());
  EXPECT_EQ(Ledger(path_, {}).head().entries, static_cast<unsigned>(workers));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.name()),
                          std::filesystem::directory_iterator()),
            1);
}

}  // namespace
}  // namespace fogline::privacy::ledger_concurrency_test
