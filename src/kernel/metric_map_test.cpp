// SPDX-License-Identifier: Apache-2.0
#include "kernel/metric_map.hpp"

#include <numeric>

#include <gtest/gtest.h>

namespace fogline::kernel::metric_map_test {
namespace {

/// A street of 40 inputs 10 apart, and one by itself at the end of a road of 30; epsilon is 0.1, so that a folding is 10.
struct Street {
  Street() {
    std::vector<graph::Edge> edges;
    for (std::uint32_t v = 1; v < 40; ++v) edges.push_back({v - 1, v, 10});
    edges.push_back({20, 40, 30});
    graph = graph::Graph::from_edges(41, edges);
    outputs.resize(41);
    std::iota(outputs.begin(), outputs.end(), 0U);
  }
  MetricMap map(const MetricOptions& options = {}) const {
    const Relation relation = Relation::metric(graph);
    return {{.relation = relation, .epsilon_per_unit = 0.1, .prior = prior, .outputs = outputs}, options};
  }
  graph::Graph graph;
  std::vector<double> prior = std::vector<double>(41, 1.0 / 41);
  std::vector<InputId> outputs;
};

TEST(MetricMap, FindsTheNearestOutput) {
  Street street;
  street.outputs = {0, 40};
  const MetricMap map = street.map();
  EXPECT_EQ(map.nearest_output(3), 30);
  EXPECT_EQ(map.nearest_output(18), 50);
  EXPECT_EQ(map.nearest_output(40), 0);
}

TEST(MetricMap, ReachesAsFarAsItIsTold) {
  const MetricMap map = Street().map({.reach = 4});
  for (InputId v = 0; v < map.inputs(); ++v) EXPECT_DOUBLE_EQ(map.least_outside(v), 40);
}

TEST(MetricMap, ReachesFartherForASmallerGap) {
  const Street street;
  EXPECT_GT(street.map({.gap = 1e-3}).least_outside(3), street.map({.gap = 1e-2}).least_outside(3) + 20);
}

TEST(MetricMap, KnowsTheWaysToWhatIsAround) {
  const MetricMap map = Street().map({.reach = 4});
  MetricMap::Search search(map);
  const InputId source = 20;
  double last = 0;
  bool has_end = false;
  for (const MetricMap::Reached& reached : map.around(std::span(&source, 1), search)) {
    EXPECT_GE(reached.length, last);
    last = reached.length;
    if (reached.input != 40) continue;
    has_end = true;
    EXPECT_EQ(reached.before, 20);
    EXPECT_EQ(reached.length, 30);
    EXPECT_EQ(reached.step, 30);
  }
  EXPECT_TRUE(has_end);
  EXPECT_EQ(last, 90);  // tails go on for 5 foldings
}

/// Only what is worth more than it costs outside is wanted in more blocks, and in no more than may be.
TEST(MetricMap, WidensForSingleInputs) {
  MetricMap map = Street().map();
  std::vector<double> worth(map.inputs(), 10);
  EXPECT_FALSE(map.widen(worth));
  const double before = map.least_outside(40);
  worth[40] = 1.5 * before;
  EXPECT_TRUE(map.widen(worth));
  EXPECT_GT(map.least_outside(40), worth[40]);
  EXPECT_EQ(map.least_outside(39), before);
  worth[40] = 1e9;
  EXPECT_TRUE(map.widen(worth));
  EXPECT_LE(map.least_outside(40), 3.001 * before);
  EXPECT_FALSE(map.widen(worth));
}

TEST(MetricMap, WidensForAllOnce) {
  MetricMap map = Street().map();
  const double before = map.least_outside(7);
  EXPECT_TRUE(map.widen_all());
  EXPECT_GT(map.least_outside(7), before);
  EXPECT_FALSE(map.widen_all());
}

}  // namespace
}  // namespace fogline::kernel::metric_map_test
