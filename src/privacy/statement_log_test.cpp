// SPDX-License-Identifier: Apache-2.0
#include "privacy/statement_log.hpp"

#include <filesystem>
#include <fstream>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "privacy/test_folder.hpp"
#include "privacy/test_statement.hpp"

namespace fogline::privacy::statement_log_test {
namespace {

namespace fs = std::filesystem;

class StatementLogTest : public testing::Test {
 protected:
  std::vector<std::string> lines() const {
    std::vector<std::string> all;
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) all.push_back(line);
    return all;
  }

  TestFolder folder_;
  std::string path_ = folder_.path("safe.statements.jsonl");
};

TEST_F(StatementLogTest, HasALineForEachThatIsAStatementByItself) {
  StatementLog log(path_, {});
  EXPECT_EQ(log.path(), path_);
  Statement second = sample_statement();
  second.promise = {"another"};
  log.add(sample_statement());
  ASSERT_EQ(lines().size(), 1U) << "on the disk before its answer is out";
  log.add(second);
  const std::vector<std::string> written = lines();
  ASSERT_EQ(written.size(), 2U);
  const std::string alone = folder_.path("one.json");
  std::ofstream(alone) << written[1] << "\n";
  EXPECT_EQ(to_json(read_statement(alone)), to_json(second));
}

TEST_F(StatementLogTest, ReplacesNothingUnlessItIsToldTo) {
  std::ofstream(path_) << "kept\n";
  EXPECT_THROW(StatementLog(path_, {}), FileError);
  EXPECT_EQ(lines(), std::vector<std::string>{"kept"});
  StatementLog(path_, {.overwrite = true}).add(sample_statement());
  EXPECT_EQ(lines().size(), 1U);
  EXPECT_NE(lines().front(), "kept");
}

/// Even where a file was there that others could read.
TEST_F(StatementLogTest, IsItsOwnersAlone) {
  std::ofstream(path_) << "kept\n";
  fs::permissions(path_, fs::perms::others_read, fs::perm_options::add);
  const StatementLog again(path_, {.overwrite = true});
  const StatementLog first(folder_.path("other.jsonl"), {});
  for (const std::string& file : {again.path(), first.path()})
    EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write) << file;
}

TEST_F(StatementLogTest, LeavesNoPartOfALine) {
  EXPECT_THROW(StatementLog(folder_.path("no/such/folder.jsonl"), {}), FileError);
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "there is no disk that is always full";
  EXPECT_THROW(StatementLog("/dev/full", {.overwrite = true}).add(sample_statement()), FileError);
}

}  // namespace
}  // namespace fogline::privacy::statement_log_test
