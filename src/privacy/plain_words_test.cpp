// SPDX-License-Identifier: Apache-2.0
#include "privacy/plain_words.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "privacy/composition.hpp"

namespace fogline::privacy::plain_words_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr auto exact = Exactness::exact;

std::string all_of(const PlainWords& words) {
  std::string text;
  for (const auto* list : {&words.promised, &words.to_whom, &words.not_promised}) {
    for (const std::string& sentence : *list) text += sentence + "\n";
  }
  return text;
}

TEST(PlainWords, FactorsAreRoundedUp) {
  EXPECT_EQ(factor_text(1), "2.72");
  EXPECT_EQ(factor_text(0.5), "1.65");
  EXPECT_EQ(factor_text(0.001), "1.0011");
  EXPECT_EQ(factor_text(3), "20.1");
  EXPECT_EQ(factor_text(5), "149");
  EXPECT_EQ(factor_text(10), "22,027");
  EXPECT_EQ(factor_text(100), "10^44");
  EXPECT_EQ(factor_text(1e6), "10^434295");
}

TEST(PlainWords, BeliefsFollowBayes) {
  EXPECT_EQ(belief_text(0.5, 1), "73.2 %");  // 73.1059
  EXPECT_EQ(belief_text(0.1, 1), "23.2 %");  // 23.1969
  EXPECT_EQ(belief_text(0.5, 0.01), "50.3 %");
  EXPECT_EQ(belief_text(0.1, 1e5), "100 %");
}

TEST(PlainWords, NoPrintedNumberIsBelowTheTruth) {
  EXPECT_TRUE(rc::check([] {
    const double epsilon = *rc::gen::inRange(1, 13'000'000) * 1e-6;
    std::string text = factor_text(epsilon);
    std::erase(text, ',');
    RC_ASSERT(std::stod(text) >= std::exp(epsilon));
    RC_ASSERT(std::stod(text) <= std::exp(epsilon) * 1.011);
    const double before = *rc::gen::inRange(1, 99) / 100.0;
    const double after = before * std::exp(epsilon) / (before * std::exp(epsilon) + 1 - before);
    const double said = std::stod(belief_text(before, epsilon)) / 100;
    RC_ASSERT(said >= after - 1e-15);
    RC_ASSERT(said <= after + 0.00101);
  }));
}

TEST(PlainWords, MetricPromisesByDistance) {
  const auto words = plain_words(Guarantee::metric(EpsilonPerMetre{1, 100}, "one report", exact));
  EXPECT_THAT(
      words.promised,
      ElementsAre(
          "For two possibilities 100 m from each other, by the distance that is named with what is "
          "protected, "
          "the release changes nobody's odds between them by more than a factor 2.72; at 200 m, 7.39.",
          "Who held one of only two possibilities, 100 m from each other, for 50 % likely can hold it for at "
          "most 73.2 % likely afterwards; who held it for 10 %, for at most 23.2 %."));
  EXPECT_THAT(words.to_whom.front(), HasSubstr("one report"));
  EXPECT_THAT(words.not_promised.front(), HasSubstr("At 1,000 m the factor is 22,027."));
  EXPECT_THAT(words.not_promised.back(), HasSubstr("Two like this one make the factor 7.39 at 100 m."));
}

TEST(PlainWords, MetricDoesNotPromiseClosenessByAir) {
  const auto words = plain_words(Guarantee::metric(EpsilonPerMetre{1, 100}, "one report", exact));
  EXPECT_THAT(all_of(words), testing::Not(HasSubstr("two places")));
  EXPECT_THAT(words.not_promised[1], HasSubstr("places near each other by air can be far apart"));
  EXPECT_THAT(words.not_promised[2], HasSubstr("moved to a vertex first"));
  EXPECT_THAT(words.not_promised[3], HasSubstr("other reports of the same person"));
}

