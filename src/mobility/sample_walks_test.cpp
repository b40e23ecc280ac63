// SPDX-License-Identifier: Apache-2.0
#include "mobility/sample_walks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "geometry/geodesic.hpp"
#include "io/test_text.hpp"
#include "roads/read_network.hpp"

namespace fogline::mobility::sample_walks_test {
namespace {

using testing::HasSubstr;

TEST(SampleWalks, NobodyRunsAndEverybodyMoves) {
  const auto town = roads::read_network("lattice:20x20:3000");
  const SampleWalks walks = make_sample_walks(town, {.walkers = 20, .steps = 50});
  EXPECT_EQ(walks.history.size(), 1000U);
  EXPECT_EQ(walks.history.traj_names.size(), 20U);
  ASSERT_EQ(walks.walker.size(), 50U);
  EXPECT_TRUE(walks.walker.traj.empty());
  double moved_m = 0;
  for (std::size_t i = 1; i < walks.history.size(); ++i) {
    if (walks.history.traj[i] != walks.history.traj[i - 1]) continue;
    EXPECT_EQ(walks.history.t[i] - walks.history.t[i - 1], 180);
    const double step_m = geometry::geodesic_m({walks.history.lon[i - 1], walks.history.lat[i - 1]},
                                               {walks.history.lon[i], walks.history.lat[i]});
    EXPECT_LE(step_m, 180 * 1.4 + 0.1);
    moved_m += step_m;
  }
  EXPECT_GT(moved_m / 980, 60) << "half of the time or more is spent walking";
}

TEST(SampleWalks, TheSameSeedGivesTheSameWalks) {
  const auto town = roads::read_network("lattice:8x8:1000");
  const SampleWalks once = make_sample_walks(town, {.walkers = 5, .steps = 30});
  const SampleWalks again = make_sample_walks(town, {.walkers = 2, .steps = 30});
  EXPECT_EQ(once.walker.lon, again.walker.lon);
  const SampleWalks other = make_sample_walks(town, {.seed = 2, .walkers = 2, .steps = 30});
  EXPECT_NE(once.walker.lon, other.walker.lon);
}

TEST(SampleWalks, RefusesWhatIsOutOfRange) {
  const auto town = roads::read_network("line:2:100");
  const auto refusal = [&](const SampleWalkOptions& options) {
    return io::testing_text::message_of<InvalidOption>([&] { make_sample_walks(town, options); });
  };
  EXPECT_THAT(refusal({.walkers = 0}), HasSubstr("walkers"));
  EXPECT_THAT(refusal({.steps = 1}), HasSubstr("steps"));
  EXPECT_THAT(refusal({.interval_s = 0}), HasSubstr("interval"));
  EXPECT_THAT(refusal({.places = 1}), HasSubstr("places"));
  EXPECT_EQ(make_sample_walks(town, {.walkers = 1, .steps = 5}).walker.size(), 5U) << "even a street will do";
}

}  // namespace
}  // namespace fogline::mobility::sample_walks_test
