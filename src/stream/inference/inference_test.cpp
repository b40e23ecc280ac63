// SPDX-License-Identifier: Apache-2.0
#include "stream/inference/inference.hpp"

#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "random/key.hpp"
#include "stream/measures/attacks.hpp"
#include "stream/measures/measures.hpp"
#include "stream/public_stream.hpp"
#include "stream/test_stream.hpp"

namespace fogline::stream::inference_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_stream::grid_walk;

/// Three places on a street, of which the outer ones are not next to each other.
PublicStream street(const StreamSetting& setting) {
  mobility::StateModel model = grid_walk(3, 1);
  const std::size_t states = model.space.states();
  return {std::move(model), PolicyGraph::complete(states), setting};
}

std::vector<Answer> release(Tracker tracker, std::span<const StateId> truth, std::uint64_t seed) {
  random::Stream noise = random::SeededKey(seed).stream("test");
  std::vector<Answer> answers;
  for (const StateId state : truth) {
    const StepMechanism& mechanism = tracker.prepare();
    answers.push_back(mechanism.draw(tracker.place_of(state), noise));
    tracker.observe(answers.back());
  }
  return answers;
}

/// Every sequence of states, with the logarithm of its probability together with the answers, less a constant.
std::map<std::vector<StateId>, double> all_paths(const PublicStream& stream,
                                                 std::span<const Answer> answers) {
  std::map<std::vector<StateId>, double> paths{{{}, 0.0}};
  Tracker tracker = stream.tracker();
  const mobility::MarkovModel& chain = stream.model().chain;
  for (const Answer& answer : answers) {
    const StepMechanism& mechanism = tracker.prepare();
    std::vector<double> weights(tracker.situation().states.size());
    mechanism.log_weights(answer, weights);
    std::map<std::vector<StateId>, double> longer;
    for (const auto& [path, score] : paths) {
      for (StateId s = 0; s < chain.states(); ++s) {
        const double step = path.empty() ? chain.initial()[s] : chain.probability(path.back(), s);
        if (step == 0) continue;
        std::vector<StateId> next = path;
        next.push_back(s);
        longer[next] = score + std::log(step) + weights[tracker.place_of(s)];
      }
    }
    paths = std::move(longer);
    tracker.observe(answer);
  }
  return paths;
}

void expect_as_by_enumeration(const PublicStream& stream, std::span<const Answer> answers) {
  const Inference inference(stream.tracker(), answers);
  const auto smoothed = inference.smoothed(answers.size());
  const auto paths = all_paths(stream, answers);
  double total = 0, best = -INFINITY;
  std::vector<StateId> likeliest;
  for (const auto& [path, score] : paths) {
    total += std::exp(score);
    if (score > best) likeliest = path;
    best = std::max(best, score);
  }
  const auto found = inference.most_likely_path();
  EXPECT_NEAR(paths.at(found), best, 1e-9);
  for (std::size_t t = 0; t < answers.size(); ++t) {
    std::vector<double> belief(stream.model().chain.states(), 0.0);
    for (const auto& [path, score] : paths) belief[path[t]] += std::exp(score) / total;
    const auto& states = inference.step(t).states;
    for (std::size_t i = 0; i < states.size(); ++i) {
      EXPECT_NEAR(smoothed[t][i], belief[states[i]], 1e-9);
      if (t + 1 == answers.size()) {
        EXPECT_NEAR(inference.step(t).filtered[i], belief[states[i]], 1e-9);
      }
    }
  }
}

TEST(Inference, IsWhatEnumerationOfAllPathsGives) {
  const PublicStream stream = street({.epsilon = {1, 1}, .mechanism = MechanismKind::k_norm});
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    expect_as_by_enumeration(stream, release(stream.tracker(), std::vector<StateId>{0, 1, 2, 2}, seed));
}

TEST(Inference, KnowsThatStatesOutsideTheSetAnswerBySurrogates) {
  const PublicStream stream = street({.epsilon = {1, 1}, .mechanism = MechanismKind::k_norm, .delta = 0.4});
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    expect_as_by_enumeration(stream, release(stream.tracker(), std::vector<StateId>{0, 0, 1}, seed));
}