TEST(PlainWords, TheDistanceSpokenOfIsRoundAndNear) {
  const auto first = [](std::uint64_t numerator, std::uint64_t denominator) {
    return plain_words(Guarantee::metric(EpsilonPerMetre{numerator, denominator}, "one report", exact))
        .promised[0];
  };
  EXPECT_THAT(first(1, 1), HasSubstr("two possibilities 1 m from each other"));
  EXPECT_THAT(first(1, 73), HasSubstr("two possibilities 50 m from each other"));
  EXPECT_THAT(first(1, 30), HasSubstr("two possibilities 20 m from each other"));
  EXPECT_THAT(first(1, 100'000), HasSubstr("two possibilities 100,000 m from each other"));
  EXPECT_THAT(first(1000, 1), HasSubstr("two possibilities 0.001 m from each other"));
}

TEST(PlainWords, PureSaysTheRatio) {
  const auto words = plain_words(Guarantee::pure(Epsilon{1, 1}, "one trip", exact));
  EXPECT_THAT(words.promised[0], HasSubstr("by more than a factor 2.72, either way"));
  EXPECT_THAT(words.to_whom[0], HasSubstr("one trip"));
  EXPECT_THAT(words.not_promised.back(), HasSubstr("they add up. Two like this one make the factor 7.39."));
}

TEST(PlainWords, PresenceIsNotExchange) {
  const auto present = Guarantee::pure(Epsilon{1, 1}, "one user", exact).for_person(PersonCover::presence);
  EXPECT_THAT(all_of(plain_words(present)), HasSubstr("by more than a factor 2.72, either way"));
  EXPECT_THAT(all_of(plain_words(present)), HasSubstr("exchanged for something else, by no more than 7.39"));
}

TEST(PlainWords, PolicyNamesTheJoinedPairs) {
  const auto words = plain_words(Guarantee::policy(Epsilon{1, 2}, "one state", exact));
  EXPECT_THAT(words.promised[0], HasSubstr("that the public policy joins"));
  EXPECT_THAT(words.not_promised[0], HasSubstr("does not join"));
}

TEST(PlainWords, OneSidedSaysThatTheOtherSideIsOpen) {
  const auto words = plain_words(Guarantee::one_sided(Epsilon{1, 1}, "the label of one pair", exact));
  EXPECT_THAT(words.promised[0], HasSubstr("raises nobody's odds"));
  EXPECT_THAT(words.not_promised[0], HasSubstr("no bound"));
  EXPECT_THAT(all_of(words), testing::Not(HasSubstr("either way")));
  // Labels of other pairs, put together, are not covered.
  EXPECT_THAT(all_of(words), testing::Not(HasSubstr("whatever else they know")));
  EXPECT_THAT(all_of(words), HasSubstr("can learn more"));
}

TEST(PlainWords, NonePromisesNothingAndSaysWhy) {
  const auto words = plain_words(Guarantee::none("one trip", "it starts from the true trips"));
  EXPECT_THAT(words.promised, ElementsAre("Nothing, because it starts from the true trips."));
  EXPECT_THAT(words.to_whom[0], HasSubstr("Nobody"));
}

TEST(PlainWords, ASeededRunPromisesNothing) {
  const auto words = plain_words(seeded(Guarantee::pure(Epsilon{1, 1}, "one trip", exact)));
  EXPECT_THAT(words.promised[0], HasSubstr("Nothing, because the randomness came from a fixed seed"));
}

TEST(PlainWords, ARoundedSamplerIsSaidSo) {
  EXPECT_THAT(all_of(plain_words(Guarantee::pure(Epsilon{1, 1}, "one trip", Exactness::grid_rounded))),
              HasSubstr("rounded to a grid"));
}

class TotalWords : public testing::Test {
 protected:
  void charge(const Guarantee& guarantee, EntryType type = EntryType::charge) {
    LedgerEntry entry;
    entry.type = type;
    entry.dataset = "riders";
    entry.guarantee = guarantee;
    books_.apply(entry);
  }
  std::vector<std::string> words() const { return total_words("riders", books_.dataset("riders"), report_); }

  Books books_;
  Guarantee report_ = Guarantee::metric(EpsilonPerMetre{1, 100}, "one report", exact);
};

TEST_F(TotalWords, OneReleaseStandsAlone) {
  charge(report_);
  EXPECT_THAT(words(), ElementsAre("This is the only release of dataset 'riders' in this ledger."));
}

TEST_F(TotalWords, FiveAddUp) {
  for (int i = 0; i < 5; ++i) charge(report_);
  EXPECT_THAT(words(), ElementsAre("Dataset 'riders' has spent 0.05 per metre in 5 releases in all.",
                                   "All of them together make the factor 149 at 100 m."));
}

TEST_F(TotalWords, AccountsThatDoNotAddUpAreSaidSo) {
  charge(report_);
  charge(Guarantee::pure(Epsilon{1, 2}, "one trip", exact));
  EXPECT_THAT(words(),
              ElementsAre("Dataset 'riders' has spent 0.01 per metre and epsilon 0.5 in 2 releases in all.",
                          "They protect different things and do not add up to one promise."));
}

TEST_F(TotalWords, ReleasesThatPromiseNothingAreCounted) {
  charge(report_);
  charge(Guarantee::none("one report", "as published"));
  charge(report_, EntryType::seeded_run);
  EXPECT_THAT(
      words(),
      ElementsAre("Dataset 'riders' has spent 0.01 per metre in 1 release in all.",
                  "1 release more of it promises nothing, and so do all of them together.",
                  "1 run with a fixed seed, not counted, promises nothing where its output is known."));
}

}  // namespace
}  // namespace fogline::privacy::plain_words_test
