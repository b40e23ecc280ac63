// SPDX-License-Identifier: Apache-2.0
#include "path/figures.hpp"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_figures.hpp"
#include "path/experiment.hpp"

namespace fogline::path::figures_test {
namespace {

using testing::HasSubstr;

TEST(PathFigures, AllComputeAndFitTheirViews) {
  EXPECT_EQ(testing_support::expect_figures_fit(figure_kinds(), {.quick = true}), 4U);
}

TEST(PathFigures, TakeThePapersSizes) {
  const std::vector<MapSize> sizes = paper_sizes();
  EXPECT_EQ(sizes.size(), 122U);
  EXPECT_EQ(sizes.front(), (MapSize{5, 4}));
  EXPECT_EQ(sizes.back(), (MapSize{10, 45}));
  const SampleRoute made = experiment_map({8, 13}, 3), again = experiment_map({8, 13}, 3);
  EXPECT_EQ(made.map.roads.edge_count(), 13U);
  EXPECT_EQ(made.route.size(), 8U);
  EXPECT_EQ(made.route, again.route);
  EXPECT_NE(made.map.roads, experiment_map({8, 13}, 4).map.roads);
}

TEST(PathFigures, FindLayersByBacktrackingWhereOrientationSaysSo) {
  const Figure figure = compute_figure(figure_kinds(), "path-fig8", {.quick = true});
  EXPECT_THAT(figure.result, HasSubstr("identical on every map"));
  for (const FigureRow& row : figure.rows) {
    const double n = row.values[0], roads = row.values[1];
    ASSERT_EQ(row.values[figure.column("usable")], row.values[figure.column("usable_by_orientation")]);
    if (roads <= n || roads == n * (n - 1) / 2) {
      EXPECT_EQ(row.values[figure.column("usable")], 1) << n << " vertices, " << roads << " roads";
    }
    if (roads == n - 1) {
      EXPECT_EQ(row.values[figure.column("good")], 0.5);  // nothing is ruled out: every stop is a root
    }
  }
}

TEST(PathFigures, AreTheSameWhateverTheThreads) {
  const Figure one = compute_figure(figure_kinds(), "path-fig10", {.quick = true, .threads = 1}),
               two = compute_figure(figure_kinds(), "path-fig10", {.quick = true, .threads = 2});
  EXPECT_EQ(to_csv(one), to_csv(two));
}

TEST(PathFigures, CountGoodOutputsAsThePaperDoes) {
  // 0 - 2 ruled out: 0 is a root and a leaf's parent, 1 is both, 2 a leaf.
  const PublishedLayers layers{.pieces = {{0, 0}, {1, 1}, {2, 2}}, .edges = {{0, 2}}};
  EXPECT_EQ(good_output(layers, {0, 1, 2}), 1);
  EXPECT_EQ(good_output(layers, {2, 1, 0}), 0);
  EXPECT_EQ(good_output({.pieces = {{0, 0}, {1, 1}, {2, 2}}, .edges = {}}, {2, 1, 0}), 0.5);
}

}  // namespace
}  // namespace fogline::path::figures_test
