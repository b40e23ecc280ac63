// SPDX-License-Identifier: Apache-2.0
#include "audit/engine/boosted_trees.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "random/key.hpp"

namespace fogline::audit::boosted_trees_test {
namespace {

/// Samples with `features` uniform bins below 16, and labels by a rule.
struct Data {
  BinnedColumns columns;
  std::vector<std::uint8_t> labels;
  std::vector<std::uint16_t> row(std::size_t i) const {
    std::vector<std::uint16_t> bins;
    for (const auto& column : columns) bins.push_back(column[i]);
    return bins;
  }
};

template <class Rule>
Data make(std::size_t samples, std::size_t features, const Rule& rule) {
  random::Stream noise = random::SeededKey(1).stream("trees");
  Data data{BinnedColumns(features, std::vector<std::uint16_t>(samples)), std::vector<std::uint8_t>(samples)};
  for (std::size_t i = 0; i < samples; ++i) {
    for (auto& column : data.columns) column[i] = static_cast<std::uint16_t>(noise.below(16));
    data.labels[i] = rule(data.row(i)) ? 1 : 0;
  }
  return data;
}

double share_right(const BoostedTrees& trees, const Data& data) {
  std::size_t right = 0;
  for (std::size_t i = 0; i < data.labels.size(); ++i)
    right += (trees.score(data.row(i)) > 0) == (data.labels[i] == 1) ? 1U : 0U;
  return static_cast<double>(right) / static_cast<double>(data.labels.size());
}

TEST(BoostedTrees, LearnAWedgeThatNoSingleFeatureShows) {
  const auto data = make(4000, 3, [](const auto& bins) { return (bins[0] < 8) == (bins[2] < 8); });
  const BoostedTrees trees(data.columns, data.labels, {.rounds = 60});
  EXPECT_GT(share_right(trees, data), 0.95);
}

TEST(BoostedTrees, ScoreIsNearlyTheLogOdds) {
  // Bins 0 to 3 come from the first input three times out of four, the others one time out of four.
  random::Stream noise = random::SeededKey(2).stream("odds");
  const auto data = make(8000, 2, [&](const auto& bins) { return (noise.below(4) != 0) == (bins[1] < 4); });
  const BoostedTrees trees(data.columns, data.labels, {});
  for (std::uint16_t other = 0; other < 16; ++other) {
    EXPECT_NEAR(trees.score(std::vector<std::uint16_t>{other, 2}), std::log(3.0), 0.8);
    EXPECT_NEAR(trees.score(std::vector<std::uint16_t>{other, 9}), -std::log(3.0), 0.8);
  }
}

TEST(BoostedTrees, NameTheFeatureThatHelps) {
  const auto data = make(2000, 4, [](const auto& bins) { return bins[2] > 11; });
  const BoostedTrees trees(data.columns, data.labels, {.rounds = 5});
  ASSERT_FALSE(trees.features_by_gain().empty());
  EXPECT_EQ(trees.features_by_gain().front(), 2);
  EXPECT_GT(share_right(trees, data), 0.99);
}

TEST(BoostedTrees, SayNothingWithoutSamplesOrFeatures) {
  const BoostedTrees none({}, {}, {});
  EXPECT_EQ(none.score({}), 0);
  EXPECT_TRUE(none.features_by_gain().empty());
}

TEST(BoostedTrees, RefuseBadOptions) {
  EXPECT_THROW(BoostedTrees({}, {}, {.rounds = 0}), InvalidOption);
  EXPECT_THROW(BoostedTrees({}, {}, {.learning_rate = 0}), InvalidOption);
  const std::vector<std::uint8_t> labels{1, 0};
  EXPECT_THROW(BoostedTrees({{1}}, labels, {}), InvalidOption);
}

}  // namespace
}  // namespace fogline::audit::boosted_trees_test