TEST(Inference, OneAnswerTellsNoMoreThanItsEpsilon) {
  EXPECT_TRUE(rc::check("the leak of one answer", [] {
    const auto epsilon = *rc::gen::inRange<std::uint64_t>(1, 6);
    const PublicStream stream = street({.epsilon = {epsilon, 2}, .mechanism = MechanismKind::k_norm});
    const auto truth = *rc::gen::inRange<StateId>(0, 3);
    const auto answers =
        release(stream.tracker(), std::vector<StateId>{truth}, *rc::gen::arbitrary<std::uint64_t>());
    const Inference inference(stream.tracker(), answers);
    RC_ASSERT(inference.leak(0, inference.smoothed(1)[0]) <= static_cast<double>(epsilon) / 2 + 1e-9);
  }));
}

TEST(Inference, AnswersAfterAStepTellMoreOfIt) {
  // Somebody who never moves: every answer is about the same state.
  mobility::StateModel model = grid_walk(2, 1);
  model.chain = mobility::MarkovModel({0, 1, 2}, {{0, 1.0}, {1, 1.0}}, {0.5, 0.5});
  const PublicStream stream(std::move(model), PolicyGraph::complete(2),
                            {.epsilon = {1, 1}, .mechanism = MechanismKind::k_norm});
  const Tracker first = stream.tracker();
  const Answer at_first_state{first.query().at(0)[0], first.query().at(0)[1]};
  const std::vector<Answer> answers(3, at_first_state);
  const Inference inference(stream.tracker(), answers);
  EXPECT_NEAR(inference.leak(0, inference.smoothed(1)[0]), 1, 1e-9);
  EXPECT_NEAR(inference.leak(0, inference.smoothed(3)[0]), 3, 1e-9) << "three answers, each with its epsilon";
}

TEST(Inference, RefusesAnswersThatCouldNotBe) {
  const PublicStream stream = street({.epsilon = {1, 1}, .mechanism = MechanismKind::k_norm});
  EXPECT_THROW(Inference(stream.tracker(), std::vector<Answer>{{0, 7}}), InvalidOption) << "off the street";
}

TEST(Components, AreNumberedInOrder) {
  EXPECT_THAT(components({.states = 6, .groups = {{1, 3}}, .pairs = {{0, 5}, {3, 4}}}),
              ElementsAre(0, 1, 2, 1, 1, 0));
}

TEST(StreamAttack, TheAnswerTellsThePartOfAFlatPolicy) {
  // Four places on a square; west and east sides each look alike within themselves, and nothing is mended:
  // the noise runs north and south only, and so tells west from east.
  mobility::StateModel model = grid_walk(2, 2);
  const PublicStream stream(std::move(model), PolicyGraph::pairs(4, {{0, 2}, {1, 3}}),
                            {.epsilon = {1, 1}, .mechanism = MechanismKind::k_norm, .repair = Repair::none});
  const std::vector<StateId> truth = {0, 1, 1, 3, 2};
  const std::vector<AttackedSequence> sequences = {{release(stream.tracker(), truth, 1), truth}};
  const StreamAttacks found = attack([&] { return stream.tracker(); }, sequences);
  EXPECT_EQ(found.steps, 5U);
  EXPECT_EQ(found.steps_in_parts, 5U);
  EXPECT_EQ(found.parts_told, 5U);
  EXPECT_EQ(found.separated_steps, 5U);
  EXPECT_GT(found.smoother.actual->hits, 0.3);
}

TEST(StreamAttack, MoreAnswersHelpMore) {
  const PublicStream stream = street({.epsilon = {2, 1}, .mechanism = MechanismKind::k_norm});
  std::vector<AttackedSequence> sequences;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const std::vector<StateId> truth = {0, 0, 1, 1, 2, 2, 1, 2, 2, 1};
    sequences.push_back({release(stream.tracker(), truth, seed), truth});
  }
  const StreamAttacks found = attack([&] { return stream.tracker(); }, sequences);
  EXPECT_EQ(found.sequences, 60U);
  EXPECT_LT(found.filter.expected.error, found.without.expected.error);
  EXPECT_LT(found.smoother.expected.error, found.filter.expected.error);
  EXPECT_GT(found.smoother.expected.hits, found.filter.expected.hits);
  EXPECT_LE(found.viterbi.expected.hits, found.smoother.expected.hits + 1e-12);
  EXPECT_GT(found.smoother.actual->hits, found.without.actual->hits);
  ASSERT_THAT(found.leaks, testing::SizeIs(4));
  EXPECT_EQ(found.leaks[0].answers, 1U);
  EXPECT_LE(found.leaks[0].largest, 2 + 1e-9);
  EXPECT_GT(found.leaks[3].mean, found.leaks[0].mean);
  EXPECT_LE(found.largest_joined_loss, 2 + 1e-9);
  EXPECT_LE(found.joined_sum, 20 + 1e-6);
  EXPECT_EQ(found.parts_told, 0U);
}

