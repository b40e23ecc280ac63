// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/test_figures.hpp"
#include "base/testing.hpp"
#include "release/analyses/whole_releases.hpp"
#include "release/test_caller.hpp"
#include "weights/paper/figures.hpp"
#include "weights/paper/figures_paper.hpp"

namespace fogline::release::weights_figures_test {
namespace {

using testing::HasSubstr;
using weights::figure_kinds;

TestCaller caller;
const FigureOptions quick{.quick = true, .whole = whole_for_figures(caller)};

TEST(WeightFigures, AllComputeAndFitTheirViews) {
  EXPECT_EQ(testing_support::expect_figures_fit(figure_kinds(), quick), 19U);
}

TEST(WeightFigures, GeneratedGraphsAreNamed) {
  EXPECT_THAT(compute_figure(figure_kinds(), "weights-fig10", quick).data,
              HasSubstr("in the place of CA-GrQc"));
  EXPECT_THAT(compute_figure(figure_kinds(), "weights-milano", quick).data,
              HasSubstr("in the place of Milano"));
}

TEST(WeightFigures, PaperGraphs) {
  const weights::FigureGraph first = paper_graph(weights::DataSet::ba1, {});
  EXPECT_EQ(first.shape.edges(), 4967U);
  EXPECT_EQ(first.weights.size(), 4967U);
  EXPECT_EQ(*std::max_element(first.weights.begin(), first.weights.end()), 600);
  EXPECT_EQ(paper_graph(weights::DataSet::ba2, {}).shape.edges(), 9966U);
}

TEST(WeightFigures, RealGraph) {
  const std::string file = testing_support::real_data("graphs/CA-GrQc.txt");
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "skipped: no real data at " << file;
  const std::string folder = testing_support::real_data("");
  EXPECT_EQ(paper_graph(weights::DataSet::ca_grqc, {.data = folder}).shape.edges(), 14484U);
}

TEST(WeightFigures, BlocksLieBelowTheClampedForm) {
  const Figure figure = compute_figure(figure_kinds(), "weights-fig2", quick);
  const auto blocks = figure.values("blocks", "ware", "kept in the range"),
             clamped = figure.values("Lap clamped", "ware", "kept in the range");
  ASSERT_EQ(blocks.size(), 3U);
  for (std::size_t i = 0; i < blocks.size(); ++i) EXPECT_LT(blocks[i], clamped[i]);
}

/// By releases that hid nothing, every line would err by nothing but those that no release draws.
TEST(WeightFigures, ShowWhatReleasesWrite) {
  FigureOptions open = quick;
  open.whole = [](const WholeRequest& wanted) {
    const ColumnSet& records = wanted.records;
    std::string text = "source,target,weight\n";
    for (std::size_t e = 0; e < records.records(); ++e)
      text += fmt::format("{},{},{}\n", records.texts("source")[e], records.texts("target")[e],
                          records.numbers("weight")[e]);
    return [text](const random::Key&) { return text; };
  };
  for (const char* name : {"weights-fig2", "weights-fig3", "weights-openflights", "weights-airports"}) {
    const Figure figure = compute_figure(figure_kinds(), name, open);
    for (const FigureRow& row : figure.rows) {
      const bool is_released = row.series != "best constant" && !row.series.ends_with("clamped");
      EXPECT_EQ(row.values[figure.column("ware")] == 0, is_released) << name << ", " << row.series;
    }
  }
}

TEST(WeightFigures, CanBeCancelled) {
  FigureOptions stopped = quick;
  stopped.progress = [](const ProgressUpdate&) { return false; };
  EXPECT_THROW(compute_figure(figure_kinds(), "weights-fig4", stopped), Cancelled);
}

}  // namespace
}  // namespace fogline::release::weights_figures_test
