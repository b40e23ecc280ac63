// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "release/analyses/whole_releases.hpp"
#include "release/test_caller.hpp"
#include "traces/paper/figures.hpp"

namespace fogline::release::traces_figures_test {
namespace {

using traces::figure_kinds;

TestCaller caller;
const FigureOptions quick{.quick = true, .whole = whole_for_figures(caller)};

TEST(TraceFigures, AllComputeAndFitTheirViews) {
  std::set<std::string_view> names;
  for (const FigureKind& kind : figure_kinds()) {
    EXPECT_TRUE(names.insert(kind.name).second);
    const Figure figure = compute_figure(figure_kinds(), kind.name, quick);
    EXPECT_EQ(figure.name, kind.name);
    EXPECT_FALSE(figure.title.empty() || figure.data.empty() || figure.claim.empty() || figure.result.empty())
        << kind.name;
    EXPECT_FALSE(figure.rows.empty() || figure.views.empty()) << kind.name;
    for (const FigureRow& row : figure.rows) {
      ASSERT_EQ(row.values.size(), figure.columns.size());
    }
    for (const FigureView& view : figure.views) {
      EXPECT_NO_THROW(figure.column(view.x.column));
      EXPECT_NO_THROW(figure.column(view.y.column));
      EXPECT_TRUE(
          view.part.empty() ||
          std::ranges::any_of(figure.rows, [&](const FigureRow& row) { return row.part == view.part; }))
          << kind.name;
    }
  }
}

TEST(TraceFigures, ShowWhatReleasesWrite) {
  FigureOptions other = quick;
  other.whole = [](const WholeRequest& wanted) {
    return [draw = quick.whole(wanted)](const random::Key&) { return draw(random::SeededKey(99)); };
  };
  const Figure one = compute_figure(figure_kinds(), "traces-fig2", quick),
               two = compute_figure(figure_kinds(), "traces-fig2", other);
  ASSERT_EQ(one.rows.size(), two.rows.size());
  for (std::size_t i = 0; i < one.rows.size(); ++i)
    EXPECT_EQ(one.rows[i].values == two.rows[i].values, one.rows[i].series != "sound") << i;
}

double number_of(const Figure& figure, std::string_view name) {
  const auto found = std::ranges::find(figure.numbers, name, &NamedNumber::first);
  EXPECT_NE(found, figure.numbers.end()) << name;
  return found == figure.numbers.end() ? -1 : found->second;
}

TEST(TraceFigures, AutomaticPenaltiesKeepTheDiscClear) {
  const Figure figure = compute_figure(figure_kinds(), "traces-fig4", quick);
  EXPECT_GT(number_of(figure, "without penalties: points out of the box"), 0);
  EXPECT_EQ(number_of(figure, "automatic penalties: points in the disc"), 0);
  EXPECT_EQ(number_of(figure, "automatic penalties: points out of the box"), 0);
}

TEST(TraceFigures, TheDimensionOfTheTripsErrsLeast) {
  const Figure figure = compute_figure(figure_kinds(), "traces-fig3", quick);
  const double whole = number_of(figure, "D' = 20, epsilon 1"),
               half = number_of(figure, "D' = 10, epsilon 1");
  EXPECT_LT(whole, half);
}

}  // namespace
}  // namespace fogline::release::traces_figures_test
