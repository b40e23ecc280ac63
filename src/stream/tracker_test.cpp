// SPDX-License-Identifier: Apache-2.0
#include "stream/tracker.hpp"

#include <cmath>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "random/key.hpp"
#include "random/tape.hpp"
#include "stream/inference/simulate.hpp"
#include "stream/measures/tally.hpp"
#include "stream/public_stream.hpp"
#include "stream/saved_state.hpp"
#include "stream/test_stream.hpp"

namespace fogline::stream::tracker_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_stream::grid_walk;

PublicStream lattice(MechanismKind kind, std::uint32_t side = 5, const Rational& epsilon = Rational(1)) {
  mobility::StateModel model = grid_walk(side, side);
  const std::size_t states = model.chain.states();
  return {std::move(model), PolicyGraph::complete(states), {.epsilon = epsilon, .mechanism = kind}};
}

/// A stream that starts in one known corner.
PublicStream corner(MechanismKind kind, Repair repair = Repair::least_area) {
  mobility::StateModel model = grid_walk(5, 5);
  std::vector<std::uint64_t> offset{0};
  std::vector<mobility::MarkovModel::Transition> transitions;
  for (StateId s = 0; s < 25; ++s) {
    for (const auto& transition : model.chain.row(s)) transitions.push_back(transition);
    offset.push_back(transitions.size());
  }
  std::vector<double> initial(25, 0.0);
  initial[0] = 1;
  model.chain = mobility::MarkovModel(std::move(offset), std::move(transitions), std::move(initial));
  PolicyGraph policy = PolicyGraph::pairs(25, {{0, 1}, {1, 2}});
  return {std::move(model), std::move(policy), {.epsilon = Rational(1), .mechanism = kind, .repair = repair}};
}

TEST(Tracker, TheConstraintSetIsWhatTheModelLeavesPossible) {
  const PublicStream stream = corner(MechanismKind::k_norm);
  Tracker tracker = stream.tracker();
  tracker.prepare();
  EXPECT_THAT(tracker.situation().states, ElementsAre(0));
  EXPECT_TRUE(tracker.is_drift(7));
  EXPECT_EQ(tracker.place_of(7), 0U);  // the nearest possible state stands for it
  random::Stream noise = random::SeededKey(1).stream("test");
  tracker.observe(tracker.mechanism().draw(0, noise));
  tracker.prepare();
  EXPECT_THAT(tracker.situation().states, ElementsAre(0, 1, 5));
  EXPECT_FALSE(tracker.is_drift(5));
  EXPECT_THAT(tracker.situation().exposed, ElementsAre(2));  // cell 5 is joined with none
  EXPECT_EQ(tracker.situation().repairs.size(), 1U);
}

TEST(Tracker, WithoutRepairAnExposedStateStaysAlone) {
  const PublicStream stream = corner(MechanismKind::optimal, Repair::none);
  Tracker tracker = stream.tracker();
  random::Stream noise = random::SeededKey(2).stream("test");
  for (int step = 0; step < 2; ++step) {
    tracker.prepare();
    if (step == 0) tracker.observe(tracker.mechanism().draw(0, noise));
  }
  EXPECT_EQ(tracker.situation().exposed.size(), 1U);
  EXPECT_TRUE(tracker.situation().repairs.empty());
  EXPECT_TRUE(std::isinf(tracker.certificate().any_two_loss));
}

TEST(Tracker, StepsComeInOrder) {
  const PublicStream stream = lattice(MechanismKind::laplace);
  Tracker tracker = stream.tracker();
  EXPECT_THROW(tracker.observe({0, 0}), InvalidOption);
  tracker.prepare();
  EXPECT_THROW(tracker.prepare(), InvalidOption);
  EXPECT_THROW(tracker.estimate(), InvalidOption);
  EXPECT_THROW(tracker.save(), InvalidOption);
}

class EveryMechanism : public testing::TestWithParam<MechanismKind> {};

