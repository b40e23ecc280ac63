// SPDX-License-Identifier: Apache-2.0
#include "traces/make_trips.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace fogline::traces::make_trips_test {
namespace {

/// Trips from west to east, in the morning of their day.
TripSet eastward(std::size_t trips) {
  TripSet set;
  for (std::size_t i = 0; i < trips; ++i) {
    for (std::size_t p = 0; p < 10; ++p) {
      set.point.push_back({static_cast<float>(200 + 500 * p), static_cast<float>(300 + 100 * (i % 50))});
      set.t.push_back(static_cast<std::int64_t>(7 * 3'600 + 60 * p));
    }
    set.end_trip();
  }
  return set;
}

TraceTerms terms() {
  return {.frame = Frame::parse("0,0,6000,6000", Frame::Unit::metres), .epsilon = {5, 1}, .times = true};
}

CountedTrips counted(const TraceTerms& of) {
  return count_trips(eastward(300), TraceStatistics(of.options()), random::SeededKey(3));
}

/// Whoever has the counts makes the same trips: on any number of threads, and without the key of the release.
TEST(MakeTrips, IsAFunctionOfTheCounts) {
  const CountedTrips counts = counted(terms());
  const MadeTrips one = make_trips(counts, terms(), {}, {.parallel = {.threads = 1}});
  const MadeTrips other = make_trips(counts, terms(), {}, {.parallel = {.threads = 2}});
  EXPECT_EQ(one.trips.offset, other.trips.offset);
  EXPECT_EQ(one.trips.t, other.trips.t);
  ASSERT_EQ(one.trips.point.size(), other.trips.point.size());
  for (std::size_t p = 0; p < one.trips.point.size(); ++p) {
    EXPECT_EQ(one.trips.point[p].x, other.trips.point[p].x);
    EXPECT_EQ(one.trips.point[p].y, other.trips.point[p].y);
  }
  EXPECT_FALSE(one.roads || one.obeyed || one.cost) << "there are no rules";
}

TEST(MakeTrips, MakesAsManyAsAreAskedFor) {
  TraceTerms some = terms();
  EXPECT_EQ(make_trips(counted(some), some, {}, {}).trips.size(),
            static_cast<std::size_t>(std::llround(counted(some).known.trips)));
  some.trips_to_make = 17;
  EXPECT_EQ(make_trips(counted(some), some, {}, {}).trips.size(), 17U);
}

/// What noise alone counts is not made, unless somebody said so.
TEST(MakeTrips, MakesNoMillionsThatNobodyAskedFor) {
  TraceTerms some = terms();
  EXPECT_EQ(trips_to_make(some, 300), 0U) << "as many as were counted";
  EXPECT_EQ(trips_to_make(some, 3e6), most_uncalled_for);
  some.trips_to_make = 5'000'000;
  EXPECT_EQ(trips_to_make(some, 3e6), 5'000'000U);
  some.trips_to_make = 0;
  some.trips = 3'000'000;
  EXPECT_EQ(trips_to_make(some, 3e6), 0U) << "as declared";
}

TEST(MakeTrips, KeepsToTheLongestDurationAndToOneDay) {
  TraceTerms some = terms();
  some.max_duration_s = 120;
  const TripSet made = make_trips(counted(some), some, {}, {}).trips;
  ASSERT_GT(made.size(), 0U);
  for (std::size_t i = 0; i < made.size(); ++i) {
    const std::int64_t start = made.t[made.offset[i]], end = made.t[made.offset[i + 1] - 1];
    EXPECT_LE(end - start, 120) << i;
    EXPECT_GE(start, 0) << i;
    EXPECT_LT(start, 86'400) << i;
  }
}

}  // namespace
}  // namespace fogline::traces::make_trips_test
