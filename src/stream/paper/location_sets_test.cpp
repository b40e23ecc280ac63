// SPDX-License-Identifier: Apache-2.0
#include "stream/paper/location_sets.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stream/test_stream.hpp"

namespace fogline::stream::location_sets_test {
namespace {

using testing::ElementsAre;

std::string data_folder() {
  const char* data = std::getenv("FOGLINE_DATA");
  const char* source = std::getenv("FOGLINE_SOURCE");
  if (data != nullptr) return data;
  return source == nullptr ? "" : std::string(source) + "/../shared/data";
}

/// A walk through the middle of a grid, back and forth.
ExperimentStream on_a_grid() {
  ExperimentStream stream{.name = "a grid", .model = testing_stream::grid_walk(15, 15), .cell_m = 100};
  std::vector<StateId> walk;
  for (StateId i = 0; i < 12; ++i) walk.push_back(7 * 15 + 2 + (i < 6 ? i : 12 - i));
  stream.sequences = {walk, walk};
  return stream;
}

TEST(LocationSets, HoldTheLikelyStatesAndJoinThemAll) {
  const auto sets = real_location_sets(on_a_grid(), {.sets = 6, .least = 5, .most = 60});
  ASSERT_FALSE(sets.empty());
  EXPECT_LE(sets.size(), 6U);
  for (const Situation& set : sets) {
    EXPECT_GE(set.states.size(), 5U);
    EXPECT_LE(set.states.size(), 60U);
    EXPECT_NEAR(std::accumulate(set.prior.begin(), set.prior.end(), 0.0), 1, 1e-9);
    ASSERT_EQ(set.policy.groups.size(), 1U);
    EXPECT_EQ(set.policy.groups[0].size(), set.states.size());
  }
}

TEST(LocationSets, TheOptimalTableIsBelowTheFreeCentreAndBelowKNormThenBayes) {
  const auto sets = real_location_sets(on_a_grid(), {.sets = 1, .least = 10, .most = 60});
  ASSERT_EQ(sets.size(), 1U);
  const SetErrors errors = errors_on(sets[0], Rational(4), {.draws = 200});
  EXPECT_TRUE(errors.kept);
  EXPECT_LT(errors.optimal, errors.free);
  EXPECT_LT(errors.optimal, errors.bayes);
  EXPECT_LE(errors.estimate, errors.optimal * (1 + 1e-9));
  EXPECT_LE(errors.lower_bound, errors.optimal);
  EXPECT_GE(errors.lower_bound, 0.998 * errors.optimal);
  EXPECT_LT(errors.bayes, errors.raw);
}

TEST(ExperimentStream, PointsAreCutAtGapsAtStopsAndAtTheEdge) {
  io::PointTable points;
  points.has_time = true;
  const auto add = [&](std::uint32_t user, std::int64_t t, double lon, double lat) {
    points.user.push_back(user);
    points.t.push_back(t);
    points.lon.push_back(lon);
    points.lat.push_back(lat);
    points.line.push_back(points.line.size() + 1);
  };
  add(0, 120, 0.002, 0);  // out of order
  add(0, 0, 0.000, 0);
  add(0, 1000, 0.010, 0);  // a gap before
  add(0, 1060, 0.012, 0);
  add(0, 1120, 0.012, 0);  // stands still
  add(0, 1180, 0.014, 0);
  add(1, 1240, 0.016, 0);  // somebody else
  add(1, 1300, 9.000, 0);  // outside
  const io::PointTable cut = cut_into_sequences(points, {.west = -1,
                                                         .south = -1,
                                                         .east = 1,
                                                         .north = 1,
                                                         .largest_gap_s = 300,
                                                         .least_speed_m_s = 0.5,
                                                         .interval_s = 60});
  EXPECT_EQ(cut.traj_names.size(), 3U);
  EXPECT_THAT(cut.traj, ElementsAre(0, 0, 1, 2));
  EXPECT_THAT(cut.t, ElementsAre(0, 60, 1000, 1120));
  EXPECT_DOUBLE_EQ(cut.lon[1], 0.001);  // half way
}

TEST(ExperimentStream, CheckInsOfNewYorkGiveTwentySequences) {
  const std::string data = data_folder();
  if (!std::filesystem::exists(data + "/streams/gowalla_nyc_checkins.tsv.gz"))
    GTEST_SKIP() << "skipped: no real data at " << data;
  const ExperimentStream stream = experiment_stream(ExperimentCity::new_york, {.data = data}, {.steps = 60});
  EXPECT_EQ(stream.sequences.size(), 20U);
  EXPECT_EQ(stream.sequences.front().size(), 60U);
  EXPECT_GT(stream.model.chain.states(), 2000U);
}

}  // namespace
}  // namespace fogline::stream::location_sets_test
