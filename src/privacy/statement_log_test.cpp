// SPDX-License-Identifier: Apache-2.0
#include "privacy/statement_log.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "privacy/test_folder.hpp"
#include "privacy/test_statement.hpp"

namespace fogline::privacy::statement_log_test {
namespace {

namespace fs = std::filesystem;

class StatementLogs : public testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) const { std::ofstream(file) << text; }
  std::string read(const std::string& file) const {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static Statement numbered(std::uint64_t records) {
    Statement statement = sample_statement();
    statement.outputs.front().records = records;
    return statement;
  }

  TestFolder folder_;
  std::string path_ = folder_.path("safe.statements.jsonl");
};

TEST_F(StatementLogs, HoldAStatementOnEachLine) {
  StatementLog log(path_, {});
  log.add(numbered(1));
  log.add(numbered(2));
  const auto all = read_statements(path_);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0], numbered(1));
  EXPECT_EQ(all[1], numbered(2));
  EXPECT_EQ(fs::status(path_).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(StatementLogs, AreBegunWithTheFirst) {
  write(path_, "of yesterday");
  EXPECT_THROW(StatementLog(path_, {}), FileError);
  { const StatementLog nothing(path_, {.overwrite = true}); }
  EXPECT_EQ(read(path_), "of yesterday") << "nothing was answered, and so nothing is replaced";
  StatementLog log(path_, {.overwrite = true});
  log.add(numbered(7));
  EXPECT_EQ(read_statements(path_).size(), 1U);
}

TEST_F(StatementLogs, FollowNoLink) {
  const std::string other = folder_.path("other.txt");
  write(other, "of somebody");
  fs::create_symlink(other, path_);
  for (const bool overwrite : {false, true})
    EXPECT_THROW(StatementLog(path_, {.overwrite = overwrite}), FileError);
  fs::remove(path_);
  StatementLog log(path_, {.overwrite = true});
  fs::create_symlink(other, path_);  // meanwhile
  EXPECT_THROW(log.add(numbered(1)), FileError);
  EXPECT_EQ(read(other), "of somebody");
}

TEST_F(StatementLogs, NameTheLineThatCannotBeRead) {
  {
    StatementLog log(path_, {});
    log.add(numbered(1));
  }
  std::ofstream(path_, std::ios::app) << "{\n";
  try {
    read_statements(path_);
    FAIL() << "half a statement was read";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("line 2"), std::string::npos) << error.what();
  }
  write(path_, "");
  EXPECT_THROW(read_statements(path_), DataError);
}

/// Even where a file was there that others could read.
TEST_F(StatementLogs, AreTheirOwnersAlone) {
  write(path_, "of yesterday");
  fs::permissions(path_, fs::perms::others_read, fs::perm_options::add);
  StatementLog log(path_, {.overwrite = true});
  log.add(numbered(1));
  EXPECT_EQ(fs::status(path_).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(StatementLogs, SayThatTheDiskIsFull) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "there is no disk that is always full";
  StatementLog log("/dev/full", {.overwrite = true});
  EXPECT_THROW(log.add(numbered(1)), FileError);
}

}  // namespace
}  // namespace fogline::privacy::statement_log_test
