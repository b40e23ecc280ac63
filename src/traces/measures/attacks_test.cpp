// SPDX-License-Identifier: Apache-2.0
#include "traces/measures/attacks.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "random/key.hpp"
#include "traces/measures/nearest_trips.hpp"

namespace fogline::traces::attacks_test {
namespace {

double uniform_draw(random::Stream& stream, double low, double high) {
  return low + (high - low) * static_cast<double>(stream.next64() >> 11U) * 0x1p-53;
}

/// Straight trips with a bend in a box of 10 km; trip i belongs to user i / 5, who starts near home.
TripSet bent_trips(std::uint64_t seed, std::size_t trips) {
  random::Stream stream = random::SeededKey(seed).stream("bent");
  TripSet set;
  double home_x = 0, home_y = 0;
  for (std::size_t i = 0; i < trips; ++i) {
    if (i % 5 == 0) {
      home_x = uniform_draw(stream, 0, 10'000);
      home_y = uniform_draw(stream, 0, 10'000);
    }
    set.point.push_back({static_cast<float>(home_x + uniform_draw(stream, -100, 100)),
                         static_cast<float>(home_y + uniform_draw(stream, -100, 100))});
    for (int p = 0; p < 2; ++p)
      set.point.push_back({static_cast<float>(uniform_draw(stream, 0, 10'000)),
                           static_cast<float>(uniform_draw(stream, 0, 10'000))});
    set.end_trip();
    set.user.push_back(static_cast<std::uint32_t>(i / 5));
  }
  return set;
}

TripSet moved_a_little(TripSet set, double metres) {
  random::Stream stream = random::SeededKey(9).stream("moved");
  for (PlanePoint& p : set.point) {
    p.x += static_cast<float>(uniform_draw(stream, -metres, metres));
    p.y += static_cast<float>(uniform_draw(stream, -metres, metres));
  }
  set.user.clear();
  return set;
}

/// Chosen trips of a set, in that order.
TripSet some_trips(const TripSet& from, const std::vector<std::size_t>& which) {
  TripSet set;
  for (const std::size_t i : which) {
    const auto trip = from.trip(i);
    set.point.insert(set.point.end(), trip.begin(), trip.end());
    set.end_trip();
    if (!from.user.empty()) set.user.push_back(from.user[i]);
  }
  return set;
}

TripSet without_users(TripSet set) {
  set.user.clear();
  return set;
}

TEST(NearestTrips, EvenTripsHavePointsAtEqualDistances) {
  const std::vector<PlanePoint> corner = {{0, 0}, {10, 0}, {10, 0}, {10, 21}};
  const EvenTrip even = evenly(corner);
  EXPECT_EQ(even.x[0], 0);
  EXPECT_EQ(even.x[5], 5);
  EXPECT_EQ(even.x[10], 10);
  EXPECT_EQ(even.y[10], 0);
  EXPECT_EQ(even.y[12], 2);
  EXPECT_EQ(even.y[31], 21);
  const std::vector<PlanePoint> standing = {{3, 4}, {3, 4}};
  EXPECT_EQ(evenly(standing).x[17], 3);
}

TEST(NearestTrips, DistancesByHand) {
  const std::vector<PlanePoint> low = {{0, 0}, {310, 0}}, high = {{0, 30}, {310, 30}},
                                other = {{0, 0}, {310, 31}};
  EXPECT_EQ(distance_m(evenly(low), evenly(high), TripDistance::mean), 30);
  EXPECT_EQ(distance_m(evenly(low), evenly(high), TripDistance::worst), 30);
  EXPECT_NEAR(distance_m(evenly(low), evenly(other), TripDistance::worst), 31, 1e-4);
  EXPECT_NEAR(distance_m(evenly(low), evenly(other), TripDistance::mean), 15.5, 1e-4);
}

TEST(NearestTrips, FindsWhatTheLoopFinds) {
  const TripSet set = bent_trips(1, 400), asked = bent_trips(2, 60);
  const std::vector<EvenTrip> trips = evenly(set, {});
  const NearestTrips index(trips, set.user);
  for (std::size_t i = 0; i < asked.size(); ++i)
    for (const TripDistance by : {TripDistance::mean, TripDistance::worst}) {
      const EvenTrip trip = evenly(asked.trip(i));
      std::size_t best = 0, best_of_others = 0;
      const std::uint32_t user = 7;
      for (std::size_t j = 0; j < trips.size(); ++j) {
        if (distance_m(trip, trips[j], by) < distance_m(trip, trips[best], by)) best = j;
        if (set.user[j] != user &&
            distance_m(trip, trips[j], by) < distance_m(trip, trips[best_of_others], by))
          best_of_others = j;
      }
      const double distance = distance_m(trip, trips[best], by);
      EXPECT_EQ(index.nearest(trip, {.by = by})->index, best);
      EXPECT_EQ(index.nearest(trip, {.by = by})->distance_m, distance);
      EXPECT_EQ(index.nearest(trip, {.by = by, .not_of_user = user})->index, best_of_others);
      EXPECT_TRUE(index.nearest(trip, {.by = by, .within_m = distance}));
      EXPECT_FALSE(index.nearest(trip, {.by = by, .within_m = distance * 0.999}));
    }
  EXPECT_FALSE(NearestTrips({}, {}).nearest(trips[0], {}));
}

TEST(Separation, AreaByHand) {
  // Of 6 pairs the member is below in 3, level in 2.
  const Separation told = separation({{1, 2, 3}, {}}, {{2, 3}, {}}, 1);
  EXPECT_DOUBLE_EQ(told.auc, (3 + 2 * 0.5) / 6);
  EXPECT_LT(told.auc_interval.low, told.auc);
  EXPECT_GT(told.auc_interval.high, told.auc);
  EXPECT_THROW(separation({{1}, {}}, {{2, 3}, {}}, 1), InvalidOption);
}

TEST(Separation, CertainOnlyWithManyRecords) {
  std::vector<double> low, high;
  for (int i = 0; i < 200; ++i) {
    low.push_back(i);
    high.push_back(1000 + i);
  }
  const Separation told = separation({low, {}}, {high, {}}, 1);
  EXPECT_EQ(told.auc, 1);
  EXPECT_EQ(told.auc_interval.high, 1);
  EXPECT_GT(told.auc_interval.low, 0.95);
  EXPECT_LT(told.auc_interval.low, 1);
  EXPECT_GT(told.advantage, 0.9);
  EXPECT_GT(told.advantage_interval.low, 0.8);
  EXPECT_LT(separation({{1, 2}, {}}, {{3, 4}, {}}, 1).auc_interval.low, 0.5);
  const Separation reversed = separation({high, {}}, {low, {}}, 1);
  EXPECT_EQ(reversed.auc, 0);
  EXPECT_LT(reversed.auc_interval.high, 0.05);
}

// 400 pairs of samples of the same law: an interval of 99 % misses 0.5 about 4 times; more than 17 times with probability below one in a million.
TEST(Separation, IntervalsHoldWhatIsTrue) {
  random::Stream stream = random::SeededKey(5).stream("law");
  int missed = 0, above = 0;
  for (int run = 0; run < 400; ++run) {
    Scores members, others;
    for (std::uint32_t i = 0; i < 60; ++i) {
      // Three records of each group are almost the same.
      const double member = uniform_draw(stream, 0, 1), other = uniform_draw(stream, 0, 1);
      for (int twin = 0; twin < 3; ++twin) {
        members.score.push_back(member + uniform_draw(stream, 0, 0.01));
        members.group.push_back(i);
        others.score.push_back(other + uniform_draw(stream, 0, 0.01));
        others.group.push_back(100 + i);
      }
    }
    const Separation told = separation(members, others, static_cast<std::uint64_t>(run));
    missed += told.auc_interval.low > 0.5 || told.auc_interval.high < 0.5 ? 1 : 0;
    above += told.advantage_interval.low > 0 ? 1 : 0;
  }
  EXPECT_LE(missed, 17);
  EXPECT_LE(above, 17);
}

TEST(Separation, SharesWithTheirIntervals) {
  const std::vector<char> yes = {1, 0, 1, 0};
  EXPECT_EQ(share_of(yes, {}).share, 0.5);
  EXPECT_LT(share_of(yes, {}).interval.low, 0.2);
  const std::vector<char> never(1000, 0);
  EXPECT_EQ(share_of(never, {}).interval.low, 0);
  EXPECT_LT(share_of(never, {}).interval.high, 0.01);
  const std::vector<std::uint32_t> one_group(1000, 3);
  EXPECT_GT(share_of(never, one_group).interval.high, 0.5);  // as good as one record
}

TEST(TraceAttacks, TellACloseCopyFromOthers) {
  const TripSet truth = bent_trips(1, 300), heldout = bent_trips(2, 300);
  const TraceAttacks told =
      attack(without_users(truth), moved_a_little(truth, 50), without_users(heldout), {});
  EXPECT_GT(told.nearest.auc, 0.999);
  EXPECT_GT(told.nearest.auc_interval.low, 0.95);
  EXPECT_GT(told.calibrated.auc, 0.999);
  EXPECT_GT(told.nearest.advantage, 0.95);
  EXPECT_GT(told.reconstruction.members.share, 0.99);
  EXPECT_EQ(told.reconstruction.others.share, 0);
  EXPECT_LT(told.reconstruction.mean_distance_members, 60);
  EXPECT_GT(told.reconstruction.mean_distance_others, 500);
  EXPECT_TRUE(told.leaks());
  EXPECT_FALSE(told.linkage);
}

TEST(TraceAttacks, FindNothingInIndependentTrips) {
  int found = 0;
  for (std::uint64_t run = 0; run < 4; ++run) {
    TripSet heldout = bent_trips(20 + run, 300);
    for (std::uint32_t& user : heldout.user) user += 1000;
    const TraceAttacks told =
        attack(bent_trips(10 + run, 300), without_users(bent_trips(30 + run, 300)), heldout, {.seed = run});
    EXPECT_LE(told.nearest.auc_interval.low, 0.5);
    EXPECT_GE(told.nearest.auc_interval.high, 0.5);
    EXPECT_LE(told.calibrated.auc_interval.low, 0.5);
    EXPECT_GE(told.calibrated.auc_interval.high, 0.5);
    EXPECT_EQ(told.references, 150U);
    found += told.leaks() ? 1 : 0;
  }
  EXPECT_EQ(found, 0);
}

TEST(TraceAttacks, LinkUsersWhereTheOrderIsKept) {
  const TripSet all = bent_trips(3, 400);
  std::vector<std::size_t> used, kept;
  for (std::size_t i = 0; i < all.size(); ++i) (i % 5 < 3 ? used : kept).push_back(i);
  const TripSet truth = some_trips(all, used), heldout = some_trips(all, kept);
  TripSet synthetic = moved_a_little(truth, 50);
  const TraceAttacks told = attack(truth, synthetic, heldout, {});
  ASSERT_TRUE(told.linkage);
  EXPECT_EQ(told.linkage->asked, 160U);
  EXPECT_EQ(told.linkage->users, 80U);
  EXPECT_GT(told.linkage->share(), 3 * told.linkage->chance);
  EXPECT_LT(told.linkage->p_value, 0.01);

  std::vector<std::size_t> shuffled(truth.size());
  for (std::size_t i = 0; i < shuffled.size(); ++i) shuffled[i] = i;
  random::Stream stream = random::SeededKey(8).stream("order");
  for (std::size_t i = shuffled.size(); i > 1; --i) std::swap(shuffled[i - 1], shuffled[stream.below(i)]);
  const TraceAttacks without_order = attack(truth, some_trips(synthetic, shuffled), heldout, {});
  EXPECT_GT(without_order.linkage->p_value, 0.01);
  EXPECT_NEAR(without_order.linkage->chance, 1.0 / 80, 0.005);
}

TEST(TraceAttacks, LeaveOutHeldOutTripsThatAreMembers) {
  const TripSet truth = bent_trips(1, 20), other = bent_trips(2, 20);
  TripSet heldout = other;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto trip = truth.trip(i);
    heldout.point.insert(heldout.point.end(), trip.begin(), trip.end());
    heldout.end_trip();
  }
  heldout.user.clear();
  const TraceAttacks told = attack(truth, other, heldout, {});
  EXPECT_EQ(told.shared, 3U);
  EXPECT_EQ(told.others, 20U);
  EXPECT_TRUE(told.lopsided());  // the held-out trips themselves are the synthetic ones
  EXPECT_THROW(attack(truth, other, truth, {}), InvalidOption);
  EXPECT_THROW(attack(truth, TripSet{}, other, {}), InvalidOption);
  EXPECT_THROW(attack(TripSet{}, other, other, {}), InvalidOption);
  EXPECT_THROW(attack(truth, other, TripSet{}, {}), InvalidOption);
  EXPECT_THROW(attack(truth, other, other, {.near_m = 0}), InvalidOption);
}

TEST(TraceAttacks, DoNotDependOnThreads) {
  const TripSet truth = bent_trips(1, 100), synthetic = bent_trips(2, 90), heldout = bent_trips(3, 80);
  const TraceAttacks one = attack(truth, synthetic, heldout, {.parallel = {.threads = 1}});
  const TraceAttacks four = attack(truth, synthetic, heldout, {.parallel = {.threads = 4}});
  EXPECT_EQ(one.nearest.auc, four.nearest.auc);
  EXPECT_EQ(one.calibrated.auc_interval.low, four.calibrated.auc_interval.low);
  EXPECT_EQ(one.reconstruction.mean_distance_members, four.reconstruction.mean_distance_members);
}

}  // namespace
}  // namespace fogline::traces::attacks_test
