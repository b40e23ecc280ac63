// SPDX-License-Identifier: Apache-2.0
#include "io/output_file.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/error.hpp"

namespace fogline::io::output_file_test {
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
  /// The permissions of the one file in the folder, whatever its name.
  unsigned mode() const {
    return static_cast<unsigned>(fs::status(*fs::directory_iterator(folder_)).permissions());
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

/// Sets the mask of new files' permissions for as long as it lives.
struct Umask {
  explicit Umask(mode_t mask) : before(umask(mask)) {}
  ~Umask() { umask(before); }
  mode_t before;
};

TEST_F(OutputFileTest, IsItsOwnersAloneUntilItIsInPlace) {
  for (const mode_t mask : {mode_t{0}, mode_t{0002}, mode_t{0022}, mode_t{0027}, mode_t{0077}}) {
    const Umask umask_of_test(mask);
    OutputFile out(path("a.csv"), {.overwrite = true});
    EXPECT_EQ(mode(), 0600U) << "when it is made, under " << mask;
    out.write("half");
    out.sync();
    EXPECT_EQ(mode(), 0600U) << "while it is written, under " << mask;
    out.commit();
    EXPECT_EQ(mode(), 0666U & ~mask) << "under " << mask;
    fs::remove(path("a.csv"));
  }
}

TEST_F(OutputFileTest, StaysItsOwnersAloneWhenAsked) {
  const Umask umask_of_test(0022);
  std::ofstream(path("a.csv")) << "readable by all";
  OutputFile out(path("a.csv"), {.overwrite = true, .owner_only = true});
  out.write("private");
  out.commit();
  EXPECT_EQ(mode(), 0600U);
  EXPECT_EQ(files(), 1U);
}

TEST_F(OutputFileTest, BeyondTheLimitOnFilesNothingStays) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit limit = before;
  limit.rlim_cur = 1000;
  setrlimit(RLIMIT_FSIZE, &limit);
  std::string said;
  try {
    OutputFile out(path("a.csv"), {});
    out.write(std::string(2000, 'x'));
    out.commit();
  } catch (const FileError& error) {
    said = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_DFL);
  EXPECT_NE(said.find("ulimit -f"), std::string::npos) << said;
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

TEST_F(OutputFileTest, TemporariesAreRemovedForWhoeverEndsTheProcess) {
  OutputFile begun(path("begun.csv"), {});
  begun.write("half");
  OutputFile done(path("done.csv"), {});
  done.commit();
  std::size_t left = 0;
  OutputFile::remove_temporaries_and([&] { left = files(); });
  EXPECT_EQ(left, 1U);
  EXPECT_TRUE(fs::exists(path("done.csv")));
  EXPECT_THROW(begun.commit(), FileError);
}

}  // namespace
}  // namespace fogline::io::output_file_test
