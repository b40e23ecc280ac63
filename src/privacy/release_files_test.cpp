// SPDX-License-Identifier: Apache-2.0
#include "privacy/release_files.hpp"

#include <gtest/gtest.h>

#include "privacy/test_folder.hpp"
#include "privacy/test_pipe.hpp"
#include "privacy/test_statement.hpp"

namespace fogline::privacy::release_files_test {
namespace {

namespace fs = std::filesystem;

class ReleaseFilesTest : public testing::Test {
 protected:
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_.name()), fs::directory_iterator()));
  }

  TestFolder folder_;
  std::string path_ = folder_.path("safe.csv");
};

TEST_F(ReleaseFilesTest, OutputAndStatementAppearTogetherAndAgree) {
  {
    ReleaseFiles release({path_}, {});
    release.write(0, "vertex\n");
    release.write_record(0, "17\n");
    release.write_record(0, "4\n");
    EXPECT_FALSE(fs::exists(path_));
    Statement told = sample_statement();
    release.commit(told);
  }
  EXPECT_EQ(files(), 2U);
  EXPECT_EQ(content_of(path_), "vertex\n17\n4\n");
  const Statement statement = read_statement(statement_path(path_));
  ASSERT_EQ(statement.outputs.size(), 1U);
  EXPECT_EQ(statement.outputs[0], (ReleasedFile{"safe.csv", sha256_of_file(path_), 2}));
}

TEST_F(ReleaseFilesTest, SeveralOutputsShareOneStatement) {
  ReleaseFiles release({path_, folder_.path("links.csv")},
                       {.overwrite = false, .statement = folder_.path("s.json")});
  release.write(1, "x");
  release.count_records(1, 9);
  Statement told = sample_statement();
  release.commit(told);
  const Statement statement = read_statement(folder_.path("s.json"));
  ASSERT_EQ(statement.outputs.size(), 2U);
  EXPECT_EQ(statement.outputs[1].name, "links.csv");
  EXPECT_EQ(statement.outputs[1].records, 9U);
  EXPECT_EQ(statement.outputs[1].sha256, sha256_of_text("x"));
}

TEST_F(ReleaseFilesTest, WithoutCommitOrWithABadStatementNothingStays) {
  { ReleaseFiles({path_}, {}).write(0, "half"); }
  EXPECT_EQ(files(), 0U);
  {
    ReleaseFiles release({path_}, {});
    Statement statement = sample_statement();
    statement.promise.clear();
    EXPECT_THROW(release.commit(statement), InvalidOption);
  }
  EXPECT_EQ(files(), 0U);
}

TEST_F(ReleaseFilesTest, AnExistingOutputOrStatementIsSeenBeforeAnythingIsCharged) {
  std::ofstream(path_) << "old";
  EXPECT_THROW(ReleaseFiles({path_}, {}), FileError);
  fs::remove(path_);
  std::ofstream(statement_path(path_)) << "old";
  EXPECT_THROW(ReleaseFiles({path_}, {}), FileError);
  EXPECT_THROW(ReleaseFiles({folder_.path("missing/safe.csv")}, {}), FileError);
  EXPECT_EQ(files(), 1U);
}

TEST_F(ReleaseFilesTest, OverwriteReplacesBoth) {
  std::ofstream(path_) << "old";
  std::ofstream(statement_path(path_)) << "old";
  {
    ReleaseFiles release({path_}, {.overwrite = true, .statement = ""});
    release.write(0, "new");
    EXPECT_EQ(content_of(path_), "old");
    Statement told = sample_statement();
    release.commit(told);
  }
  EXPECT_EQ(content_of(path_), "new");
  EXPECT_EQ(read_statement(statement_path(path_)).outputs[0].sha256, sha256_of_text("new"));
  EXPECT_EQ(files(), 2U);
}

TEST_F(ReleaseFilesTest, StandardOutputNeedsAPlaceForTheStatement) {
  EXPECT_THROW(ReleaseFiles({"-"}, {}), InvalidOption);
  EXPECT_THROW(ReleaseFiles({}, {}), InvalidOption);
  testing::internal::CaptureStdout();
  ReleaseFiles release({"-"}, {.overwrite = false, .statement = folder_.path("s.json")});
  release.write_record(0, "17\n");
  Statement told = sample_statement();
  release.commit(told);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "17\n");
  EXPECT_EQ(read_statement(folder_.path("s.json")).outputs[0].name, "-");
}

TEST_F(ReleaseFilesTest, AStandardOutputThatIsCutShortIsToldAsFarAsItWent) {
  ReleaseFiles release({"-", path_}, {.statement = folder_.path("s.json")});
  release.write(0, "number\n");
  for (int i = 0; i < 100'000; ++i) release.write_record(0, std::to_string(i) + "\n");
  release.write_record(1, "17\n");
  Statement statement = sample_statement();
  statement.outcome = nlohmann::ordered_json{{"steps", 100'000}};
  UnreadOutput pipe(UnreadOutput::When::fails);
  EXPECT_THROW(release.commit(statement), FileError);
  EXPECT_TRUE(release.is_cut_short());
  const std::string said = pipe.end();
  const Statement told = read_statement(folder_.path("s.json"));
  EXPECT_EQ(told.outputs[0], (ReleasedFile{"-", sha256_of_text(said), lines_after_header(said)}));
  EXPECT_EQ(told, statement);
  EXPECT_GT(told.outputs[0].records, 1000U);
  EXPECT_LT(told.outputs[0].records, 100'000U);
  EXPECT_TRUE(told.outcome.json().empty());
  EXPECT_EQ(told.outputs[1], (ReleasedFile{"safe.csv", sha256_of_file(path_), 1}));
}

TEST_F(ReleaseFilesTest, NothingGoesToStandardOutputIfAFileCannotBePutInPlace) {
  ReleaseFiles release({"-", path_}, {.statement = folder_.path("s.json")});
  release.write_record(0, "17\n");
  fs::create_directory(path_);  // after it was found to be free
  testing::internal::CaptureStdout();
  Statement statement = sample_statement();
  EXPECT_THROW(release.commit(statement), FileError);
  EXPECT_FALSE(release.is_cut_short());
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_FALSE(fs::exists(folder_.path("s.json")));
}

TEST_F(ReleaseFilesTest, CompanionsAppearIfTheyAreWritten) {
  {
    ReleaseFiles release({path_}, {.companions = {folder_.path("a.json"), folder_.path("b.json")}});
    release.write_companion(1, "{}");
    EXPECT_FALSE(fs::exists(folder_.path("b.json")));
    Statement told = sample_statement();
    release.commit(told);
  }
  EXPECT_EQ(content_of(folder_.path("b.json")), "{}");
  EXPECT_EQ(files(), 3U);
  EXPECT_EQ(read_statement(statement_path(path_)).outputs.size(), 1U);
  EXPECT_THROW(ReleaseFiles({folder_.path("c.csv")}, {.companions = {path_}}), FileError);
}

TEST(LinesAfterHeader, CountsWholeLines) {
  EXPECT_EQ(lines_after_header(""), 0U);
  EXPECT_EQ(lines_after_header("number"), 0U);
  EXPECT_EQ(lines_after_header("number\n"), 0U);
  EXPECT_EQ(lines_after_header("number\n7\n8"), 1U);
}

}  // namespace
}  // namespace fogline::privacy::release_files_test
