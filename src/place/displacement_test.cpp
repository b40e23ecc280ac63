// SPDX-License-Identifier: Apache-2.0
#include "place/displacement.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "roads/read_network.hpp"

namespace fogline::place::displacement_test {
namespace {

TEST(Displacement, SummarisesByRank) {
  const Displacement four = summarise({40, 10, 30, 20});
  EXPECT_DOUBLE_EQ(four.mean_m, 25);
  EXPECT_DOUBLE_EQ(four.median_m, 20);
  EXPECT_DOUBLE_EQ(four.p95_m, 40);
  std::vector<double> hundred;
  for (int i = 1; i <= 100; ++i) hundred.push_back(i);
  EXPECT_DOUBLE_EQ(summarise(hundred).median_m, 50);
  EXPECT_DOUBLE_EQ(summarise(hundred).p95_m, 95);
  EXPECT_DOUBLE_EQ(summarise({7}).p95_m, 7);
  EXPECT_THROW(summarise({}), InvalidOption);
}

TEST(Displacement, ComparesAReleaseWithItsOriginal) {
  const roads::RoadNetwork map = roads::read_network("line:5:400");
  io::PointTable points;
  for (const graph::VertexId v : {0U, 0U, 4U}) {
    points.lon.push_back(map.position[v].lon);
    points.lat.push_back(map.position[v].lat);
  }
  const std::vector<graph::VertexId> truth{0, 0, 4}, released{0, 2, 1};
  const ReleaseDisplacement moved = displacement(points, truth, released, map, {.threads = 2});
  EXPECT_EQ(moved.records, 3U);
  ASSERT_TRUE(moved.road);
  EXPECT_DOUBLE_EQ(moved.road->mean_m, 500.0 / 3);
  EXPECT_DOUBLE_EQ(moved.road->median_m, 200);
  EXPECT_DOUBLE_EQ(moved.road->p95_m, 300);
  EXPECT_NEAR(moved.straight.mean_m, 500.0 / 3, 0.01);
  const std::vector<graph::VertexId> two{0, 2};
  EXPECT_THROW(displacement(points, truth, two, map), InvalidOption);

  std::vector<geometry::LonLat> at;
  for (const graph::VertexId vertex : released) at.push_back(map.position[vertex]);
  const ReleaseDisplacement on_plane = displacement(points, at);
  EXPECT_FALSE(on_plane.road);
  EXPECT_EQ(on_plane.straight.mean_m, moved.straight.mean_m);
  at.pop_back();
  EXPECT_THROW(displacement(points, at), InvalidOption);
}

}  // namespace
}  // namespace fogline::place::displacement_test
