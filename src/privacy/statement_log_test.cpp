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
  const auto all = read_statements(path_).all;
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0], numbered(1));
  EXPECT_EQ(all[1], numbered(2));
  EXPECT_EQ(fs::status(path_).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(StatementLogs, AreGoneOnWith) {
  for (const std::uint64_t run : {1U, 2U, 3U}) {
    StatementLog log(path_, {});
    EXPECT_EQ(log.torn_bytes(), 0U);
    log.add(numbered(2 * run));
    log.add(numbered(2 * run + 1));
  }
  const auto all = read_statements(path_).all;
  ASSERT_EQ(all.size(), 6U);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], numbered(i + 2));
}

TEST_F(StatementLogs, AreBegunAnewOnlyIfAskedTo) {
  write(path_, "of yesterday");
  EXPECT_THROW(StatementLog(path_, {}), DataError);
  { const StatementLog nothing(path_, {.overwrite = true}); }
  EXPECT_EQ(read(path_), "of yesterday") << "nothing was answered, and so nothing is replaced";
  StatementLog log(path_, {.overwrite = true});
  log.add(numbered(7));
  EXPECT_EQ(read_statements(path_).all.size(), 1U);
}

TEST_F(StatementLogs, LeaveNoFileOfWhichNothingIsTold) {
  { const StatementLog nothing(path_, {}); }
  EXPECT_FALSE(fs::exists(path_));
  write(path_, "");  // of a run that was killed
  {
    StatementLog log(path_, {});
    log.add(numbered(1));
  }
  EXPECT_EQ(read_statements(path_).all.size(), 1U);
}

/// Whatever a crash leaves of a line, at every length: the lines before stay, and it is taken away with the next.
TEST_F(StatementLogs, CutAwayWhatACrashLeft) {
  {
    StatementLog log(path_, {});
    log.add(numbered(1));
  }
  const std::string whole = read(path_);
  for (std::size_t left = 1; left < whole.size(); left += left < 40 ? 1 : 97) {
    for (const std::string& before : {whole, whole + whole, std::string()}) {
      write(path_, before + whole.substr(0, left));
      const bool is_whole = left + 1 == whole.size();
      StatementLog log(path_, {});
      EXPECT_EQ(log.torn_bytes(), is_whole ? 0 : left);
      EXPECT_EQ(read(path_), before + whole.substr(0, left)) << "nothing is changed for nothing";
      log.add(numbered(2));
      const StatementLines lines = read_statements(path_);
      EXPECT_EQ(lines.torn_bytes, 0U);
      ASSERT_EQ(lines.all.size(), before.size() / whole.size() + (is_whole ? 2 : 1)) << left;
      EXPECT_EQ(lines.all.back(), numbered(2));
    }
  }
}

TEST_F(StatementLogs, OfAWholeLineWithoutItsEndKeepIt) {
  {
    StatementLog log(path_, {});
    log.add(numbered(1));
  }
  fs::resize_file(path_, fs::file_size(path_) - 1);
  EXPECT_EQ(read_statements(path_).torn_bytes, 0U);
  StatementLog log(path_, {});
  log.add(numbered(2));
  EXPECT_EQ(read_statements(path_).all, (std::vector{numbered(1), numbered(2)}));
}

TEST_F(StatementLogs, AreReadAsFarAsTheyAreWhole) {
  {
    StatementLog log(path_, {});
    log.add(numbered(1));
  }
  std::ofstream(path_, std::ios::app) << "{\"format\":\"fogl";
  const StatementLines lines = read_statements(path_);
  EXPECT_EQ(lines.all.size(), 1U);
  EXPECT_EQ(lines.torn_bytes, 15U);
}

TEST_F(StatementLogs, AreOneProcesssAtATime) {
  StatementLog log(path_, {});
  for (const bool overwrite : {false, true})
    EXPECT_THROW(StatementLog(path_, {.overwrite = overwrite}), FileError);
  log.add(numbered(1));
  EXPECT_THROW(StatementLog(path_, {}), FileError);
  EXPECT_EQ(read_statements(path_).all.size(), 1U) << "who reads waits for nobody";
}

TEST_F(StatementLogs, RefuseToGoOnWithSomethingElse) {
  for (const std::string text :
       {"{\n}\n", "lon,lat\n1,2\n", "{}\n", "\n", "{\"format\":\"fogline ledger", "\n{\"format\":"}) {
    write(path_, text);
    EXPECT_THROW(StatementLog(path_, {}), DataError) << text;
    EXPECT_EQ(read(path_), text);
  }
  write(path_, to_json(numbered(1)));  // a statement, on several lines
  EXPECT_THROW(StatementLog(path_, {}), DataError);
}

TEST_F(StatementLogs, FollowNoLink) {
  const std::string other = folder_.path("other.txt");
  write(other, "of somebody");
  fs::create_symlink(other, path_);
  for (const bool overwrite : {false, true})
    EXPECT_THROW(StatementLog(path_, {.overwrite = overwrite}), FileError);
  fs::remove(path_);
  StatementLog log(path_, {.overwrite = true});
  fs::remove(path_);
  fs::create_symlink(other, path_);  // meanwhile
  EXPECT_THROW(log.add(numbered(1)), FileError);
  EXPECT_EQ(read(other), "of somebody");
}

TEST_F(StatementLogs, NameTheLineThatCannotBeRead) {
  {
    StatementLog log(path_, {});
    log.add(numbered(1));
  }
  std::ofstream(path_, std::ios::app) << "{\n"
                                      << "{\n";
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
