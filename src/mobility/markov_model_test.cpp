// SPDX-License-Identifier: Apache-2.0
#include "mobility/markov_model.hpp"

#include <cmath>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"

namespace fogline::mobility::markov_model_test {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;

MarkovModel two_states() {
  return MarkovModel({0, 2, 3}, {{0, 0.5}, {1, 0.5}, {0, 1.0}}, {1.0, 0.0});
}

template <class Body>
std::string refusal(Body body) {
  try {
    body();
  } catch (const InvalidOption& error) {
    return error.what();
  }
  ADD_FAILURE() << "expected an error";
  return "";
}

TEST(MarkovModel, StepsForwardAndBack) {
  const MarkovModel walk = two_states();
  std::vector<double> now(walk.initial().begin(), walk.initial().end()), next(2);
  walk.forward(now, next);
  EXPECT_THAT(next, ElementsAre(0.5, 0.5));
  walk.forward(next, now);
  EXPECT_THAT(now, ElementsAre(0.75, 0.25));
  // From state 0 half of the ways lead to 1, from state 1 none does.
  walk.backward(std::vector<double>{0, 1}, next);
  EXPECT_THAT(next, ElementsAre(0.5, 0.0));
  EXPECT_EQ(walk.states(), 2U);
  EXPECT_EQ(walk.transition_count(), 3U);
}

TEST(MarkovModel, KnowsEachProbability) {
  const MarkovModel walk = two_states();
  EXPECT_EQ(walk.probability(0, 1), 0.5);
  EXPECT_EQ(walk.probability(1, 0), 1.0);
  EXPECT_EQ(walk.probability(1, 1), 0.0);
  EXPECT_THAT(walk.row(1), ElementsAre(MarkovModel::Transition{0, 1.0}));
}

TEST(MarkovModel, FindsTheLongRun) {
  // pi0 = pi0 / 2 + pi1, so pi = (2/3, 1/3).
  const auto settled = two_states().stationary();
  EXPECT_NEAR(settled[0], 2.0 / 3, 1e-8);
  EXPECT_NEAR(settled[1], 1.0 / 3, 1e-8);
  // A chain that only alternates has one as well.
  const MarkovModel swap({0, 1, 2}, {{1, 1.0}, {0, 1.0}}, {1.0, 0.0});
  EXPECT_NEAR(swap.stationary()[0], 0.5, 1e-8);
}

TEST(MarkovModel, StartsElsewhere) {
  const MarkovModel walk = two_states().starting_from({0.25, 0.75});
  EXPECT_THAT(walk.initial(), ElementsAre(0.25, 0.75));
  EXPECT_EQ(walk.probability(0, 1), 0.5);
  EXPECT_THAT(refusal([] { two_states().starting_from({1.0}); }), HasSubstr("for each state"));
  EXPECT_THAT(refusal([] { two_states().starting_from({0.5, 0.4}); }), HasSubstr("0.9"));
}

TEST(MarkovModel, DividesRowsByTheirSum) {
  const double third = 0.3333333333;  // three of them are 10^-10 short
  const MarkovModel walk({0, 3, 4, 5}, {{0, third}, {1, third}, {2, third}, {1, 1.0}, {2, 1.0}},
                         {third, third, third});
  EXPECT_THAT(walk.probability(0, 2), DoubleEq(1.0 / 3));
  EXPECT_THAT(walk.initial()[0], DoubleEq(1.0 / 3));
}

TEST(MarkovModel, RefusesWhatIsNoModel) {
  using Rows = std::vector<MarkovModel::Transition>;
  const auto build = [](std::vector<std::uint64_t> offset, Rows rows, std::vector<double> initial) {
    return refusal([&] { MarkovModel(offset, rows, initial); });
  };
  EXPECT_THAT(build({0}, {}, {}), HasSubstr("1 to 4294967294 states"));
  EXPECT_THAT(build({0, 1}, {{0, 1.0}}, {0.5, 0.5}), HasSubstr("offsets"));
  EXPECT_THAT(build({0, 2, 1}, {{0, 1.0}}, {0.5, 0.5}), HasSubstr("state 0 has offsets that run back"));
  EXPECT_THAT(build({0, 1, 1}, {{0, 1.0}}, {0.5, 0.5}), HasSubstr("state 1 has no transition"));
  EXPECT_THAT(build({0, 1}, {{0, 0.9}}, {1.0}), HasSubstr("state 0 has transitions that sum to 0.9"));
  EXPECT_THAT(build({0, 1}, {{1, 1.0}}, {1.0}), HasSubstr("does not exist"));
  EXPECT_THAT(build({0, 2}, {{0, 0.5}, {0, 0.5}}, {1.0}), HasSubstr("not in order"));
  EXPECT_THAT(build({0, 1}, {{0, 0.0}}, {1.0}), HasSubstr("outside 0 to 1"));
  EXPECT_THAT(build({0, 1}, {{0, NAN}}, {1.0}), HasSubstr("outside 0 to 1"));
  EXPECT_THAT(build({0, 1}, {{0, 1.0}}, {NAN}), HasSubstr("initial"));
  EXPECT_THAT(build({0, 1}, {{0, 1.0}}, {0.5}), HasSubstr("sums to 0.5"));
  EXPECT_THAT(refusal([] { two_states().stationary(0); }), HasSubstr("tolerance"));
}

/// A chain of random weights on random successors.
MarkovModel random_chain() {
  const auto states = *rc::gen::inRange<StateId>(1, 20);
  std::vector<std::uint64_t> offset = {0};
  std::vector<MarkovModel::Transition> transitions;
  for (StateId s = 0; s < states; ++s) {
    double sum = 0;
    const std::size_t begin = transitions.size();
    for (StateId to = 0; to < states; ++to) {
      const bool is_last = to + 1 == states && transitions.size() == begin;
      const int weight = is_last ? 1 : *rc::gen::inRange(0, 4);
      if (weight > 0) transitions.push_back({to, static_cast<double>(weight)});
      sum += weight;
    }
    for (std::size_t i = begin; i < transitions.size(); ++i) transitions[i].probability /= sum;
    offset.push_back(transitions.size());
  }
  return MarkovModel(offset, transitions, std::vector<double>(states, 1.0 / states));
}

TEST(MarkovModel, ForwardAndBackwardAreAdjointAndKeepTheTotal) {
  EXPECT_TRUE(rc::check("<forward(p), q> = <p, backward(q)>", [] {
    const MarkovModel chain = random_chain();
    const std::size_t n = chain.states();
    std::vector<double> p(chain.initial().begin(), chain.initial().end()), q(n), after(n), before(n);
    for (std::size_t i = 0; i < n; ++i) q[i] = static_cast<double>(*rc::gen::inRange(0, 100));
    chain.forward(p, after);
    chain.backward(q, before);
    RC_ASSERT(std::abs(std::accumulate(after.begin(), after.end(), 0.0) - 1) < 1e-12);
    RC_ASSERT(std::abs(std::inner_product(after.begin(), after.end(), q.begin(), 0.0) -
                       std::inner_product(p.begin(), p.end(), before.begin(), 0.0)) < 1e-9);
  }));
}

}  // namespace
}  // namespace fogline::mobility::markov_model_test
