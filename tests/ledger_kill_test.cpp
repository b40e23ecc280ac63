// SPDX-License-Identifier: Apache-2.0
// Two processes release from one dataset and are killed at arbitrary moments, again and again. Whatever the
// moment: no output without its statement and its ledger entry, no half-written entry, no cap exceeded.
//
// FOGLINE_KILLS sets the number of kills; 20 without it.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>
#include <random>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "privacy/ledger_check.hpp"
#include "privacy/statement_check.hpp"
#include "privacy/test_folder.hpp"

namespace fogline::privacy {
namespace {

namespace fs = std::filesystem;

int kills_wanted() {
  const char* text = std::getenv("FOGLINE_KILLS");
  return text == nullptr ? 20 : std::atoi(text);
}

class LedgerKill : public testing::Test {
 protected:
  LedgerKill() { fs::create_directory(outputs_); }

  pid_t start() {
    const std::string name = "run" + std::to_string(runs_++);
    const pid_t child = fork();
    if (child == 0) {
      execl(LEDGER_KILL_HELPER, LEDGER_KILL_HELPER, ledger_.c_str(), outputs_.c_str(), name.c_str(), nullptr);
      _exit(127);
    }
    return child;
  }

  static int wait_for(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  void set_cap(const Rational& epsilon) const {
    Ledger(ledger_, {}).set_cap({"riders", {EpsilonMeasure::per_metre, epsilon}, 0});
  }

  /// Every output has a statement, every statement an entry of its own; gives the number of outputs.
  std::uint64_t check_outputs() const {
    Ledger ledger(ledger_, {});
    std::map<std::uint64_t, int> releases_of_entry;
    std::uint64_t count = 0;
    for (const auto& file : fs::directory_iterator(outputs_)) {
      if (file.path().extension() != ".csv") continue;
      ++count;
      const Statement statement = read_statement(statement_path(file.path().string()));
      for (const Check& check : verify(statement, {.folder = outputs_, .files = {}, .ledger = &ledger})) {
        if (check.name == "words" || check.name == "signature") continue;  // nobody can check those
        if (check.name == "settled" && check.outcome == Outcome::not_checked) continue;  // killed just before
        EXPECT_EQ(check.outcome, Outcome::passed) << check.sentence;
      }
      ++releases_of_entry[std::get<LedgerReference>(statement.ledger).entry];
    }
    for (const auto& [entry, releases] : releases_of_entry) EXPECT_EQ(releases, 1) << "entry " << entry;
    return count;
  }

  TestFolder folder_;
  std::string ledger_ = folder_.path("project.ledger");
  std::string outputs_ = folder_.path("out");
  int runs_ = 0;
};

TEST_F(LedgerKill, AnyMomentLeavesNoReleaseWithoutAnEntry) {
  set_cap(Rational(1'000'000));
  std::mt19937 random(1);  // when to kill, not a secret
  for (int kill_count = 0; kill_count < kills_wanted(); ++kill_count) {
    const pid_t first = start(), second = start();
    std::this_thread::sleep_for(std::chrono::microseconds(5'000 + random() % 200'000));
    const pid_t victim = kill_count % 2 == 0 ? first : second;
    const pid_t other = kill_count % 2 == 0 ? second : first;
    kill(victim, SIGKILL);
    EXPECT_EQ(wait_for(victim), -SIGKILL);
    // The survivor must not be held up by what the victim left behind.
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 50'000));
    kill(other, SIGKILL);
    EXPECT_EQ(wait_for(other), -SIGKILL);
    ASSERT_TRUE(verify_ledger(ledger_).sound());
  }
  const DatasetBook before = Ledger(ledger_, {}).books().dataset("riders");
  const std::uint64_t entries = before.releases();
  const std::uint64_t outputs = check_outputs();
  EXPECT_GT(outputs, 0U);
  EXPECT_LE(outputs, entries);
  EXPECT_LE(before.settled, outputs) << "something was settled that is not there";

  // What is left works: a cap a little above what is spent is reached exactly, and then refused.
  const Rational cap = Ledger(ledger_, {}).books().dataset("riders").per_metre.spent + Rational(55, 1000);
  set_cap(cap);
  const pid_t first = start(), second = start();
  EXPECT_EQ(wait_for(first), 3);
  EXPECT_EQ(wait_for(second), 3);
  const LedgerVerdict verdict = verify_ledger(ledger_);
  EXPECT_TRUE(verdict.sound());
  EXPECT_EQ(check_outputs(), outputs + 5);
  EXPECT_EQ(Ledger(ledger_, {}).books().dataset("riders").releases(), entries + 5);
  EXPECT_EQ(Ledger(ledger_, {}).books().dataset("riders").settled, before.settled + 5);
  EXPECT_EQ(Ledger(ledger_, {}).books().dataset("riders").per_metre.remaining(), Rational(5, 1000));
  RecordProperty("entries", std::to_string(entries));
  RecordProperty("outputs", std::to_string(outputs));
}

}  // namespace
}  // namespace fogline::privacy
