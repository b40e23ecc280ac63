// SPDX-License-Identifier: Apache-2.0
#include "audit/kinds/stream_audit.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "audit/specimens/planted_steps.hpp"
#include "base/error.hpp"
#include "stream/steps/k_norm.hpp"
#include "stream/steps/laplace.hpp"
#include "stream/test_stream.hpp"

namespace fogline::audit::stream_audit_test {
namespace {

using stream::MechanismKind;
using stream::PolicyGraph;
using stream::PublicStream;
using stream::Situation;
using stream::testing_stream::grid_walk;
using testing::HasSubstr;

const StreamAuditOptions quick{.walks = 1, .steps = 2, .samples = 4'000, .threads = 1};

PublicStream stream_of(MechanismKind mechanism, const Rational& epsilon = {1, 1}) {
  auto model = grid_walk(5, 4);
  PolicyGraph policy = PolicyGraph::transition(model.chain);
  return PublicStream(std::move(model), std::move(policy), {.epsilon = epsilon, .mechanism = mechanism});
}

/// Five states that must all look alike, as `make_k_norm` sees them.
Situation five_states(std::size_t dimension) {
  Situation situation{.states = {0, 1, 2, 3, 4}, .prior = {0.2, 0.2, 0.2, 0.2, 0.2}};
  situation.policy = {.states = 5, .groups = {{0, 1, 2, 3, 4}}};
  const std::vector<std::int64_t> values = {0, 0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 3, 1, 2};
  situation.points.dimension = dimension;
  situation.points.coordinates.assign(values.begin(),
                                      values.begin() + static_cast<std::ptrdiff_t>(5 * dimension));
  return situation;
}

double deviations(const stream::StepMechanism& mechanism, const Situation& situation,
                  const Rational& epsilon) {
  random::Stream noise = random::SeededKey(3).stream("fit");
  const auto drawn = count_step_draws(mechanism, situation, epsilon, 1, 20'000, noise);
  EXPECT_EQ(drawn.size(), 2U);
  const FitVerdict fit = judge_fit("step", drawn, 1e-7);
  EXPECT_TRUE(fit.fits) << fit.sentence;
  return fit.largest_deviations();
}

TEST(StepFit, KnowsWhatAllWeightsSumTo) {
  // In one to three dimensions, and at an epsilon so small that much lies beyond what is listed.
  for (const std::size_t dimension : {1U, 2U, 3U}) {
    const Situation situation = five_states(dimension);
    for (const Rational epsilon : {Rational(1, 5), Rational(3, 2)}) {
      EXPECT_LT(deviations(*stream::make_k_norm(situation, epsilon), situation, epsilon), 6) << dimension;
    }
  }
  const Situation situation = five_states(2);
  EXPECT_LT(deviations(*stream::make_laplace(situation, {1, 1}), situation, {1, 1}), 6);
}

TEST(StepFit, SeesAWrongSampler) {
  const Situation situation = five_states(2);
  for (const StepFault fault :
       {StepFault::boundary_by_length, StepFault::radius_one_short, StepFault::hull_too_small}) {
    const auto planted = make_planted_step(situation, {1, 1}, fault);
    random::Stream noise = random::SeededKey(4).stream("fit");
    const auto drawn = count_step_draws(*planted, situation, {1, 1}, 1, 20'000, noise);
    ASSERT_EQ(drawn.size(), 2U);
    EXPECT_FALSE(judge_fit("step", drawn, 1e-7).fits) << to_string(fault);
  }
}

TEST(StepFit, CopiesCoarsely) {
  Situation situation = five_states(2);
  for (std::int64_t& x : situation.points.coordinates) x *= 1000;
  const Situation copy = coarse_copy(situation, std::vector<std::uint32_t>{0, 2, 4}, 2);
  EXPECT_EQ(copy.policy.groups, (stream::GroupList{{0, 1, 2}}));
  EXPECT_EQ(copy.states, (std::vector<stream::StateId>{0, 2, 4}));
  EXPECT_EQ(copy.points, (geometry::LatticePoints{.dimension = 2, .coordinates = {0, 0, 2, 0, 2, 0}}));
}

class RightMechanism : public testing::TestWithParam<MechanismKind> {};

TEST_P(RightMechanism, Passes) {
  const StreamAudit audit = audit_stream(stream_of(GetParam()), quick);
  EXPECT_TRUE(audit.passed) << audit.sentence;
  EXPECT_TRUE(audit.certified);
  EXPECT_EQ(audit.steps, 2U);
  EXPECT_GE(audit.fitted.size(), 2U);
  EXPECT_GT(audit.answers, 20U);
  EXPECT_GT(audit.share_of_epsilon, 0.5);
  EXPECT_NEAR(audit.ratio_loss, audit.joined_loss, 1e-6);
  EXPECT_THAT(audit.sentence, HasSubstr("Certified at each of 2 steps"));
}

INSTANTIATE_TEST_SUITE_P(StreamAudit, RightMechanism,
                         testing::Values(MechanismKind::k_norm, MechanismKind::laplace,
                                         MechanismKind::optimal, MechanismKind::grouped));

/// Places along a street eight times as long as wide, of which any two must look alike: its long faces are near, its short ones far.
PublicStream street() {
  return PublicStream(stream::testing_stream::free_walk({{0, 0}, {8, 0}, {8, 1}, {0, 1}, {4, 0.5}}),
                      PolicyGraph::complete(5),
                      {.epsilon = {1, 2}, .mechanism = MechanismKind::k_norm, .lattice_step = 0.125});
}

class PlantedFault : public testing::TestWithParam<StepFault> {};

TEST_P(PlantedFault, IsCaught) {
  StreamAuditOptions options = quick;
  options.make = [](const Situation& situation, const Rational& epsilon) {
    return make_planted_step(situation, epsilon, GetParam());
  };
  const StreamAudit audit = audit_stream(street(), options);
  EXPECT_FALSE(audit.passed);
  EXPECT_TRUE(audit.certified) << "the fault is in the draws alone";
  const bool by_state = GetParam() == StepFault::noise_by_state;
  EXPECT_EQ(audit.same_noise, !by_state);
  if (!by_state) {
    EXPECT_FALSE(audit.fit.fits) << audit.sentence;
  }
  // Its right twin is not accused.
  options.make = [](const Situation& situation, const Rational& epsilon) {
    return stream::make_k_norm(situation, epsilon);
  };
  const StreamAudit right = audit_stream(street(), options);
  EXPECT_TRUE(right.passed) << right.sentence;
}

INSTANTIATE_TEST_SUITE_P(StreamAudit, PlantedFault,
                         testing::Values(StepFault::boundary_by_length, StepFault::radius_one_short,
                                         StepFault::hull_too_small, StepFault::noise_by_state));

TEST(StreamAudit, CatchesNoiseForAnotherEpsilon) {
  const PublicStream stream = stream_of(MechanismKind::k_norm);
  StreamAuditOptions options = quick;
  options.make = [](const Situation& situation, const Rational& epsilon) {
    return stream::make_k_norm(situation, epsilon * 2);
  };
  const StreamAudit audit = audit_stream(stream, options);
  EXPECT_FALSE(audit.passed);
  EXPECT_NEAR(audit.ratio_loss, 2, 1e-9);
  EXPECT_FALSE(audit.ratios_hold);
}

TEST(StreamAudit, RefusesOptionsOutOfRange) {
  const PublicStream stream = stream_of(MechanismKind::k_norm);
  EXPECT_THROW(audit_stream(stream, {.walks = 0}), InvalidOption);
  EXPECT_THROW(audit_stream(stream, {.steps = 0}), InvalidOption);
  EXPECT_THROW(audit_stream(stream, {.samples = 10}), InvalidOption);
  EXPECT_THROW(audit_stream(stream, {.false_alarm = 0.5}), InvalidOption);
}

}  // namespace
}  // namespace fogline::audit::stream_audit_test
