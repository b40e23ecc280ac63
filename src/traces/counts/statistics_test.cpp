// SPDX-License-Identifier: Apache-2.0
#include "traces/counts/statistics.hpp"

#include <cmath>
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "random/key.hpp"
#include "random/tape.hpp"

namespace fogline::traces::statistics_test {
namespace {

using random::Meeting;
using testing::ElementsAre;

constexpr double side_m = 6000;

TraceStatistics::Options survey_options() {
  return {.frame = Frame::parse("0,0,6000,6000", Frame::Unit::metres), .epsilon = privacy::Epsilon{1, 1}};
}

void add_survey_trip(TripSet& set, const std::vector<PlanePoint>& points, std::uint32_t user = 0) {
  set.point.insert(set.point.end(), points.begin(), points.end());
  for (std::size_t p = 0; p < points.size(); ++p) set.t.push_back(36'000 + 10 * static_cast<std::int64_t>(p));
  set.user.push_back(user);
  set.end_trip();
}

/// The exact counts of two neighbours that see the same noisy answers, meeting by meeting, and what they know then.
struct TwoSurveys {
  std::vector<Meeting> first, second;
  NoisyStatistics first_known, second_known;

  /// Whether both chose alike what to ask.
  bool asked_alike() const {
    const MoveStrings &a = first_known.strings, &b = second_known.strings;
    bool alike = a.size() == b.size() && first_known.favour == second_known.favour &&
                 first_known.coarse_favour == second_known.coarse_favour &&
                 first_known.layout.share == second_known.layout.share;
    for (std::size_t i = 0; alike && i < a.size(); ++i) alike = a[i] == b[i];
    return alike;
  }
};

TwoSurveys survey_both(const TraceStatistics& statistics, const TripSet& a, const TripSet& b,
                       std::uint64_t seed) {
  random::Tape tape;
  TwoSurveys both;
  {
    random::Stream noise = random::SeededKey(seed).stream("traces");
    noise.listen(&tape);
    both.first_known = statistics.release(a, noise);
  }
  tape.rewind();
  random::Stream again = random::SeededKey(seed).stream("traces");
  again.listen(&tape);
  both.second_known = statistics.release(b, again);
  both.first = tape.recorded();
  both.second = tape.played();
  return both;
}

std::vector<Meeting> survey(const TraceStatistics& statistics, const TripSet& trips) {
  return survey_both(statistics, trips, trips, 1).first;
}

const Meeting& met(const std::vector<Meeting>& all, Statistic statistic) {
  for (const Meeting& meeting : all)
    if (meeting.name == to_string(statistic)) return meeting;
  throw InvalidOption("statistic", "was not asked for");
}

long double apart(const Meeting& a, const Meeting& b) {
  long double sum = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) sum += std::abs(a.values[i] - b.values[i]);
  return sum;
}

/// A trip of 2 to 60 points: short steps, jumps across the area, standing still, the corners.
rc::Gen<std::vector<PlanePoint>> survey_trip_gen() {
  const auto coordinate = rc::gen::oneOf(
      rc::gen::map(rc::gen::inRange(0, 6001), [](int metres) { return static_cast<float>(metres); }),
      rc::gen::element(0.0F, 6000.0F, 3000.0F, 999.99F));
  const auto point = rc::gen::apply(
      [](float x, float y) {
        return PlanePoint{x, y};
      },
      coordinate, coordinate);
  return rc::gen::suchThat(rc::gen::resize(60, rc::gen::container<std::vector<PlanePoint>>(point)),
                           [](const std::vector<PlanePoint>& trip) { return trip.size() >= 2; });
}

TripSet few_trips(std::size_t trips, std::uint32_t user_each) {
  TripSet set;
  for (std::size_t i = 0; i < trips; ++i) {
    const auto x = static_cast<float>(i * 997 % 6000), y = static_cast<float>(i * 1409 % 6000);
    add_survey_trip(set, {{x, y}, {6000 - x, y}, {y, x}}, static_cast<std::uint32_t>(i) % user_each);
  }
  return set;
}

TEST(TraceStatistics, CountEachTripOnceInEveryStatistic) {
  TraceStatistics::Options options = survey_options();
  options.has_time = true;
  options.public_trips = 14'000;  // so that everything is asked
  TripSet set;
  // From the south-west corner straight east, through all six coarse columns.
  add_survey_trip(set, {{100, 100}, {5900, 100}});
  const auto found = survey(TraceStatistics(options), set);
  EXPECT_EQ(found.size(), statistic_count - 1);
  EXPECT_THAT(met(survey(TraceStatistics(survey_options()), set), Statistic::trips).values,
              ElementsAre(4096));
  // 5.8 of at most 48 km: the second class of lengths.
  EXPECT_EQ(met(found, Statistic::crossings).values[Layout::crossing_bins + Layout::crossing_bin(5)], 4096);
  EXPECT_EQ(met(found, Statistic::start_end).values[0 * 36 + 5], 4096);
  EXPECT_EQ(met(found, Statistic::pairs).values[0 * 9 + 5], 819);  // five moves, each a fifth of a trip
  EXPECT_EQ(met(found, Statistic::pairs).values[4 * 9 + 5], 819);
  EXPECT_EQ(met(found, Statistic::hours).values[20], 4096);  // ten o'clock, in half hours
  for (const Meeting& meeting : found) {
    long double sum = 0;
    for (const long double value : meeting.values) sum += value;
    EXPECT_LE(sum, 4096) << meeting.name;
    EXPECT_EQ(meeting.sensitivity, 4096) << meeting.name;
  }
}

TEST(TraceStatistics, SpendNoMoreThanEpsilon) {
  for (const bool has_time : {false, true})
    for (const bool number_is_public : {false, true}) {
      TraceStatistics::Options options = survey_options();
      options.has_time = has_time;
      if (number_is_public) options.public_trips = 40;
      const auto found = survey(TraceStatistics(options), few_trips(40, 40));
      double sum = 0;
      for (const Meeting& meeting : found) sum += meeting.epsilon;
      EXPECT_LE(sum, 1.0);
      EXPECT_GT(sum, 0.999);
    }
}

TEST(TraceStatistics, OneTripMovesNoStatisticByMoreThanOne) {
  TraceStatistics::Options options = survey_options();
  options.has_time = true;
  const TraceStatistics of_few(options);
  options.public_trips = 14'000;  // so that everything is asked
  const TraceStatistics of_many(options);
  const TripSet base = few_trips(12, 12);
  EXPECT_TRUE(rc::check("one trip more", [&] {
    const TraceStatistics& statistics = *rc::gen::arbitrary<bool>() ? of_few : of_many;
    TripSet more = base;
    add_survey_trip(more, *survey_trip_gen());
    const TwoSurveys both = survey_both(statistics, base, more, *rc::gen::inRange<std::uint64_t>(0, 1000));
    RC_ASSERT(both.asked_alike());
    for (std::size_t i = 0; i < both.first.size(); ++i)
      RC_ASSERT(apart(both.first[i], both.second[i]) <= 4096);
  }));
}

/// Where nobody tells users apart every trip counts in full, and the noise is made for as many as one may have.
TEST(TraceStatistics, OnePersonWithTheDeclaredTripsMovesNoStatisticByMoreThanTheBound) {
  TraceStatistics::Options options = survey_options();
  options.unit = Unit::user;
  options.trips_per_user = 3;
  options.persons = privacy::Persons::declared;
  options.public_trips = 14'000;  // so that everything is asked
  const TraceStatistics statistics(options);
  EXPECT_TRUE(statistics.guarantee().covers_person());
  TripSet base = few_trips(12, 4);
  base.user.clear();
  EXPECT_TRUE(rc::check("one person more, with up to three trips", [&] {
    TripSet more = base;
    const int trips = *rc::gen::inRange(1, 4);
    for (int i = 0; i < trips; ++i) add_survey_trip(more, *survey_trip_gen(), 4);
    more.user.clear();
    const TwoSurveys both = survey_both(statistics, base, more, *rc::gen::inRange<std::uint64_t>(0, 1000));
    RC_ASSERT(both.asked_alike());
    for (std::size_t i = 0; i < both.first.size(); ++i) {
      RC_ASSERT(both.first[i].sensitivity == 3 * 4096);
      RC_ASSERT(apart(both.first[i], both.second[i]) <= 3 * 4096);
    }
  }));
}

TEST(TraceStatistics, OneUserMovesNoStatisticByMoreThanTheBound) {
  TraceStatistics::Options options = survey_options();
  options.unit = Unit::user;
  options.trips_per_user = 3;
  const TraceStatistics of_few(options);
  options.public_trips = 14'000;  // so that everything is asked
  const TraceStatistics of_many(options);
  const TripSet base = few_trips(12, 4);
  EXPECT_TRUE(rc::check("one user more, with up to nine trips", [&] {
    const TraceStatistics& statistics = *rc::gen::arbitrary<bool>() ? of_few : of_many;
    TripSet more = base;
    const int trips = *rc::gen::inRange(1, 10);
    for (int i = 0; i < trips; ++i) add_survey_trip(more, *survey_trip_gen(), 4);
    const TwoSurveys both = survey_both(statistics, base, more, *rc::gen::inRange<std::uint64_t>(0, 1000));
    RC_ASSERT(both.asked_alike());
    for (std::size_t i = 0; i < both.first.size(); ++i) {
      RC_ASSERT(both.first[i].sensitivity == 3 * 4096);
      RC_ASSERT(apart(both.first[i], both.second[i]) <= 3 * 4096);
    }
  }));
}

TEST(TraceStatistics, DoNotReadANumberThatIsPublic) {
  TraceStatistics::Options options = survey_options();
  options.public_trips = 777;
  const TraceStatistics statistics(options);
  for (const Meeting& meeting : survey(statistics, few_trips(5, 5))) EXPECT_NE(meeting.name, "trips");
  random::Stream noise = random::SeededKey(1).stream("traces");
  EXPECT_EQ(statistics.release(few_trips(5, 5), noise).trips, 777);
}

TEST(TraceStatistics, GiveAnswersInTripsWithTheirScale) {
  TraceStatistics::Options options = survey_options();
  options.epsilon = privacy::Epsilon{1000, 1};  // little noise
  random::Stream noise = random::SeededKey(1).stream("traces");
  const NoisyStatistics known = TraceStatistics(options).release(few_trips(30, 30), noise);
  EXPECT_NEAR(known.trips, 30, 1);
  const NoisyTable& both = known.of(Statistic::start_end);
  EXPECT_NEAR(both.scale, 10'000.0 / 1000 / known.layout.share_of(Statistic::start_end), 1e-4);
  double sum = 0;
  for (const double value : both.value) sum += value;
  EXPECT_NEAR(sum, 30, 4);
  EXPECT_FALSE(known.has_time());
  EXPECT_EQ(known.layout.max_length_m, 8 * side_m);
}

TEST(TraceStatistics, TakeNoTripsAtAll) {
  EXPECT_EQ(survey(TraceStatistics(survey_options()), TripSet{}).size(),
            statistic_count - 4);  // no times, and what is asked of many alone
}

TEST(TraceStatistics, WeighTheTripsOfBusyUsersLess) {
  TripSet set;
  for (const std::uint32_t user : {0U, 1U, 1U, 1U}) add_survey_trip(set, {{0, 0}, {9, 9}}, user);
  EXPECT_THAT(trip_weights(set, Unit::trip, 2), ElementsAre(4096, 4096, 4096, 4096));
  EXPECT_THAT(trip_weights(set, Unit::user, 2), ElementsAre(4096, 2730, 2730, 2730));  // 3 * 2730 <= 2 * 4096
  EXPECT_THAT(trip_weights(set, Unit::user, 3), ElementsAre(4096, 4096, 4096, 4096));
}

TEST(TraceStatistics, RefuseWhatDoesNotFit) {
  const auto refused = [](TraceStatistics::Options options) {
    EXPECT_THROW(TraceStatistics{options}, InvalidOption);
  };
  TraceStatistics::Options options = survey_options();
  options.trips_per_user = 0;
  refused(options);
  options = survey_options();
  options.public_trips = 0;
  refused(options);
  options = survey_options();
  options.epsilon = privacy::Epsilon{1, 100'000};
  refused(options);
  options = survey_options();
  options.max_length_m = 1e9;
  refused(options);
  TripSet bare = few_trips(3, 3);
  bare.t.clear();
  bare.user.clear();
  random::Stream noise = random::SeededKey(1).stream("traces");
  options = survey_options();
  options.has_time = true;
  EXPECT_THROW(TraceStatistics(options).release(bare, noise), InvalidOption);
  options = survey_options();
  options.unit = Unit::user;
  EXPECT_THROW(TraceStatistics(options).release(bare, noise), InvalidOption);
}

TEST(TripShape, IsThatOfALine) {
  const std::vector<PlanePoint> line{{0, 0}, {300, 400}, {0, 0}};
  const TripShape shape = shape_of(line);
  EXPECT_NEAR(shape.length_m, 1000, 1e-3);
  EXPECT_NEAR(shape.diameter_m, 500, 1e-3);
  EXPECT_EQ(shape.displacement_m, 0);
}

TEST(Layout, SharesOutTheWholeBudgetAndNoMore) {
  for (const bool has_time : {false, true})
    for (const bool counts_trips : {false, true})
      for (const double epsilon : {0.001, 0.05, 0.1, 0.5, 1.0, 10.0, 1000.0})
        for (const double trips : {0.0, 1.0, 50.0, 1'400.0, 3'333.0, 14'000.0, 1e6, 1e12}) {
          const Layout layout = make_layout({.width_m = 1e4,
                                             .height_m = 1e4,
                                             .max_length_m = 1e5,
                                             .trips = trips,
                                             .epsilon = epsilon,
                                             .has_time = has_time,
                                             .counts_trips = counts_trips});
          std::uint64_t sum = 0;
          for (const std::uint32_t share : layout.share) sum += share;
          EXPECT_EQ(sum, 10'000U);
          EXPECT_GE(layout.share_of(Statistic::start_end), 500U);
          EXPECT_EQ(layout.share_of(Statistic::trips) > 0, counts_trips);
          EXPECT_EQ(layout.share_of(Statistic::hours) > 0, has_time);
          EXPECT_EQ(layout.share_of(Statistic::strings) > 0, trips * epsilon > 3'020);
          EXPECT_EQ(layout.share_of(Statistic::coarse_visits) > 0, trips * epsilon > 3'020);
        }
}

TEST(Layout, AsksForTheNumberOfTripsWithAShareThatDoesNotDependOnIt) {
  for (const double epsilon : {0.01, 0.3, 1.0, 4.0}) {
    LayoutOptions options{.width_m = 1e4, .height_m = 1e4, .max_length_m = 1e5, .epsilon = epsilon};
    const std::uint32_t before = make_layout(options).share_of(Statistic::trips);
    options.trips = 123'456;
    EXPECT_EQ(make_layout(options).share_of(Statistic::trips), before);
  }
}

}  // namespace
}  // namespace fogline::traces::statistics_test
