// SPDX-License-Identifier: Apache-2.0
#include "traces/beliefs/beliefs.hpp"

#include <numeric>

#include <gtest/gtest.h>

#include "traces/test_town.hpp"

namespace fogline::traces::beliefs_test {
namespace {

double total_of(const std::vector<double>& table) {
  return std::accumulate(table.begin(), table.end(), 0.0);
}

TEST(Beliefs, SumToTheTripsAndHaveNothingBelowZero) {
  for (const std::uint64_t epsilon : {1U, 50U}) {
    const NoisyStatistics known = town_of_commuters(epsilon);
    const Beliefs b = believe(known);
    const auto is_whole = [&](const std::vector<double>& table, const char* name) {
      EXPECT_NEAR(total_of(table), known.trips, 1e-6 * known.trips) << name;
      for (const double x : table) EXPECT_GE(x, 0) << name;
    };
    is_whole(b.start_end.mean, "start-end");
    is_whole(b.starts.mean, "starts");
    is_whole(b.ends.mean, "ends");
    is_whole(b.fine_visits.mean, "fine visits");
    is_whole(b.lengths, "lengths");
    is_whole(b.diameters, "diameters");
    is_whole(b.shapes, "shapes");
    is_whole(b.strides, "strides");
    is_whole(b.turns, "turns");
    is_whole(b.hours, "hours");
    // Trips along the beaten track count for less than one.
    EXPECT_LE(total_of(b.visits.mean), known.trips * (1 + 1e-9));
    EXPECT_GE(total_of(b.visits.mean), known.trips / 10 * (1 - 1e-9));
  }
}

TEST(Beliefs, AgreeOnStartsOfCoarseCells) {
  const Beliefs b = believe(town_of_commuters(5));
  const std::size_t side = Layout::coarse, cells = side * side, fine = b.layout.fine;
  std::vector<double> by_pairs(cells), by_starts(cells);
  for (std::size_t i = 0; i < b.start_end.mean.size(); ++i) by_pairs[i / cells] += b.start_end.mean[i];
  for (std::size_t i = 0; i < b.starts.mean.size(); ++i)
    by_starts[i / fine / (fine / side) * side + i % fine / (fine / side)] += b.starts.mean[i];
  for (std::size_t c = 0; c < cells; ++c) EXPECT_NEAR(by_starts[c], by_pairs[c], 1e-6);
}

TEST(Beliefs, LeadNoMoreTripsFarThanAreSoWide) {
  const Beliefs b = believe(town_of_commuters(1));
  const std::size_t side = Layout::coarse, cells = side * side;
  const auto apart = [](std::size_t u, std::size_t v) { return u > v ? u - v : v - u; };
  double far = 0;
  for (std::size_t i = 0; i < b.start_end.mean.size(); ++i) {
    const std::size_t from = i / cells, to = i % cells;
    if (std::max(apart(from % side, to % side), apart(from / side, to / side)) >= 4)
      far += b.start_end.mean[i];
  }
  // Cells that are four apart have three of 2 km between them.
  const auto bin = Layout::square_bin(6'000, b.layout.diagonal_m(), Layout::diameter_bins);
  const double wide = std::accumulate(b.diameters.begin() + bin, b.diameters.end(), 0.0);
  EXPECT_LE(far, wide + 1e-6);
}

TEST(Favours, AreLargerWhereFewerAreExpected) {
  const NoisyStatistics known = town_of_commuters(50);
  const Favours favours = favours_of(known);
  ASSERT_EQ(favours.medium.size(), std::size_t{Layout::medium} * Layout::medium);
  ASSERT_EQ(favours.coarse.size(), std::size_t{Layout::coarse} * Layout::coarse);
  for (const std::uint32_t f : favours.medium) {
    EXPECT_GE(f, 1U);
    EXPECT_LE(f, 65'536U);
  }
  // Nobody goes to the east, everybody through the west.
  EXPECT_GT(favours.coarse[2 * 6 + 5], 8 * favours.coarse[2 * 6 + 1]);
}

}  // namespace
}  // namespace fogline::traces::beliefs_test