TEST(StreamMeasures, CompareEachStepWithTheTruth) {
  const PublicStream stream = street({.epsilon = {1, 1}, .mechanism = MechanismKind::k_norm});
  const std::vector<StateId> truth = {0, 1};
  const auto answers = release(stream.tracker(), truth, 3);
  std::vector<ReleasedFormat::Row> rows;
  for (std::size_t t = 0; t < 2; ++t)
    rows.push_back({.sequence = "1", .step = t + 1, .value = {80, 50}, .draw = answers[t]});
  const auto steps = measure(stream.tracker(), truth, rows);
  ASSERT_EQ(steps.size(), 2U);
  // Cells of 100 m along the street: centres at 50, 150 and 250.
  EXPECT_NEAR(steps[0].error, 30, 1e-9);
  EXPECT_NEAR(steps[1].error, 70, 1e-9);
  EXPECT_NEAR(steps[0].free_error, 100, 0.1) << "the middle of the street, before any answer";
  EXPECT_NEAR(steps[0].raw_error,
              std::abs(static_cast<double>(answers[0][0]) * stream.tracker().query().step() - 50), 1e-6);
  EXPECT_EQ(steps[0].dop, 3U) << "everybody looks like everybody";
  EXPECT_EQ(steps[0].states, 3U);
  EXPECT_FALSE(steps[0].exposed || steps[0].drift || steps[0].truth_exposed);
  const StreamMeasures found = summarise(steps);
  EXPECT_NEAR(found.error, 50, 1e-9);
  EXPECT_NEAR(found.root_mean_square_error, std::sqrt((900 + 4900) / 2.0), 1e-9);
  EXPECT_NEAR(found.relative_error, 100 / (steps[0].free_error + steps[1].free_error), 1e-9);
  EXPECT_EQ(found.dop, 3);
}

TEST(StreamMeasures, CountDriftAndExposure) {
  const PublicStream stream(
      grid_walk(3, 1), PolicyGraph::pairs(3, {{0, 1}}),
      {.epsilon = {1, 1}, .mechanism = MechanismKind::k_norm, .repair = Repair::none, .delta = 0.4});
  // All three are as likely at first, so the set holds the first two; the third is a drift.
  const std::vector<StateId> truth = {2};
  const auto answers = release(stream.tracker(), truth, 1);
  const auto steps = measure(stream.tracker(), truth,
                             std::vector<ReleasedFormat::Row>{{"1", 1, "", {0, 0}, answers[0], {}}});
  EXPECT_TRUE(steps[0].drift);
  EXPECT_FALSE(steps[0].exposed);
  EXPECT_EQ(steps[0].states, 2U);
  const PublicStream open(grid_walk(3, 1), PolicyGraph::pairs(3, {{0, 1}}),
                          {.epsilon = {1, 1}, .mechanism = MechanismKind::k_norm, .repair = Repair::none});
  const auto drawn = release(open.tracker(), truth, 1);
  const auto seen =
      measure(open.tracker(), truth, std::vector<ReleasedFormat::Row>{{"1", 1, "", {0, 0}, drawn[0], {}}});
  EXPECT_EQ(seen[0].dop, 2U) << "the hull of the pair reaches the middle from the east too";
  EXPECT_FALSE(seen[0].truth_exposed);
}

TEST(StreamMeasures, RefusesRowsOfAnotherRelease) {
  const PublicStream stream = street({.epsilon = {1, 1}, .mechanism = MechanismKind::k_norm});
  const std::vector<StateId> truth = {0};
  using Rows = std::vector<ReleasedFormat::Row>;
  EXPECT_THROW(measure(stream.tracker(), truth, Rows{}), InvalidOption);
  EXPECT_THROW(measure(stream.tracker(), truth, Rows{{"1", 2, "", {0, 0}, {50, 50}, {}}}), DataError);
  EXPECT_THROW(measure(stream.tracker(), truth, Rows{{"1", 1, "", {0, 0}, {0, 7}, {}}}), DataError);
}

}  // namespace
}  // namespace fogline::stream::inference_test
