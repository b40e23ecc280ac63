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
/// Ledgers made one after another: two processes meet between looking and making only now and then.
constexpr int rounds = 20;

/// A process whose exit code is what `work` returns. It never goes on to the parent's destructors, which would remove the folder under
/// the others: what throws ends it.
template <typename Work>
pid_t start(Work work) {
  const pid_t child = fork();
  if (child == 0) [&]() noexcept { _exit(work()); }();
  return child;
}

int exit_code(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

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
    children.push_back(start([&] {
      Ledger ledger(path_, {});
      return charge_until_refused(ledger);
    }));
  }
  int charged = 0;
  for (const pid_t child : children) {
    const int code = exit_code(child);
    ASSERT_GE(code, 0);
    charged += code;
  }
  EXPECT_EQ(charged, affordable);
  expect_exactly_the_cap();
}

TEST_F(LedgerConcurrency, ProcessesThatCreateItAtOnceShareOneLedger) {
  for (int round = 0; round < rounds; ++round) {
    const std::string path = folder_.path(std::to_string(round) + ".ledger");
    std::vector<pid_t> children;
    for (int i = 0; i < workers; ++i) {
      children.push_back(start([&] {
        Ledger(path, {}).set_cap(report_cap(Rational(1)));
        return 0;
      }));
    }
    for (const pid_t child : children) EXPECT_EQ(exit_code(child), 0);
    EXPECT_TRUE(verify_ledger(path).sound());
    EXPECT_EQ(Ledger(path, {}).head().entries, static_cast<unsigned>(workers));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.name()),
                            std::filesystem::directory_iterator()),
              round + 1);
  }
}

}  // namespace
}  // namespace fogline::privacy::ledger_concurrency_test
