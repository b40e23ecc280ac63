// SPDX-License-Identifier: Apache-2.0
#include "traces/counts/layout.hpp"

#include <gtest/gtest.h>

namespace fogline::traces::layout_test {
namespace {

LayoutOptions town(double trips, double epsilon) {
  return {.width_m = 3e3, .height_m = 4e3, .max_length_m = 5e4, .trips = trips, .epsilon = epsilon};
}

TEST(Layout, PutsEveryValueBetweenTheEdgesOfItsBin) {
  for (std::uint32_t bin = 0; bin < Layout::step_bins; ++bin)
    EXPECT_EQ(Layout::step_bin(1.01 * Layout::step_edge(bin)), bin);
  for (std::uint32_t bin = 0; bin < Layout::stride_bins; ++bin)
    EXPECT_EQ(Layout::stride_bin(1.01 * Layout::stride_edge(bin)), bin);
  for (std::uint32_t bin = 0; bin < Layout::speed_bins; ++bin)
    EXPECT_EQ(Layout::speed_bin(1.01 * Layout::speed_edge(bin)), bin);
  for (std::uint32_t bin = 0; bin < 48; ++bin)
    EXPECT_EQ(Layout::square_bin(1.001 * Layout::square_edge(bin, 900, 48) + 1e-6, 900, 48), bin);
  EXPECT_EQ(Layout::step_edge(4), 32);
  EXPECT_EQ(Layout::stride_edge(24), 1);
  EXPECT_EQ(Layout::speed_edge(22), 8);
}

TEST(Layout, CountsWhatLiesOutsideInTheOutermostBins) {
  EXPECT_EQ(Layout::step_bin(0), 0U);
  EXPECT_EQ(Layout::step_bin(1e9), Layout::step_bins - 1);
  EXPECT_EQ(Layout::speed_bin(0), 0U);
  EXPECT_EQ(Layout::speed_bin(1e9), Layout::speed_bins - 1);
  EXPECT_EQ(Layout::reach_bin(1), 0U);
  EXPECT_EQ(Layout::reach_bin(7), 5U);  // six or seven cells
  EXPECT_EQ(Layout::reach_bin(1'000), Layout::reach_bins - 1);
  EXPECT_EQ(Layout::crossing_bin(0), 0U);
  EXPECT_EQ(Layout::crossing_bin(1'000), Layout::crossing_bins - 1);
  const Layout layout = make_layout(town(100, 1));
  EXPECT_EQ(layout.shape_bin(0, 0, 0), 0U);
  EXPECT_EQ(layout.shape_bin(1e9, 1e12, 1e9), layout.bins_of(Statistic::shapes) - 1);
}

TEST(Layout, TellsTheMoreTheMoreTripsThereAre) {
  EXPECT_EQ(telling(-5), 0);
  EXPECT_EQ(telling(1'400), 0);
  EXPECT_NEAR(telling(1'400 * std::sqrt(10.0)), 0.5, 1e-12);
  EXPECT_EQ(telling(14'000), 1);
  EXPECT_EQ(telling(1e9), 1);
}

TEST(Layout, AsksWhatHasManyCellsOnlyWhereItCanBeTold) {
  const Layout few = make_layout(town(500, 1)), many = make_layout(town(50'000, 1));
  for (const Statistic s : {Statistic::strings, Statistic::coarse_visits}) {
    EXPECT_EQ(few.share_of(s), 0U) << to_string(s);
    EXPECT_GT(many.share_of(s), 0U) << to_string(s);
  }
  // Only their product counts.
  EXPECT_EQ(make_layout(town(5'000, 0.1)).share_of(Statistic::triples), few.share_of(Statistic::triples));
}

TEST(Layout, HasAFineGridThatNestsInTheOthers) {
  for (const double trips : {0.0, 1e3, 1e5, 1e6, 1e8}) {
    const std::uint32_t fine = make_layout(town(trips, 1)).fine;
    EXPECT_EQ(fine % Layout::coarse, 0U);
    EXPECT_EQ(fine % Layout::medium, 0U);
    EXPECT_LE(fine, Layout::finest);
  }
  // Eight trips a cell: 90 x 90 cells from 64,800 trips on.
  EXPECT_EQ(make_layout(town(64'799, 1)).fine, 60U);
  EXPECT_EQ(make_layout(town(64'800, 1)).fine, 90U);
}

}  // namespace
}  // namespace fogline::traces::layout_test
