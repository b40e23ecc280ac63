// SPDX-License-Identifier: Apache-2.0
#include "graph/all_pairs.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::graph::all_pairs_test {
namespace {

Graph ring(VertexId count) {
  std::vector<Edge> edges;
  for (VertexId v = 0; v < count; ++v) edges.push_back({v, (v + 1) % count, 10});
  return Graph::from_edges(count, edges);
}

TEST(AllPairs, MeasuresTheShorterWayRoundARingWhateverTheThreads) {
  constexpr VertexId count = 201;
  for (const int threads : {1, 2, 5}) {
    const DistanceTable table = all_pairs(ring(count), {.threads = threads});
    ASSERT_EQ(table.vertex_count(), count);
    for (VertexId a = 0; a < count; ++a) {
      for (VertexId b = 0; b < count; ++b) {
        const VertexId steps = a > b ? a - b : b - a;
        ASSERT_EQ(table.at(a, b), 10 * std::min(steps, count - steps));
      }
    }
  }
}

TEST(AllPairs, SaysUnreachableAndTakesAnEmptyGraph) {
  EXPECT_EQ(all_pairs(Graph()).vertex_count(), 0U);
  EXPECT_THAT(all_pairs(Graph::from_edges(2, {})).row(1), testing::ElementsAre(unreachable, 0));
}

TEST(AllPairs, RefusesWhatWouldNotFit) {
  EXPECT_THROW(all_pairs(Graph::from_edges(20'001, {})), InvalidOption);
  EXPECT_THROW(all_pairs(ring(5), {.max_vertices = 4}), InvalidOption);
  EXPECT_THROW(all_pairs(ring(5), {.max_vertices = 0}), InvalidOption);
}

TEST(AllPairs, StopsWhenTheWatcherSaysSo) {
  const AllPairsOptions options{.progress = [](const ProgressUpdate&) { return false; }};
  EXPECT_THROW(all_pairs(ring(100), options), Cancelled);
}

}  // namespace
}  // namespace fogline::graph::all_pairs_test