TEST_P(EveryMechanism, KeepsItsPromiseAndDoesNotLoseToTheFreeBaseline) {
  const PublicStream stream = lattice(GetParam());
  const Forecast expected = forecast(stream, {.walks = 3, .steps = 12});
  EXPECT_EQ(expected.steps, 36U);
  EXPECT_LE(expected.largest_loss, 1 + 1e-12);
  EXPECT_GT(expected.largest_loss, 0.9);
  // The posterior mean over few steps may lie above by chance.
  EXPECT_LT(expected.error, expected.free_error * 1.05);
  EXPECT_EQ(expected.separated_steps, 0);
  EXPECT_EQ(expected.exposed_steps, 0);
}

TEST_P(EveryMechanism, DrawsTheSameWhetherAnAuditorListensOrNot) {
  const PublicStream stream = lattice(GetParam(), 4);
  Tracker tracker = stream.tracker();
  tracker.prepare();
  random::Tape tape;
  for (std::uint64_t i = 0; i < 20; ++i) {
    const random::SeededKey key(i);
    random::Stream own = key.stream("test"), asked = key.stream("test"), heard = key.stream("test");
    heard.listen(&tape);
    const Answer answer = tracker.mechanism().draw(tracker.place_of(5), own);
    EXPECT_EQ(tracker.draw(5, asked), answer);
    EXPECT_EQ(tracker.draw(5, heard), answer);
  }
  EXPECT_EQ(tape.recorded().size(), 20U);
}

TEST_P(EveryMechanism, ThePosteriorIsBayesRule) {
  const PublicStream stream = lattice(GetParam(), 4);
  Tracker tracker = stream.tracker();
  random::Stream noise = random::SeededKey(3).stream("test");
  const StepMechanism& mechanism = tracker.prepare();
  const Answer answer = mechanism.draw(5, noise);
  std::vector<double> weights(16);
  mechanism.log_weights(answer, weights);
  const std::vector<double> prior = tracker.situation().prior;
  tracker.observe(answer);
  double sum = 0;
  for (std::size_t i = 0; i < 16; ++i) sum += prior[i] * std::exp(weights[i]);
  for (std::size_t i = 0; i < 16; ++i)
    EXPECT_NEAR(tracker.posterior()[i], prior[i] * std::exp(weights[i]) / sum, 1e-12);
}

TEST_P(EveryMechanism, GoesOnFromASavedStateAsIfNothingHadHappened) {
  const PublicStream stream = lattice(GetParam(), 4);
  Tracker whole = stream.tracker();
  random::Stream noise = random::SeededKey(4).stream("test");
  std::vector<Answer> answers;
  for (int step = 0; step < 3; ++step) {
    whole.prepare();
    answers.push_back(whole.mechanism().draw(static_cast<std::uint32_t>(step), noise));
    whole.observe(answers.back());
  }
  const std::string text = to_json({whole.save(), true}, "hash");
  Tracker later = stream.tracker();
  EXPECT_TRUE(parse_saved(text, "state", "hash").seeded);
  later.restore(parse_saved(text, "state", "hash").state);
  EXPECT_EQ(later.step(), 3U);
  later.prepare();
  whole.prepare();
  EXPECT_EQ(later.situation().states, whole.situation().states);
  EXPECT_EQ(later.situation().prior, whole.situation().prior);
  random::Stream one = random::SeededKey(5).stream("test"), other = random::SeededKey(5).stream("test");
  EXPECT_EQ(later.mechanism().draw(2, one), whole.mechanism().draw(2, other));
}

INSTANTIATE_TEST_SUITE_P(All, EveryMechanism,
                         testing::Values(MechanismKind::automatic, MechanismKind::optimal,
                                         MechanismKind::grouped, MechanismKind::k_norm,
                                         MechanismKind::laplace));

