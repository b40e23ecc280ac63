// SPDX-License-Identifier: Apache-2.0
#include "weights/distances/heavy_paths.hpp"

#include <set>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::weights::heavy_paths_test {
namespace {

TEST(HeavyPaths, LeaveAPathAsItIs) {
  //  3 - 0 - 1 - 2, edges b a c
  const Topology path({.vertices = 4, .source = {0, 3, 2}, .target = {1, 0, 1}});
  const auto paths = heavy_paths(path);
  ASSERT_EQ(paths.size(), 1U);
  const std::vector<Topology::EdgeId> there{1, 0, 2}, back{2, 0, 1};
  EXPECT_TRUE(paths[0] == there || paths[0] == back);
}

TEST(HeavyPaths, HoldEveryEdgeOnceAndRunOnWithoutAGap) {
  // Two trees: a comb of 0 to 9 with teeth 10 to 19, and an edge.
  GraphShape comb{.vertices = 23};
  for (std::uint32_t v = 0; v < 10; ++v) {
    if (v > 0) {
      comb.source.push_back(v - 1);
      comb.target.push_back(v);
    }
    comb.source.push_back(v);
    comb.target.push_back(v + 10);
  }
  comb.source.push_back(20);
  comb.target.push_back(21);
  const Topology forest(comb);
  std::set<Topology::EdgeId> met;
  std::size_t longest = 0;
  for (const auto& path : heavy_paths(forest)) {
    longest = std::max(longest, path.size());
    for (std::size_t i = 0; i < path.size(); ++i) {
      EXPECT_TRUE(met.insert(path[i]).second);
      if (i == 0) continue;
      const std::set<std::uint32_t> ends{forest.source(path[i - 1]), forest.target(path[i - 1]),
                                         forest.source(path[i]), forest.target(path[i])};
      EXPECT_EQ(ends.size(), 3U);
    }
  }
  EXPECT_EQ(met.size(), forest.edge_count());
  EXPECT_EQ(longest, 11U);  // from the tip of one outer tooth to that of the other
}

TEST(HeavyPaths, RefuseCircles) {
  EXPECT_THROW(heavy_paths(Topology({.vertices = 2, .source = {0, 0}, .target = {1, 1}})), InvalidOption);
  EXPECT_THROW(heavy_paths(Topology({.vertices = 1, .source = {0}, .target = {0}})), InvalidOption);
  EXPECT_THROW(heavy_paths(Topology({.vertices = 2, .directed = true, .source = {0}, .target = {1}})),
               InvalidOption);
}

}  // namespace
}  // namespace fogline::weights::heavy_paths_test
