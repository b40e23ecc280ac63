// SPDX-License-Identifier: Apache-2.0
#include "roads/snap.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "roads/read_network.hpp"

namespace fogline::roads::snap_test {
namespace {

TEST(Snapper, FindsTheNearestVertexAndHowFarItIs) {
  // 0 -- 1 -- 2 -- 3, 100 m apart.
  const RoadNetwork line = read_network("line:4:300", {});
  const Snapper snapper(line);
  const auto& at = line.position;
  const std::vector<geometry::LonLat> asked{
      at[2], {(3 * at[1].lon + at[2].lon) / 4, at[1].lat}, {at[3].lon + 1, at[3].lat}};
  const auto matches = snapper.snap(asked);
  ASSERT_EQ(matches.size(), 3U);
  EXPECT_EQ(matches[0].vertex, 2U);
  EXPECT_NEAR(matches[0].distance_m, 0, 1e-3);
  EXPECT_EQ(matches[1].vertex, 1U);
  EXPECT_NEAR(matches[1].distance_m, 25, 0.1);
  EXPECT_EQ(matches[2].vertex, 3U);
  EXPECT_NEAR(matches[2].distance_m, 111'300, 300);
}

TEST(Snapper, IsTheSameWhateverTheThreads) {
  const RoadNetwork lattice = read_network("lattice:9x9:800", {});
  const Snapper snapper(lattice);
  std::vector<geometry::LonLat> asked(lattice.position.begin(), lattice.position.end());
  const auto alone = snapper.snap(asked, {.threads = 1});
  const auto together = snapper.snap(asked, {.threads = 3});
  for (std::size_t i = 0; i < asked.size(); ++i) {
    EXPECT_EQ(alone[i].vertex, i);
    EXPECT_EQ(together[i].vertex, alone[i].vertex);
  }
}

}  // namespace
}  // namespace fogline::roads::snap_test