/// Stopped at its n-th question for every n, a step is as it would have been: nothing of a half-made one is kept.
TEST(Tracker, AStepThatWasCutShortCanBeAskedForAgain) {
  for (const MechanismKind kind : {MechanismKind::grouped, MechanismKind::optimal, MechanismKind::k_norm}) {
    const PublicStream stream = corner(kind);
    Tracker whole = stream.tracker(), cut = stream.tracker();
    random::Stream noise = random::SeededKey(1).stream("test");
    for (Tracker* tracker : {&whole, &cut}) tracker->prepare();
    const Answer first = whole.mechanism().draw(0, noise);
    for (Tracker* tracker : {&whole, &cut}) tracker->observe(first);
    whole.prepare();
    int stops = 0;
    for (bool stopped = true; stopped; ++stops) {
      int asked = 0;
      try {
        cut.prepare([&](const ProgressUpdate&) { return asked++ < stops; });
        stopped = false;
      } catch (const Cancelled&) {
        EXPECT_EQ(cut.step(), 1U);
      }
    }
    EXPECT_GT(stops, 3);
    EXPECT_EQ(cut.step(), 2U);
    EXPECT_EQ(cut.situation().states, whole.situation().states);
    EXPECT_EQ(cut.situation().policy.pairs, whole.situation().policy.pairs);
    EXPECT_EQ(cut.certificate().joined_loss, whole.certificate().joined_loss);
    const Answer z = whole.mechanism().draw(0, noise);
    std::vector<double> expected(whole.situation().states.size()), found(expected.size());
    whole.mechanism().log_weights(z, expected);
    cut.mechanism().log_weights(z, found);
    EXPECT_EQ(found, expected);
  }
}

TEST(Tracker, ASetOfLikelyStatesHoldsTheFewestThatSuffice) {
  mobility::StateModel model = grid_walk(5, 1);
  std::vector<double> initial{0.5, 0.3, 0.15, 0.04, 0.01};
  std::vector<std::uint64_t> offset{0};
  std::vector<mobility::MarkovModel::Transition> transitions;
  for (StateId s = 0; s < 5; ++s) {
    for (const auto& transition : model.chain.row(s)) transitions.push_back(transition);
    offset.push_back(transitions.size());
  }
  model.chain = mobility::MarkovModel(std::move(offset), std::move(transitions), initial);
  const PublicStream stream(std::move(model), PolicyGraph::complete(5),
                            {.epsilon = Rational(1), .mechanism = MechanismKind::k_norm, .delta = 0.1});
  Tracker tracker = stream.tracker();
  tracker.prepare();
  EXPECT_THAT(tracker.situation().states, ElementsAre(0, 1, 2));
  EXPECT_NEAR(tracker.situation().prior[0], 0.5 / 0.95, 1e-12);
  EXPECT_EQ(tracker.place_of(4), 2U);
}

TEST(Tracker, NoStateDropsOutByRounding) {
  mobility::StateModel model = grid_walk(3, 1);
  // From the second state the third is all but impossible, and the second is all but impossible at first.
  model.chain =
      mobility::MarkovModel({0, 1, 3, 4}, {{0, 1.0}, {1, 1.0}, {2, 1e-200}, {2, 1.0}}, {1.0, 1e-150, 0.0});
  const PublicStream stream(std::move(model), PolicyGraph::complete(3),
                            {.epsilon = Rational(1), .mechanism = MechanismKind::k_norm});
  Tracker tracker = stream.tracker();
  random::Stream noise = random::SeededKey(1).stream("test");
  tracker.prepare();
  tracker.observe(tracker.mechanism().draw(0, noise));
  tracker.prepare();
  EXPECT_THAT(tracker.situation().states, ElementsAre(0, 1, 2));
}

TEST(Tracker, NoStateDropsOutByWhatIsAnswered) {
  // Nobody moves, and every answer speaks for the first state: by exp(-500) a step, a double holds less than two.
  mobility::StateModel model = grid_walk(3, 1);
  model.chain = mobility::MarkovModel({0, 1, 2, 3}, {{0, 1.0}, {1, 1.0}, {2, 1.0}}, {1.0, 0.0, 1e-300});
  const PublicStream stream(std::move(model), PolicyGraph::complete(3),
                            {.epsilon = Rational(500), .mechanism = MechanismKind::k_norm});
  Tracker tracker = stream.tracker();
  random::Stream noise = random::SeededKey(1).stream("test");
  for (int step = 0; step < 4; ++step) {
    tracker.prepare();
    ASSERT_THAT(tracker.situation().states, ElementsAre(0, 2)) << step;
    for (const double probability : tracker.situation().prior) EXPECT_GE(probability, 1e-250) << step;
    tracker.observe(tracker.mechanism().draw(0, noise));
    for (const double probability : tracker.posterior()) EXPECT_GT(probability, 0) << step;
  }
}

