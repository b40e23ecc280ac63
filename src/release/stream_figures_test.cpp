// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_figures.hpp"
#include "random/key.hpp"
#include "release/analyses/whole_releases.hpp"
#include "release/test_caller.hpp"
#include "stream/paper/figures.hpp"

namespace fogline::release::stream_figures_test {
namespace {

using stream::figure_kinds;
using testing::HasSubstr;

TestCaller caller;
const FigureOptions quick{.quick = true, .threads = 1, .whole = whole_for_figures(caller)};

TEST(StreamFigures, AreComputedOnGeneratedDataToo) {
  ASSERT_EQ(figure_kinds().size(), 5U);
  for (const char* name : {"stream-fig11", "stream-sets"}) {
    const Figure figure = compute_figure(figure_kinds(), name, quick);
    EXPECT_THAT(figure.data, HasSubstr("generated"));
    EXPECT_FALSE(figure.rows.empty());
    EXPECT_FALSE(figure.result.empty());
    for (const FigureRow& row : figure.rows) EXPECT_EQ(row.values.size(), figure.columns.size());
  }
}

TEST(StreamFigures, ShowWhatReleasesWrite) {
  const random::SeededKey key(99);
  const FigureOptions other = testing_support::with_key(quick, key);
  const Figure one = compute_figure(figure_kinds(), "stream-fig11", quick),
               two = compute_figure(figure_kinds(), "stream-fig11", other);
  ASSERT_EQ(one.rows.size(), two.rows.size());
  for (std::size_t i = 0; i < one.rows.size(); ++i)
    EXPECT_NE(one.rows[i].values, two.rows[i].values) << one.rows[i].series;
}

}  // namespace
}  // namespace fogline::release::stream_figures_test
