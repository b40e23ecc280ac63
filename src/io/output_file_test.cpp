// SPDX-License-Identifier: Apache-2.0
#include "io/output_file.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::io {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "fogline-output-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  static std::string content(const std::string& file) {
    std::ostringstream all;
    all << std::ifstream(file).rdbuf();
    return all.str();
  }

  fs::path folder_;
};

TEST_F(OutputFileTest, AppearsWholeOnCommitAndLeavesNothingElse) {
  OutputFile out(path("a.csv"), {});
  out.write("hello\n");
  EXPECT_FALSE(fs::exists(path("a.csv")));
  out.commit();
  EXPECT_EQ(content(path("a.csv")), "hello\n");
}

TEST_F(OutputFileTest, WithoutCommitNothingStays) {
  { OutputFile(path("a.csv"), {}).write("half"); }
  EXPECT_EQ(files(), 0U);
}

TEST_F(OutputFileTest, ReplacesOnlyWhenAsked) {
  {
    OutputFile first(path("a.csv"), {});
    first.write("1");
    first.commit();
  }
  EXPECT_THROW(OutputFile(path("a.csv"), {}), FileError);
  {
    OutputFile second(path("a.csv"), {.overwrite = true});
    second.write("2");
    second.commit();
  }
  EXPECT_EQ(content(path("a.csv")), "2");
  EXPECT_EQ(files(), 1U);
}

TEST_F(OutputFileTest, AFileThatAppearedMeanwhileIsNotReplaced) {
  OutputFile out(path("a.csv"), {});
  out.write("mine");
  std::ofstream(path("a.csv")) << "theirs";
  EXPECT_THROW(out.commit(), FileError);
  EXPECT_EQ(content(path("a.csv")), "theirs");
}

TEST_F(OutputFileTest, ALinkThatPointsNowhereIsInTheWay) {
  fs::create_symlink(path("nowhere"), path("a.csv"));
  EXPECT_THROW(OutputFile(path("a.csv"), {}), FileError);
  OutputFile out(path("a.csv"), {.overwrite = true});
  out.write("2");
  out.commit();
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(path("a.csv"))));
  EXPECT_FALSE(fs::exists(path("nowhere")));
}

TEST_F(OutputFileTest, DevicesAndFoldersAreNeverReplaced) {
  EXPECT_THROW(OutputFile("/dev/null", {.overwrite = true}), FileError);
  fs::create_directory(path("folder"));
  EXPECT_THROW(OutputFile(path("folder"), {.overwrite = true}), FileError);
}

TEST_F(OutputFileTest, AMissingFolderIsSaidSo) {
  try {
    OutputFile out(path("missing/a.csv"), {});
    FAIL() << "expected an error";
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("make the folder first"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace fogline::io