TEST(Tracker, AMechanismThatIsNotCertifiedIsNeverHandedOut) {
  // Noise for neighbours only, where any two states must look alike: as if a hull had been mixed up.
  const mobility::StateModel model = grid_walk(3, 3);
  const PolicyGraph complete = PolicyGraph::complete(9), neighbours = PolicyGraph::pairs(9, {{0, 1}, {0, 3}});
  const StreamSetting setting{.epsilon = Rational(1), .mechanism = MechanismKind::k_norm};
  const auto hulls = std::make_shared<const SensitivityHulls>(neighbours, LatticeQuery(model.space));
  Tracker tracker(model, complete, setting, hulls);
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      tracker.prepare();
      ADD_FAILURE() << "prepared in attempt " << attempt;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("step 1: the table of k-norm does not keep its promise"));
    }
  }
  EXPECT_THROW(tracker.observe({0, 0}), InvalidOption);
  EXPECT_EQ(tracker.step(), 0U);
  Tracker right(model, neighbours, setting, hulls);
  EXPECT_TRUE((right.prepare(), right.certificate().kept));
}

TEST(Tracker, RefusesSettingsThatMakeNoSense) {
  const auto model = grid_walk(3, 3);
  const PolicyGraph policy = PolicyGraph::complete(9);
  EXPECT_THROW(Tracker(model, policy, {}), InvalidOption);  // no epsilon
  EXPECT_THROW(Tracker(model, policy, {.epsilon = Rational(1), .delta = 1}), InvalidOption);
  EXPECT_THROW(Tracker(model, PolicyGraph::complete(8), {.epsilon = Rational(1)}), InvalidOption);
  EXPECT_THROW(Tracker(model, policy, {.epsilon = Rational(1), .repair = Repair::partners}), InvalidOption);
}

TEST(SavedState, RefusesWhatCannotBe) {
  const PublicStream stream = lattice(MechanismKind::k_norm, 2);
  Tracker tracker = stream.tracker();
  EXPECT_THROW(parse_saved("{}", "f", "h"), DataError);
  EXPECT_THROW(
      parse_saved(to_json({{.step = 1, .states = {0}, .probability = {1}}, false}, "h"), "f", "other"),
      DataError);
  EXPECT_THROW(tracker.restore({.step = 1, .states = {9}, .probability = {1}}), InvalidOption);
  EXPECT_THROW(tracker.restore({.step = 1, .states = {1, 0}, .probability = {0.5, 0.5}}), InvalidOption);
  EXPECT_THROW(tracker.restore({.step = 1, .states = {0}, .probability = {-1}}), InvalidOption);
  EXPECT_THROW(tracker.restore({.step = 1}), InvalidOption);
  EXPECT_THROW(tracker.restore({.step = 1, .states = {0, 2}, .probability = {0.5, 0.9}}), InvalidOption);
  EXPECT_NO_THROW(tracker.restore({.step = 1, .states = {0, 2}, .probability = {0.5, 0.5}}));
}

TEST(Tally, AddsUpWhatStepsLose) {
  const PublicStream stream = lattice(MechanismKind::k_norm, 3, Rational(1, 2));
  random::Stream noise = random::SeededKey(6).stream("test");
  Tally one, two;
  for (Tally* tally : {&one, &two}) {
    tally->begin_sequence();
    Tracker tracker = stream.tracker();
    for (int step = 0; step < (tally == &one ? 4 : 2); ++step) {
      tracker.prepare();
      tracker.observe(tracker.mechanism().draw(0, noise));
      tally->add(tracker, tracker.estimate());
    }
  }
  one.merge(two);
  const auto outcome = one.outcome({.epsilon = {1, 2}});
  EXPECT_EQ(outcome["sequences"], 2);
  EXPECT_EQ(outcome["steps"], 6);
  EXPECT_EQ(outcome["longest_sequence"], 4);
  EXPECT_EQ(outcome["epsilon_of_joined_sequences"].get<std::string>(), "2");
  EXPECT_NEAR(outcome["epsilon_of_any_two_sequences"].get<double>(), 2,
              1e-9);  // complete: any two are joined
  EXPECT_EQ(outcome["exposed_steps"], 0);
}

}  // namespace
}  // namespace fogline::stream::tracker_test
