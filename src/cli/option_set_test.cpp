// SPDX-License-Identifier: Apache-2.0
#include "cli/option_set.hpp"

#include <gtest/gtest.h>

#include "cli/help.hpp"
#include "cli/usage_error.hpp"

namespace fogline::cli::option_set_test {
namespace {

class OptionSetTest : public testing::Test {
 protected:
  OptionSetTest() {
    options_.positional("POINTS", points_, "where");
    options_.group("Ledger");
    options_.value("-d,--dataset", "NAME", dataset_, "whose");
    options_.value("--mode", "MODE", mode_, "how").choices({"fast", "slow"});
    options_.value("--count", "N", count_, "how many");
    options_.value("--most", "N", most_, "at most").nonzero();
    options_.value("--length", "KM", length_, "how long").nonzero();
    options_.flag("-q,--quiet", quiet_, "hush");
  }

  OptionSet options_;
  std::string points_, dataset_ = "default", mode_ = "fast";
  std::uint64_t count_ = 7, most_ = 0;
  double length_ = 0;
  bool quiet_ = false;
};

TEST_F(OptionSetTest, ReadsEverySpelling) {
  options_.parse({"--dataset=riders", "-q", "in.csv", "--count", "12", "--mode", "slow"});
  EXPECT_EQ(dataset_, "riders");
  EXPECT_EQ(points_, "in.csv");
  EXPECT_EQ(mode_, "slow");
  EXPECT_EQ(count_, 12U);
  EXPECT_TRUE(quiet_);
  EXPECT_TRUE(options_.given("--dataset"));
}

TEST_F(OptionSetTest, LeavesDefaultsAlone) {
  options_.parse({});
  EXPECT_EQ(dataset_, "default");
  EXPECT_EQ(count_, 7U);
  EXPECT_FALSE(options_.given("--dataset"));
}

TEST_F(OptionSetTest, AnOptionWithoutItsValueTakesNothingElse) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"--dataset", "-q"},
                                                                                     {"--dataset="},
                                                                                     {"--dataset", ""},
                                                                                     {"--dataset"},
                                                                                     {"-d", "--quiet"},
                                                                                     {"-d", ""}}) {
    EXPECT_THROW(options_.parse(words), UsageError);
    EXPECT_EQ(dataset_, "default");
  }
}

TEST_F(OptionSetTest, RefusesWhatItDoesNotKnow) {
  EXPECT_THROW(options_.parse({"--datasat", "x"}), UsageError);
  EXPECT_THROW(options_.parse({"--mode", "sideways"}), UsageError);
  EXPECT_THROW(options_.parse({"--count", "many"}), UsageError);
  EXPECT_THROW(options_.parse({"a.csv", "b.csv"}), UsageError);
}

TEST_F(OptionSetTest, ZeroIsNotTakenForAnOptionThatIsNotGiven) {
  EXPECT_THROW(options_.parse({"--most", "0"}), UsageError);
  EXPECT_THROW(options_.parse({"--length", "0.0"}), UsageError);
  EXPECT_THROW(options_.parse({"--length=-0"}), UsageError);
  options_.parse({"--most", "1", "--length", "0.5", "--count", "0"});
  EXPECT_EQ(most_, 1U);
  EXPECT_EQ(length_, 0.5);
  EXPECT_EQ(count_, 0U);
}

TEST(Suggestion, IsTheNearestWordOrNone) {
  EXPECT_EQ(suggestion("plaec", {"place", "ledger"}), "place");
  EXPECT_EQ(suggestion("xyzzyx", {"place", "ledger"}), "");
}

}  // namespace
}  // namespace fogline::cli::option_set_test
