// SPDX-License-Identifier: Apache-2.0
#include "audit/engine/features.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace fogline::audit::features_test {
namespace {

double value(const std::vector<Feature>& features, const std::string& words, const Sample& sample) {
  const auto found =
      std::find_if(features.begin(), features.end(), [&](const Feature& f) { return f.words == words; });
  if (found == features.end()) throw std::runtime_error("no feature " + words);
  return found->value(sample);
}

bool has(const std::vector<Feature>& features, const std::string& words) {
  return std::any_of(features.begin(), features.end(), [&](const Feature& f) { return f.words == words; });
}

TEST(LowestBit, IsTheExponentOfTheLowestSetBit) {
  EXPECT_EQ(lowest_bit(1), 0);
  EXPECT_EQ(lowest_bit(-24), 3);
  EXPECT_EQ(lowest_bit(2.5), -1);
  EXPECT_EQ(lowest_bit(std::ldexp(3, -60)), -60);
  EXPECT_EQ(lowest_bit(std::numeric_limits<double>::denorm_min()), -1074);
  EXPECT_EQ(lowest_bit(1 + std::ldexp(1, -52)), -52);
  EXPECT_EQ(lowest_bit(0), 10'000);
  EXPECT_EQ(lowest_bit(-0.0), 10'001);
  EXPECT_TRUE(std::isnan(lowest_bit(std::nan(""))));
}

TEST(Features, OfOneOutput) {
  const std::vector<Sample> samples{{{5, 2, 9, 2}}, {{1, 1, 1, 1}}};
  const auto features = features_of(samples, samples, {});
  EXPECT_EQ(value(features, "number 3", samples[0]), 9);
  EXPECT_EQ(value(features, "number 1 minus number 2", samples[0]), 3);
  EXPECT_EQ(value(features, "the sum", samples[0]), 18);
  EXPECT_EQ(value(features, "the smallest number", samples[0]), 2);
  EXPECT_EQ(value(features, "the place of the smallest number", samples[0]), 2);
  EXPECT_EQ(value(features, "the largest number", samples[0]), 9);
  EXPECT_EQ(value(features, "the place of the largest number", samples[0]), 3);
  EXPECT_EQ(value(features, "the number of different numbers", samples[0]), 3);
  EXPECT_EQ(value(features, "the number of ascents", samples[0]), 1);
  EXPECT_NE(value(features, "the whole output", samples[0]), value(features, "the whole output", samples[1]));
  EXPECT_FALSE(has(features, "how many numbers there are"));
  EXPECT_FALSE(has(features, "refusing to answer"));
}

TEST(Features, OfOutputsOfDifferentLengthAndRefusals) {
  const std::vector<Sample> samples{{{5, 2}}, {{1}}, {{}, true}};
  const auto features = features_of(samples, samples, {});
  EXPECT_EQ(value(features, "how many numbers there are", samples[1]), 1);
  EXPECT_EQ(value(features, "refusing to answer", samples[2]), 1);
  EXPECT_TRUE(std::isnan(value(features, "number 2", samples[1])));
  EXPECT_TRUE(std::isnan(value(features, "the smallest number", samples[2])));
}

TEST(Features, OfLongOutputsStayFew) {
  const std::vector<Sample> samples{{Numbers(500, 1.0)}};
  EXPECT_LT(features_of(samples, samples, {}).size(), 120U);
}

TEST(Features, OfLongOutputsHoldTheNumbersThatDiffer) {
  std::vector<Sample> first(50, {Numbers(300, 1.0)}), second = first;
  for (Sample& sample : second) sample.numbers[217] = 2;
  EXPECT_TRUE(has(features_of(first, second, {}), "number 218"));
}

TEST(Features, AskHintsOnlyAboutAnswers) {
  const std::vector<Hint> hints{{"twice", [](const Numbers& numbers) { return 2 * numbers.at(0); }}};
  const std::vector<Sample> samples{{{3}}, {{}, true}};
  const auto features = features_of(samples, samples, hints);
  EXPECT_EQ(value(features, "twice", samples[0]), 6);
  EXPECT_TRUE(std::isnan(value(features, "twice", samples[1])));
}

}  // namespace
}  // namespace fogline::audit::features_test
