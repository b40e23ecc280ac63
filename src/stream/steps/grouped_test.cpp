// SPDX-License-Identifier: Apache-2.0
#include "stream/steps/grouped.hpp"

#include <cmath>
#include <numeric>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "random/key.hpp"
#include "stream/steps/optimal.hpp"
#include "stream/steps/state_groups.hpp"
#include "stream/steps/table_points.hpp"

namespace fogline::stream::grouped_test {
namespace {

using testing::ElementsAre;

/// Cells of a square lattice, 340 apart; those within `reach` joined, all of them if it is 0.
Situation cells(std::uint32_t side, double reach) {
  Situation situation;
  situation.points.dimension = 2;
  const std::uint32_t count = side * side;
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0U);
  for (std::uint32_t s = 0; s < count; ++s) {
    situation.states.push_back(s);
    situation.points.add(std::vector<std::int64_t>{s % side * 340, s / side * 340});
    situation.prior.push_back(std::exp(-static_cast<double>((s * 7) % 11) / 2));
  }
  const double sum = std::accumulate(situation.prior.begin(), situation.prior.end(), 0.0);
  for (double& p : situation.prior) p /= sum;
  situation.policy.states = count;
  if (reach == 0) {
    situation.policy.groups.add(all);
    return situation;
  }
  for (std::uint32_t a = 0; a < count; ++a) {
    for (std::uint32_t b = a + 1; b < count; ++b) {
      const std::vector<double> to{static_cast<double>(situation.points[b][0]),
                                   static_cast<double>(situation.points[b][1])};
      if (distance_to(situation, a, to) <= reach) situation.policy.pairs.emplace_back(a, b);
    }
  }
  return situation;
}

TEST(StateGroups, LikelyStatesAreAloneAndNoGroupReachesOverTwoSets) {
  Situation situation = cells(4, 0);
  situation.prior.assign(16, 0.01);
  situation.prior[5] = 0.85;
  std::vector<std::uint32_t> lower{0, 1, 2, 3, 4, 5, 6, 7}, upper{8, 9, 10, 11, 12, 13, 14, 15};
  const std::vector<std::vector<std::uint32_t>> sets{lower, upper};
  const StateGroups groups = group_states(situation, sets, 7);
  ASSERT_EQ(groups.members.size(), 7U);
  EXPECT_THAT(groups.members[groups.group_of[5]], ElementsAre(5));
  std::set<std::uint32_t> seen;
  for (std::uint32_t g = 0; g < groups.members.size(); ++g) {
    for (const std::uint32_t s : groups.members[g]) {
      EXPECT_EQ(groups.group_of[s], g);
      EXPECT_EQ(s < 8, groups.members[g].front() < 8);
      EXPECT_TRUE(seen.insert(s).second);
    }
  }
  EXPECT_EQ(seen.size(), 16U);
  EXPECT_EQ(group_states(situation, sets, 1).members.size(), 2U);
  EXPECT_EQ(group_states(situation, sets, 1000).members.size(), 16U);
}

TEST(StateGroups, StatesAtOnePlaceStayTogether) {
  Situation situation = cells(2, 0);
  situation.points.coordinates = {5, 5, 5, 5, 5, 5, 9, 5};
  const std::vector<std::vector<std::uint32_t>> sets{{0, 1, 2, 3}};
  const StateGroups groups = group_states(situation, sets, 4);
  ASSERT_EQ(groups.members.size(), 2U);
  EXPECT_THAT(groups.members[groups.group_of[0]], ElementsAre(0, 1, 2));
}

TEST(GroupedStep, WithAGroupForEachStateItIsTheOptimalOne) {
  const Situation situation = cells(4, 0);
  const auto grouped = make_grouped(situation, Rational(2), {.groups = 16});
  const auto optimal = make_optimal(situation, Rational(2));
  EXPECT_NEAR(grouped->expected_error(), optimal->expected_error(), 2e-3 * optimal->expected_error());
  EXPECT_EQ(grouped->name(), "optimal");
  EXPECT_EQ(make_grouped(situation, Rational(2), {.groups = 15})->name(), "grouped");
}

TEST(GroupedStep, ThePromiseHoldsBetweenStatesWhateverTheGroups) {
  EXPECT_TRUE(rc::check([] {
    Situation situation = cells(*rc::gen::inRange(2U, 8U), *rc::gen::element(0.0, 340.0, 500.0, 1000.0));
    const auto groups = *rc::gen::inRange<std::size_t>(2, 20);
    const Rational epsilon = *rc::gen::element(Rational(1, 10), Rational(1), Rational(4));
    const auto step = make_grouped(situation, epsilon, {.groups = groups});
    RC_ASSERT(step->certify().kept);
    RC_ASSERT(step->certify().joined_loss <= epsilon.to_double());
    std::vector<double> weights(situation.states.size());
    for (std::size_t o = 0; o < step->outputs(); ++o) {
      step->log_weights({static_cast<std::int64_t>(o)}, weights);
      for (const auto& [a, b] : situation.policy.pairs)
        RC_ASSERT(weights[a] == weights[b] ||
                  std::abs(weights[a] - weights[b]) <= epsilon.to_double() + 1e-12);
    }
    std::vector<std::uint32_t> all(situation.states.size());
    std::iota(all.begin(), all.end(), 0U);
    const double free = mean_distance_to(situation, all, free_centre(situation, all));
    RC_ASSERT(step->expected_error() <= free * (1 + 1e-6));
  }));
}

TEST(GroupedStep, ItsErrorIsWhatDrawsHave) {
  const Situation situation = cells(6, 0);
  const auto step = make_grouped(situation, Rational(4), {.groups = 12});
  random::Stream noise = random::SeededKey(3).stream("test", 0);
  double sum = 0, squares = 0;
  constexpr int draws = 200;
  for (std::uint32_t s = 0; s < 36; ++s) {
    for (int i = 0; i < draws; ++i) {
      const double error = distance_to(situation, s, step->raw_point(step->draw(s, noise)));
      sum += situation.prior[s] * error / draws;
      squares += std::pow(situation.prior[s] * error / draws, 2);
    }
  }
  // Six standard deviations: a false alarm is rarer than one in a million.
  EXPECT_NEAR(sum, step->expected_error(), 6 * std::sqrt(squares));
}

TEST(GroupedStep, ManyStatesCostAFewGroups) {
  const auto step = make_grouped(cells(30, 0), Rational(1), {.groups = 32});
  EXPECT_LE(step->outputs(), 33U);
  EXPECT_FALSE(step->is_fallback());
  EXPECT_EQ(step->certify().pairs, 404'550U);
}

TEST(GroupedStep, AsManyGroupsAreTakenAsThePolicyAllowsInTime) {
  EXPECT_EQ(make_grouped(cells(9, 0), Rational(1))->outputs(), 82U);    // the states, and the free centre
  EXPECT_LE(make_grouped(cells(12, 0), Rational(1))->outputs(), 65U);   // 64 groups
  EXPECT_LE(make_grouped(cells(9, 400), Rational(1))->outputs(), 21U);  // 20 groups
}

TEST(GroupedStep, BadOptionsAreRefused) {
  const Situation situation = cells(2, 0);
  EXPECT_THROW(make_grouped(situation, Rational(0)), InvalidOption);
  EXPECT_THROW(make_grouped(situation, Rational(1), {.groups = 1}), InvalidOption);
  EXPECT_THROW(make_grouped(situation, Rational(1), {.groups = 1001}), InvalidOption);
}

}  // namespace
}  // namespace fogline::stream::grouped_test
