// SPDX-License-Identifier: Apache-2.0
#include "stream/steps/optimal.hpp"

#include <cmath>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "random/key.hpp"
#include "stream/inference/median.hpp"

namespace fogline::stream::optimal_test {
namespace {

using testing::ElementsAre;

constexpr double beyond = std::numeric_limits<double>::infinity();

/// A situation over states 0, 1, ... at these points, all alike likely.
Situation situation_at(const std::vector<std::vector<std::int64_t>>& points, LocalPolicy policy) {
  Situation situation;
  situation.points.dimension = points.front().size();
  for (const auto& point : points) {
    situation.states.push_back(static_cast<StateId>(situation.states.size()));
    situation.points.add(point);
  }
  situation.prior.assign(points.size(), 1.0 / static_cast<double>(points.size()));
  situation.policy = std::move(policy);
  situation.policy.states = points.size();
  return situation;
}

LocalPolicy complete(std::size_t states) {
  std::vector<std::uint32_t> all(states);
  std::iota(all.begin(), all.end(), 0U);
  LocalPolicy policy{.states = states};
  if (states > 1) policy.groups.add(all);
  return policy;
}

double free_error(const Situation& situation) {
  std::vector<double> points(situation.points.coordinates.begin(), situation.points.coordinates.end());
  const auto centre = geometric_median(points, situation.points.dimension, situation.prior);
  return mean_distance(points, situation.points.dimension, situation.prior, centre);
}

/// P(z|s) from log weights, whose common constant is 0 for tables.
std::vector<std::vector<double>> probabilities(const TableStep& step, std::size_t states) {
  std::vector<std::vector<double>> result;
  for (std::size_t o = 0; o < step.outputs(); ++o) {
    std::vector<double> weights(states);
    step.log_weights({static_cast<std::int64_t>(o)}, weights);
    for (double& w : weights) w = std::exp(w);
    result.push_back(weights);
  }
  return result;
}

TEST(OptimalStep, OneStateIsReleasedAsItIs) {
  const auto step = make_optimal(situation_at({{3, 4}}, {}), Rational(1));
  random::Stream noise = random::SeededKey(1).stream("test", 0);
  const Answer answer = step->draw(0, noise);
  EXPECT_THAT(step->raw_point(answer), ElementsAre(3, 4));
  EXPECT_EQ(step->expected_error(), 0);
  EXPECT_TRUE(step->certify().kept);
  EXPECT_EQ(step->certify().pairs, 0U);
}

TEST(OptimalStep, TwoStatesGiveRandomisedResponse) {
  for (const Rational& epsilon : {Rational(1, 100), Rational(1), Rational(5), Rational(20)}) {
    Situation situation = situation_at({{0, 0}, {30, 40}}, {.pairs = {{0, 1}}});
    const auto step = make_optimal(situation, epsilon);
    const double lie = 1 / (1 + std::exp(epsilon.to_double()));
    EXPECT_NEAR(step->expected_error(), 50 * lie, 50 * lie * 2e-3 + 1e-5);
    EXPECT_FALSE(step->is_fallback());
    EXPECT_TRUE(step->certify().kept);
    EXPECT_LE(step->certify().joined_loss, epsilon.to_double());
    EXPECT_EQ(step->certify().pairs, 1U);
  }
}

TEST(OptimalStep, PartsOfThePolicyAreToldApart) {
  // 0 - 1 and 2 - 3; 4 alone.
  Situation situation =
      situation_at({{0, 0}, {10, 0}, {100, 0}, {110, 0}, {500, 0}}, {.pairs = {{0, 1}, {2, 3}}});
  situation.prior = {0.1, 0.2, 0.3, 0.3, 0.1};
  const auto step = make_optimal(situation, Rational(1));
  EXPECT_EQ(step->parts(), 3U);
  EXPECT_TRUE(step->certify().kept);
  EXPECT_EQ(step->certify().any_two_loss, beyond);
  random::Stream noise = random::SeededKey(1).stream("test", 0);
  std::vector<double> weights(5);
  step->log_weights(step->draw(2, noise), weights);
  EXPECT_EQ(weights[0], -beyond);
  EXPECT_EQ(weights[4], -beyond);
  EXPECT_GT(weights[3], -2);
  EXPECT_THAT(step->raw_point(step->draw(4, noise)), ElementsAre(500, 0));
  EXPECT_THROW(step->log_weights({100}, weights), InvalidOption);
  EXPECT_THROW(step->log_weights({-1}, weights), InvalidOption);
  EXPECT_THROW(step->log_weights({0, 0}, weights), InvalidOption);
}

/// Groups and pairs as they come, and states at points that may be the same.
Situation random_situation() {
  const auto states = *rc::gen::inRange<std::size_t>(1, 12);
  std::vector<std::vector<std::int64_t>> points;
  for (std::size_t s = 0; s < states; ++s)
    points.push_back({*rc::gen::inRange(-20, 20), *rc::gen::inRange(-20, 20)});
  LocalPolicy policy{.states = states};
  for (int g = *rc::gen::inRange(0, 4); g > 0; --g) {
    std::vector<std::uint32_t> group;
    for (std::uint32_t s = 0; s < states; ++s) {
      if (*rc::gen::inRange(0, 2) == 1) group.push_back(s);
    }
    if (group.size() > 1) policy.groups.add(group);
  }
  for (int k = *rc::gen::inRange(0, 8); k > 0 && states > 1; --k) {
    const auto a = *rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(states) - 1);
    policy.pairs.emplace_back(a, *rc::gen::inRange<std::uint32_t>(a + 1, static_cast<std::uint32_t>(states)));
  }
  Situation situation = situation_at(points, policy);
  double sum = 0;
  for (double& p : situation.prior) sum += p = std::pow(10.0, -*rc::gen::element(0, 0, 1, 3, 6, 12, 200));
  for (double& p : situation.prior) p /= sum;
  return situation;
}

TEST(OptimalStep, WhateverThePolicyThePromiseIsKeptAndTheFreeCentreBeaten) {
  EXPECT_TRUE(rc::check([] {
    const Situation situation = random_situation();
    const Rational epsilon = *rc::gen::element(Rational(1, 100), Rational(1, 2), Rational(2), Rational(20));
    const auto step = make_optimal(situation, epsilon);
    const StepCertificate certificate = step->certify();
    RC_ASSERT(certificate.kept);
    RC_ASSERT(certificate.joined_loss <= epsilon.to_double());
    RC_ASSERT(certificate.any_two_loss >= certificate.joined_loss);
    RC_ASSERT(!step->is_fallback());
    RC_ASSERT(step->lower_bound() <= step->expected_error() + 1e-9);
    // The floor of the integers costs 2^-36 of a distance per answer.
    RC_ASSERT(step->expected_error() <= free_error(situation) * (1 + 1e-6) + 1e-7);
    const auto p = probabilities(*step, situation.states.size());
    const double allowed = std::exp(epsilon.to_double()) * (1 + 1e-9);
    const auto alike = [&](std::uint32_t a, std::uint32_t b) {
      for (const auto& output : p)
        RC_ASSERT(output[a] <= allowed * output[b] && output[b] <= allowed * output[a]);
    };
    for (const auto group : situation.policy.groups) {
      for (const std::uint32_t a : group) alike(group.front(), a);
    }
    for (const auto& [a, b] : situation.policy.pairs) alike(a, b);
    for (std::size_t s = 0; s < situation.states.size(); ++s) {
      double sum = 0;
      for (const auto& output : p) sum += output[s];
      RC_ASSERT(std::abs(sum - 1) < 1e-9);
    }
  }));
}

TEST(OptimalStep, DrawsFollowTheTable) {
  const Situation situation = situation_at({{0, 0}, {10, 0}, {0, 10}}, complete(3));
  const auto step = make_optimal(situation, Rational(2));
  const auto p = probabilities(*step, 3);
  random::Stream noise = random::SeededKey(7).stream("test", 0);
  std::vector<int> count(step->outputs(), 0);
  constexpr int draws = 20'000;
  for (int i = 0; i < draws; ++i) ++count[static_cast<std::size_t>(step->draw(1, noise)[0])];
  for (std::size_t o = 0; o < count.size(); ++o) {
    // Six standard deviations: a false alarm is rarer than one in a million.
    EXPECT_NEAR(count[o], draws * p[o][1], 6 * std::sqrt(draws * p[o][1]) + 1) << o;
  }
}

TEST(OptimalStep, AHundredStatesComeWithinAThousandth) {
  std::vector<std::vector<std::int64_t>> points;
  for (std::int64_t s = 0; s < 100; ++s) points.push_back({s % 10 * 340, s / 10 * 340});
  Situation situation = situation_at(points, complete(100));
  for (std::size_t s = 0; s < 100; ++s) situation.prior[s] = std::exp(-static_cast<double>(s) / 4);
  const double sum = std::accumulate(situation.prior.begin(), situation.prior.end(), 0.0);
  for (double& p : situation.prior) p /= sum;
  const auto step = make_optimal(situation, Rational(2));
  EXPECT_FALSE(step->is_fallback());
  EXPECT_GE(step->lower_bound(), 0.998 * step->expected_error());
  EXPECT_EQ(step->certify().pairs, 4950U);
}

TEST(OptimalStep, ASolverThatGivesUpIsReplacedByATableThatHolds) {
  // A ring of ten: without a solver, exp(-epsilon / 2 * steps) or the centre.
  TableProgram program{.prior = std::vector<double>(10, 0.1), .outputs = 10};
  program.policy.states = 10;
  for (std::uint32_t s = 0; s < 9; ++s) program.policy.pairs.emplace_back(s, s + 1);
  program.policy.pairs.emplace_back(0, 9);
  for (std::size_t o = 0; o < 10; ++o) {
    for (std::size_t s = 0; s < 10; ++s) {
      const std::size_t apart = o > s ? o - s : s - o;
      program.loss.push_back(static_cast<double>(std::min(apart, 10 - apart)));
    }
  }
  for (const Rational& epsilon : {Rational(1, 10), Rational(1), Rational(8)}) {
    const CertifiedTable table = fallback_table(program, epsilon);
    EXPECT_TRUE(table.is_fallback);
    EXPECT_TRUE(kernel::holds(certify(program.policy, table.table), epsilon));
    EXPECT_LE(table.loss, 2.5 + 1e-6);
    EXPECT_GE(table.loss, certified_table(program, epsilon).lower_bound);
  }
  EXPECT_LT(fallback_table(program, Rational(8)).loss, 0.1);
}

/// Two states and a table under which an answer is twice as likely from one as from the other.
TableStep twice_as_likely(const LocalPolicy& policy, const Rational& epsilon, std::size_t tables = 1) {
  using Rows = std::vector<std::vector<kernel::SparseTable::Entry>>;
  const kernel::SparseTable table(Rows{{{0, 0x1p99}, {1, 0x1p98}}, {{0, 0x1p98}, {1, 0x1p99}}}, 2);
  const Situation situation{.states = {0, 1},
                            .prior = {0.5, 0.5},
                            .policy = policy,
                            .points = {.dimension = 1, .coordinates = {0, 1}}};
  const std::vector<TableStep::Part> parts(tables,
                                           {.certified = {.table = table}, .points = {0, 1}, .mass = 0.5});
  return {"given", situation, epsilon, parts, {{0, 0}, {static_cast<std::uint32_t>(tables - 1), 1}}};
}

TEST(TableStep, JudgesTheTableItIsGiven) {
  for (const LocalPolicy& joined :
       {LocalPolicy{.states = 2, .pairs = {{0, 1}}}, LocalPolicy{.states = 2, .groups = {{0, 1}}}}) {
    EXPECT_TRUE(twice_as_likely(joined, Rational(7, 10)).certify().kept);
    EXPECT_FALSE(twice_as_likely(joined, Rational(69, 100)).certify().kept) << "ln 2 is 0.693";
    EXPECT_NEAR(twice_as_likely(joined, Rational(1)).certify().joined_loss, std::log(2.0), 1e-12);
    // In tables of their own, with answers of their own, each state would be known by its answer.
    const StepCertificate apart = twice_as_likely(joined, Rational(1000), 2).certify();
    EXPECT_FALSE(apart.kept);
    EXPECT_TRUE(std::isinf(apart.joined_loss));
  }
  EXPECT_TRUE(twice_as_likely({.states = 2}, Rational(1, 100)).certify().kept) << "nothing is joined";
}

TEST(TableProgram, APolicyIsCutIntoItsParts) {
  LocalPolicy policy{.states = 6, .groups = {{0, 3, 5}}, .pairs = {{1, 2}}};
  const auto parts = connected_parts(policy);
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_THAT(parts[0].members, ElementsAre(0, 3, 5));
  EXPECT_THAT(parts[0].policy.groups[0], ElementsAre(0, 1, 2));
  EXPECT_THAT(parts[1].members, ElementsAre(1, 2));
  EXPECT_THAT(parts[1].policy.pairs, ElementsAre(std::pair{0U, 1U}));
  EXPECT_THAT(parts[2].members, ElementsAre(4));
}

TEST(TableProgram, WhatAGroupCoversIsLeftOut) {
  const LocalPolicy policy{
      .states = 5, .groups = {{0, 1}, {0, 1, 2}, {0, 1, 2}, {2, 3}}, .pairs = {{0, 2}, {3, 4}, {3, 4}}};
  const LocalPolicy result = simplified(policy);
  EXPECT_EQ(result.groups, (GroupList{{0, 1, 2}, {2, 3}}));
  EXPECT_THAT(result.pairs, ElementsAre(std::pair{3U, 4U}));
}

TEST(OptimalStep, BadOptionsAreRefused) {
  const Situation situation = situation_at({{0}, {1}, {2}}, complete(3));
  EXPECT_THROW(make_optimal(situation, Rational(0)), InvalidOption);
  EXPECT_THROW(make_optimal(situation, Rational(1), {.gap = 0}), InvalidOption);
  EXPECT_THROW(make_optimal(situation, Rational(1), {.iterations = 0}), InvalidOption);
}

}  // namespace
}  // namespace fogline::stream::optimal_test
