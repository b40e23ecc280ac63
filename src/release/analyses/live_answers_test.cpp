// SPDX-License-Identifier: Apache-2.0
#include "release/analyses/live_answers.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/test_folder.hpp"

namespace fogline::release::live_answers_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string header = "record,vertex,lon,lat\n";
const std::string first = "0,7,1,2\n";
const std::string second = "1,8,1,3\n";

class LiveAnswersFile : public testing::Test {
 protected:
  std::string written(const std::string& text) const {
    std::ofstream(folder_.path("safe.csv")) << text;
    return folder_.path("safe.csv");
  }
  static std::string hash_of(const std::string& answer) { return privacy::sha256_of_text(header + answer); }

  privacy::TestFolder folder_;
};

TEST_F(LiveAnswersFile, GivesEachLineToTheStatementThatTellsOfIt) {
  LiveAnswers answers(written(header + first + second));
  EXPECT_EQ(answers.count(), 2U);
  EXPECT_EQ(answers.take(hash_of(second)), 3U);
  EXPECT_EQ(answers.take(hash_of(second)), std::nullopt) << "one line is one answer";
  EXPECT_EQ(answers.take(hash_of("5,7,1,2\n")), std::nullopt);
  EXPECT_THAT(answers.left(), ElementsAre(2));
}

TEST_F(LiveAnswersFile, HoldsThoseOfSeveralRuns) {
  LiveAnswers answers(written(header + first + second + header + first));
  EXPECT_TRUE(answers.take(hash_of(first)));
  EXPECT_TRUE(answers.take(hash_of(first))) << "the same answer in another run";
  EXPECT_FALSE(answers.take(hash_of(first)));
  EXPECT_TRUE(answers.take(hash_of(second)));
  EXPECT_THAT(answers.left(), IsEmpty());
}

TEST_F(LiveAnswersFile, MayHoldNoneAndMustBeThere) {
  EXPECT_EQ(LiveAnswers(written("")).count(), 0U);
  EXPECT_EQ(LiveAnswers(written(header)).count(), 0U);
  EXPECT_THROW(LiveAnswers(folder_.path("none.csv")), FileError);
}

}  // namespace
}  // namespace fogline::release::live_answers_test
