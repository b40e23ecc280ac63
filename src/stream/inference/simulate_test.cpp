// SPDX-License-Identifier: Apache-2.0
#include "stream/inference/simulate.hpp"

#include <gtest/gtest.h>

#include "stream/test_stream.hpp"

namespace fogline::stream::simulate_test {
namespace {

PublicStream grid_stream(const Rational& epsilon) {
  mobility::StateModel model = testing_stream::grid_walk(4, 4);
  const std::size_t states = model.chain.states();
  return {std::move(model),
          PolicyGraph::complete(states),
          {.epsilon = epsilon, .mechanism = MechanismKind::k_norm}};
}

TEST(Forecast, ARealReleaseBeatsTheGuessThatCostsNothing) {
  const Forecast expected = forecast(grid_stream(Rational(10)));
  EXPECT_LT(expected.error, 0.5 * expected.unpaid_error);
  EXPECT_LE(expected.free_error, expected.unpaid_error);  // answers before help too
}

TEST(Forecast, AtAVanishingEpsilonThereIsNothingButTheGuess) {
  const Forecast expected = forecast(grid_stream(Rational(1, 10'000)));
  EXPECT_NEAR(expected.error, expected.unpaid_error, 1e-3 * expected.unpaid_error);
  EXPECT_GT(expected.error_of(Finish::raw), expected.unpaid_error);
  EXPECT_EQ(expected.error_of(Finish::smoothed), expected.error);
}

TEST(Forecast, AnEstimateNeverLosesToTheGuess) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Forecast expected = forecast(grid_stream(Rational(1, 2)), {.walks = 2, .steps = 10, .seed = seed});
    EXPECT_LE(expected.error, expected.unpaid_error * (1 + 1e-6)) << seed;  // by the precision of a median
    EXPECT_GT(expected.error, 0);
  }
}

TEST(Forecast, IsTheSameForEverybody) {
  EXPECT_EQ(forecast(grid_stream(Rational(1))).error, forecast(grid_stream(Rational(1))).error);
}

TEST(Forecast, GoesOnFromASavedState) {
  // In the corner cell for certain: the next state is one of three cells, and the first guess good.
  const Tracker::Saved corner{.step = 7, .states = {0}, .probability = {1}};
  const Forecast known =
      forecast(grid_stream(Rational(1, 10'000)), {.walks = 1, .steps = 1, .begin = corner});
  EXPECT_EQ(known.states, 3);
  EXPECT_LT(known.unpaid_error, 100);
  const Forecast anywhere = forecast(grid_stream(Rational(1, 10'000)), {.walks = 1, .steps = 1});
  EXPECT_EQ(anywhere.states, 16);
  EXPECT_GT(anywhere.unpaid_error, 100);
}

}  // namespace
}  // namespace fogline::stream::simulate_test
