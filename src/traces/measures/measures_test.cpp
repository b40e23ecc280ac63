// SPDX-License-Identifier: Apache-2.0
#include "traces/measures/measures.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "random/key.hpp"
#include "traces/frame/trip_shape.hpp"
#include "traces/measures/discs.hpp"
#include "traces/measures/divergence.hpp"
#include "traces/measures/key_counts.hpp"
#include "traces/measures/next_cell.hpp"

namespace fogline::traces::measures_test {
namespace {

using Counts = std::vector<std::uint64_t>;

TripSet set_of_trips(const std::vector<std::vector<PlanePoint>>& trips) {
  TripSet set;
  for (const auto& trip : trips) {
    set.point.insert(set.point.end(), trip.begin(), trip.end());
    set.end_trip();
  }
  return set;
}

/// Wanderings of 2 to 40 points in a box of 6 km.
TripSet wandering_trips(std::uint64_t seed, std::size_t trips) {
  random::Stream stream = random::SeededKey(seed).stream("wandering");
  TripSet set;
  for (std::size_t i = 0; i < trips; ++i) {
    double x = static_cast<double>(stream.below(6000)), y = static_cast<double>(stream.below(6000));
    for (std::uint64_t n = 2 + stream.below(39); n > 0; --n) {
      set.point.push_back({static_cast<float>(x), static_cast<float>(y)});
      x = std::clamp(x + static_cast<double>(stream.below(401)) - 200, 0.0, 6000.0);
      y = std::clamp(y + static_cast<double>(stream.below(401)) - 200, 0.0, 6000.0);
    }
    set.end_trip();
  }
  return set;
}

TEST(Divergence, MatchesValuesByHand) {
  EXPECT_DOUBLE_EQ(jensen_shannon(Counts{1, 0}, Counts{0, 5}), std::numbers::ln2);
  EXPECT_EQ(jensen_shannon(Counts{2, 4, 6}, Counts{1, 2, 3}), 0);
  // P = (1/2, 1/2), Q = (1, 0): M = (3/4, 1/4); JSD = (ln(2/3) + ln 2) / 4 + ln(4/3) / 2.
  const double by_hand = (std::log(2.0 / 3) + std::log(2.0)) / 4 + std::log(4.0 / 3) / 2;
  EXPECT_NEAR(jensen_shannon(Counts{3, 3}, Counts{7, 0}), by_hand, 1e-15);
  EXPECT_EQ(jensen_shannon(Counts{0, 0}, Counts{0, 0}), 0);
  EXPECT_EQ(jensen_shannon(Counts{0, 0}, Counts{0, 1}), std::numbers::ln2);
}

TEST(Divergence, SparseTablesGiveWhatDenseOnesGive) {
  EXPECT_TRUE(rc::check([](const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
    Counts dense_a(256), dense_b(256);
    KeyCounts sparse_a, sparse_b;
    for (const std::uint8_t key : a) {
      ++dense_a[key];
      sparse_a.add(key);
    }
    for (const std::uint8_t key : b) {
      ++dense_b[key];
      sparse_b.add(key);
    }
    RC_ASSERT(jensen_shannon(dense_a, dense_b) == jensen_shannon(sparse_a.sorted(), sparse_b.sorted()));
    RC_ASSERT(std::abs(jensen_shannon(dense_a, dense_b) - jensen_shannon(dense_b, dense_a)) < 1e-14);
  }));
}

TEST(Divergence, KendallCountsPairsAndTies) {
  EXPECT_EQ(kendall_tau_b(Counts{1, 2, 3}, Counts{10, 20, 30}), 1);
  EXPECT_EQ(kendall_tau_b(Counts{1, 2, 3}, Counts{3, 2, 1}), -1);
  // Six pairs, one tied in the second: 5 agree, none disagrees.
  EXPECT_NEAR(kendall_tau_b(Counts{1, 2, 3, 4}, Counts{1, 1, 2, 3}), 5 / std::sqrt(6 * 5.0), 1e-15);
  EXPECT_EQ(kendall_tau_b(Counts{2, 2}, Counts{3, 3}), 1);
  EXPECT_EQ(kendall_tau_b(Counts{2, 2}, Counts{3, 4}), 0);
}

TEST(Divergence, BinsCoverTheTrueRangeAndClampTheRest) {
  const std::vector<double> values = {-5, 0, 0.9, 1, 3.999, 4, 100};
  EXPECT_EQ(histogram(values, 0, 4, 4), (Counts{3, 1, 0, 3}));
  EXPECT_EQ(histogram(values, 3, 3, 2), (Counts{4, 3}));
  const std::vector<double> same = {7, 7, 7};
  EXPECT_EQ(jensen_shannon_over_range(same, same, 20), 0);
}

TEST(KeyCounts, FindsTheMostFrequentAndBreaksTiesByKey) {
  KeyCounts counts;
  for (std::uint64_t key = 0; key < 1000; ++key) counts.add(key * key, 1 + key % 10);
  EXPECT_EQ(counts.size(), 1000U);
  counts.add(5, 20);
  const auto most = counts.most(3);
  EXPECT_EQ(most, (std::vector<KeyCounts::Entry>{{5, 20}, {81, 10}, {361, 10}}));
  KeyCounts twice = counts;
  twice.add(counts);
  EXPECT_EQ(twice.sorted()[3].count, 2 * counts.sorted()[3].count);
}

TEST(Divergence, F1ComparesKeysAlone) {
  const std::vector<KeyCounts::Entry> a = {{1, 5}, {2, 5}, {3, 1}},
                                      b = {{2, 9}, {3, 9}, {7, 1}, {8, 1}, {9, 1}};
  EXPECT_DOUBLE_EQ(f1_of_keys(a, b), 2 * 2.0 / 8);
  EXPECT_EQ(f1_of_keys({}, {}), 1);
  EXPECT_EQ(f1_of_keys(a, {}), 0);
}

TEST(TripShape, LengthDiameterAndTurns) {
  const std::vector<PlanePoint> square = {{0, 0}, {3, 0}, {3, 4}, {0, 4}};
  EXPECT_EQ(length_m(square), 10);
  EXPECT_EQ(diameter_m(square), 5);
  EXPECT_EQ(turn_degrees({0, 0}, {1, 0}, {2, 0}), 0);
  EXPECT_DOUBLE_EQ(turn_degrees({0, 0}, {1, 0}, {1, -1}), 90);
  EXPECT_DOUBLE_EQ(turn_degrees({0, 0}, {1, 0}, {0, 0}), 180);
  EXPECT_EQ(turn_degrees({0, 0}, {0, 0}, {1, 0}), -1);
}

TEST(TripShape, DiameterOfManyPointsIsThatOfAllPairs) {
  EXPECT_TRUE(rc::check([](const std::vector<std::pair<std::int8_t, std::int8_t>>& coordinates) {
    std::vector<PlanePoint> few;
    for (const auto& [x, y] : coordinates) few.push_back({static_cast<float>(x), static_cast<float>(y)});
    if (few.empty()) few.push_back({1, 2});
    std::vector<PlanePoint> many;
    while (many.size() <= 40) many.insert(many.end(), few.begin(), few.end());
    double largest = 0;
    for (const PlanePoint& a : few)
      for (const PlanePoint& b : few) largest = std::max(largest, distance_m(a, b));
    RC_ASSERT(diameter_m(many) == largest);
  }));
}

TEST(DiscIndex, AnswersAsThePlainLoopDoes) {
  random::Stream stream = random::SeededKey(3).stream("discs");
  std::vector<Disc> discs;
  for (int i = 0; i < 150; ++i)
    discs.push_back({static_cast<double>(stream.below(6000)), static_cast<double>(stream.below(6000)),
                     static_cast<double>(1 + stream.below(3000))});
  // A box smaller than the trips: points beyond it must count as well.
  const DiscIndex index(discs, {500, 700, 4000, 5000, 1, 1});
  const TripSet trips = wandering_trips(4, 200);
  std::vector<std::uint64_t> touched(index.words()), counts(discs.size()), plain(discs.size());
  for (std::size_t i = 0; i < trips.size(); ++i) {
    index.touch(trips.trip(i), touched);
    index.count(touched, counts);
    for (std::size_t d = 0; d < discs.size(); ++d) {
      const auto trip = trips.trip(i);
      plain[d] += std::any_of(trip.begin(), trip.end(), [&](const PlanePoint& p) {
        return std::pow(p.x - discs[d].x_m, 2) + std::pow(p.y - discs[d].y_m, 2) <=
               std::pow(discs[d].radius_m, 2);
      });
    }
  }
  EXPECT_EQ(counts, plain);
}

TEST(NextCell, PredictsFromTheMoveBeforeAndBacksOff) {
  const CellGrid grid({0, 0, 300, 300, 3, 3});
  //  6 7 8
  //  3 4 5
  //  0 1 2
  NextCellCounts model(grid), asked(grid);
  for (const auto& walk : std::vector<std::vector<std::uint32_t>>{{3, 4, 5}, {1, 4, 7}, {0, 4, 7}})
    model.add(walk);
  asked.add(std::vector<std::uint32_t>{3, 4, 5});  // 3 to 4 by first order; then east after an eastward move
  EXPECT_DOUBLE_EQ(model.share_predicted(asked), 1);
  asked.add(std::vector<std::uint32_t>{
      8, 4, 7});  // nothing is known of 8; after an unseen move 4 goes north most often
  EXPECT_DOUBLE_EQ(model.share_predicted(asked), 3.0 / 4);
  asked.add(std::vector<std::uint32_t>{4, 5});  // begins at 4: north is guessed
  EXPECT_DOUBLE_EQ(model.share_predicted(asked), 3.0 / 5);
  EXPECT_EQ(model.share_predicted(NextCellCounts(grid)), 0);
}

// Cells of 6 x 6 are 100 m wide. The second synthetic trip comes down the west side and turns east:
//   2
//   2
//   2 2 2
//
//
//   1 1 1 1 1 1
TEST(TraceMeasures, OfATwoTripWorldByHand) {
  const TripSet truth = set_of_trips({{{50, 50}, {550, 50}}, {{50, 50}, {550, 50}}});
  const TripSet synthetic = set_of_trips({{{50, 50}, {550, 50}}, {{50, 550}, {50, 350}, {250, 350}}});
  const MeasureBox box{0, 0, 600, 600};
  const TraceMeasures m = measure(truth, synthetic, box, {.queries = 50, .seed = 7});
  const double half = (std::log(2.0 / 3) + std::log(2.0)) / 4 + std::log(4.0 / 3) / 2;
  EXPECT_NEAR(m.trip, half, 1e-15);  // one trip of two starts and ends where all true ones do
  EXPECT_NEAR(m.trip_fine, half, 1e-15);
  EXPECT_NEAR(m.starts_fine, half, 1e-15);
  EXPECT_NEAR(m.paper_trip, half, 1e-15);
  EXPECT_NEAR(m.paper_length, half, 1e-15);  // 500 and 500; 500 and 400
  EXPECT_EQ(m.length, 0);                    // the true range has no width: all up to it is one bin
  EXPECT_EQ(m.diameter, 0);
  // True strings: of 6 cells in a row 5 + 4 + 3 + 2 + 1; the synthetic adds 4 + 3 + 2 + 1 of its 5 cells.
  EXPECT_NEAR(m.f1, 2 * 15.0 / (15 + 25), 1e-15);
  EXPECT_EQ(m.median_turn_true, 0);  // no inner points
  EXPECT_EQ(m.median_turn_synthetic, 90);
  EXPECT_NEAR(m.median_spacing_true, 500, 1);
  EXPECT_NEAR(m.median_spacing_synthetic, 200, 0.5);
  EXPECT_EQ(m.next_cell_real, 1);
  EXPECT_EQ(m.next_cell_synthetic, 1);
  EXPECT_FALSE(m.time_of_day);
}

TEST(TraceMeasures, QueriesCountTripsByTheirPoints) {
  const TripSet truth = set_of_trips({{{0, 0}, {600, 600}}, {{0, 0}, {0, 1}}});
  const TripSet synthetic = set_of_trips({{{0, 0}, {0, 1}}});
  const TraceMeasures m =
      measure(truth, synthetic, {299, 299, 1, 1}, {.queries = 10, .seed = 1, .query_share = 1});
  EXPECT_EQ(m.query, 0);  // the first trip passes, but no point of it lies within a metre
  const TraceMeasures all =
      measure(truth, synthetic, {0, 0, 1000, 1}, {.queries = 40, .seed = 1, .query_share = 1});
  EXPECT_EQ(all.query, 0.5);  // every disc holds the corner: 2 true trips, 1 synthetic, and no scaling
}

TEST(TraceMeasures, OfASetAgainstItselfArePerfect) {
  TripSet set = wandering_trips(1, 300);
  for (std::size_t i = 0; i < set.point.size(); ++i) set.t.push_back(static_cast<std::int64_t>(60 * i));
  const TraceMeasures m = measure(set, set, box_of(set), {.queries = 100, .seed = 2});
  EXPECT_EQ(m.kendall, 1);
  EXPECT_EQ(m.f1, 1);
  for (const double error :
       {m.query, m.query_sixth, m.query_twelfth, m.trip, m.trip_fine, m.diameter, m.length, m.density,
        m.density_fine, m.starts_fine, m.ends_fine, m.transitions_fine, m.turns, m.spacing, m.paper_length,
        m.paper_density, m.paper_trip, *m.time_of_day, *m.duration})
    EXPECT_EQ(error, 0);
  EXPECT_EQ(m.median_turn_true, m.median_turn_synthetic);
  EXPECT_GE(m.next_cell_synthetic, m.next_cell_real);  // it has seen the trips it is tested on
}

TEST(TraceMeasures, DoNotDependOnThreadsAndFollowTheSeed) {
  const TripSet a = wandering_trips(5, 1500), b = wandering_trips(6, 1400);
  const TraceMeasures one = measure(a, b, box_of(a), {.seed = 3, .parallel = {.threads = 1}});
  const TraceMeasures four = measure(a, b, box_of(a), {.seed = 3, .parallel = {.threads = 4}});
  EXPECT_EQ(one.query, four.query);
  EXPECT_EQ(one.f1, four.f1);
  EXPECT_EQ(one.paper_density, four.paper_density);
  EXPECT_EQ(one.transitions_fine, four.transitions_fine);
  EXPECT_EQ(one.next_cell_synthetic, four.next_cell_synthetic);
  EXPECT_GT(one.query, 0);
  EXPECT_NE(one.query, measure(a, b, box_of(a), {.seed = 4}).query);
}

TEST(TraceMeasures, OfTimes) {
  TripSet truth = set_of_trips({{{0, 0}, {9, 9}}, {{0, 0}, {9, 9}}}), late = truth;
  truth.t = {0, 600, 3600, 4200};
  late.t = {-86400, -86400 + 600, 7200, 7200 + 600};
  const TraceMeasures m = measure(truth, late, box_of(truth), {.queries = 1});
  EXPECT_NEAR(*m.time_of_day, std::numbers::ln2 / 2, 1e-15);  // half of each starts at midnight
  EXPECT_EQ(*m.duration, 0);
}

TEST(TraceMeasures, RefuseWhatCannotBeMeasured) {
  const TripSet set = wandering_trips(1, 3);
  const MeasureBox box = box_of(set);
  EXPECT_THROW(measure(TripSet{}, set, box, {}), InvalidOption);
  EXPECT_THROW(measure(set, TripSet{}, box, {}), InvalidOption);
  EXPECT_THROW(measure(set, set, box, {.queries = 0}), InvalidOption);
  EXPECT_THROW(measure(set, set, box, {.queries = 100'001}), InvalidOption);
  EXPECT_THROW(measure(set, set, box, {.query_share = 0}), InvalidOption);
  EXPECT_THROW(measure(set, set, box, {.query_share = std::nan("")}), InvalidOption);
  EXPECT_THROW(measure(set, set, {0, 0, 0, 5}, {}), InvalidOption);
  EXPECT_THROW(box_of(TripSet{}), InvalidOption);
}

}  // namespace
}  // namespace fogline::traces::measures_test
