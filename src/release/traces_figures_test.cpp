// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "base/test_figures.hpp"
#include "random/key.hpp"
#include "release/analyses/whole_releases.hpp"
#include "release/test_caller.hpp"
#include "traces/paper/figures.hpp"

namespace fogline::release::traces_figures_test {
namespace {

using traces::figure_kinds;

TestCaller caller;
const FigureOptions quick{.quick = true, .whole = whole_for_figures(caller)};

TEST(TraceFigures, AllComputeAndFitTheirViews) {
  testing_support::expect_figures_fit(figure_kinds(), quick);
}

TEST(TraceFigures, ShowWhatReleasesWrite) {
  const random::SeededKey key(99);
  const FigureOptions other = testing_support::with_key(quick, key);
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
