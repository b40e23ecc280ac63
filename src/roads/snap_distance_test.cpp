// SPDX-License-Identifier: Apache-2.0
#include "roads/snap_distance.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace fogline::roads::snap_distance_test {
namespace {

TEST(SnapDistance, IsAQuarterOfARoadInTheMeanAndHalfAtMost) {
  const auto one = graph::Graph::from_edges(2, std::vector<graph::Edge>{{0, 1, 100'000}});
  EXPECT_DOUBLE_EQ(snap_distance(one).mean_m, 25);
  EXPECT_DOUBLE_EQ(snap_distance(one).largest_m, 50);
}

TEST(SnapDistance, WeighsRoadsByTheirLength) {
  // 100 m of 300 are 25 m from a vertex in the mean, 200 m are 50 m.
  const auto two = graph::Graph::from_edges(3, std::vector<graph::Edge>{{0, 1, 100'000}, {1, 2, 200'000}});
  EXPECT_DOUBLE_EQ(snap_distance(two).mean_m, (100 * 25.0 + 200 * 50.0) / 300);
  EXPECT_DOUBLE_EQ(snap_distance(two).largest_m, 100);
}

TEST(SnapDistance, IsNoneWhereThereAreNoRoads) {
  EXPECT_EQ(snap_distance(graph::Graph()).mean_m, 0);
}

}  // namespace
}  // namespace fogline::roads::snap_distance_test
