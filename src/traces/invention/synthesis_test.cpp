// SPDX-License-Identifier: Apache-2.0
#include "traces/invention/synthesis.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <gtest/gtest.h>

#include "traces/beliefs/beliefs.hpp"
#include "traces/beliefs/denoise.hpp"
#include "traces/frame/cell_grid.hpp"
#include "traces/frame/trip_shape.hpp"
#include "traces/invention/emit.hpp"
#include "traces/invention/outline.hpp"
#include "traces/invention/quick_random.hpp"
#include "traces/invention/refine.hpp"
#include "traces/measures/divergence.hpp"
#include "traces/measures/measures.hpp"

namespace fogline::traces::synthesis_test {
namespace {

/// A town where most trips run along one street from west to east, in the morning.
TripSet street_town(std::size_t trips) {
  random::SeededKey key(5);
  QuickRandom random(key.stream("street town"));
  TripSet set;
  for (std::size_t i = 0; i < trips; ++i) {
    const bool on_street = random.uniform() < 0.8;
    const double y = on_street ? 4'000 + 300 * random.uniform() : 12'000 * random.uniform();
    double x = 1'000 + 4'000 * random.uniform();
    const double t = 7 * 3'600 + 3'600 * random.uniform();
    const std::size_t points = 8 + random.below(30);
    for (std::size_t p = 0; p < points; ++p) {
      set.point.push_back({static_cast<float>(x), static_cast<float>(y)});
      set.t.push_back(static_cast<std::int64_t>(t) + static_cast<std::int64_t>(20 * p));
      x = std::min(12'000.0, x + 200 + 50 * random.uniform());
    }
    set.end_trip();
  }
  return set;
}

const Frame& town_frame() {
  static const Frame frame = Frame::parse("0,0,12000,12000", Frame::Unit::metres);
  return frame;
}

NoisyStatistics town_statistics(const TripSet& trips, std::uint64_t epsilon) {
  const TraceStatistics statistics({.frame = town_frame(),
                                    .epsilon = privacy::Epsilon(epsilon, 1),
                                    .has_time = true,
                                    .max_length_m = 30'000});
  random::Stream noise = random::SeededKey(9).stream("town noise");
  return statistics.release(trips, noise);
}

/// As far as points and times go: refinement moves what lies between, and takes long.
TripSet unrefined(const NoisyStatistics& known, const random::PublicKey& key) {
  const Beliefs beliefs = believe(known);
  return emit(draw_outlines(beliefs, static_cast<std::uint64_t>(known.trips), key, {}), beliefs, key, {});
}

double length_quantile(const TripSet& set, double share) {
  std::vector<double> lengths;
  for (std::size_t i = 0; i < set.size(); ++i) lengths.push_back(length_m(set.trip(i)));
  std::sort(lengths.begin(), lengths.end());
  return lengths[static_cast<std::size_t>(share * static_cast<double>(lengths.size() - 1))];
}

double points_a_trip(const TripSet& set) {
  return static_cast<double>(set.point.size()) / static_cast<double>(set.size());
}

/// Steps of equal metres and seconds, straight on from anywhere.
TripSet even_walks(std::size_t trips, double step_m, std::int64_t step_s) {
  QuickRandom random(random::SeededKey(6).stream("even walks"));
  TripSet set;
  for (std::size_t i = 0; i < trips; ++i) {
    const double x = 8'000 * random.uniform(), y = 12'000 * random.uniform();
    const auto t = static_cast<std::int64_t>(random.below(40'000));
    const auto points = static_cast<std::int64_t>(20 + random.below(20));
    for (std::int64_t p = 0; p < points; ++p) {
      set.point.push_back({static_cast<float>(x + step_m * static_cast<double>(p)), static_cast<float>(y)});
      set.t.push_back(t + step_s * p);
    }
    set.end_trip();
  }
  return set;
}

TEST(Denoise, MovesNoisyCountsTowardsWhatOthersPredict) {
  random::SeededKey key(3);
  QuickRandom random(key.stream("denoise"));
  std::vector<double> truth(400), predictor(400);
  NoisyTable noisy{std::vector<double>(400), 10};
  for (std::size_t i = 0; i < truth.size(); ++i) {
    truth[i] = 5 + 40 * random.uniform();
    predictor[i] = truth[i] * (0.8 + 0.4 * random.uniform());
    const double size = -10 * std::log(1 - random.uniform());
    noisy.value[i] = truth[i] + (random.uniform() < 0.5 ? size : -size);
  }
  const Estimate estimate = denoise(noisy, {predictor});
  double before = 0, after = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    EXPECT_GE(estimate.mean[i], 0);
    before += std::pow(noisy.value[i] - truth[i], 2);
    after += std::pow(estimate.mean[i] - truth[i], 2);
  }
  EXPECT_LT(after, before / 4);
}

TEST(Denoise, LeavesCountsWithoutNoiseAlone) {
  const NoisyTable noisy{{100, 3, 40, 0.5}, 1e-4};
  const Estimate estimate = denoise(noisy, {{50, 50, 50, 50}});
  for (std::size_t i = 0; i < noisy.value.size(); ++i)
    EXPECT_NEAR(estimate.mean[i], noisy.value[i], 0.05 * noisy.value[i] + 0.01);
}

TEST(Synthesise, TellsTheTownFromNearlyExactStatistics) {
  const TripSet truth = street_town(1'500);
  const TripSet synthetic = synthesise(town_statistics(truth, 200), random::PublicKey("1"), {});
  EXPECT_NEAR(static_cast<double>(synthetic.size()), 1'500, 3);
  const TraceMeasures m = measure(truth, synthetic, {0, 0, 12'000, 12'000}, {.queries = 50});
  EXPECT_LT(m.trip, 0.01);
  EXPECT_LT(m.length, 0.03);
  EXPECT_LT(m.diameter, 0.03);
  EXPECT_LT(m.density, 0.05);
  EXPECT_GT(m.kendall, 0.7);
  ASSERT_TRUE(m.time_of_day.has_value());
  EXPECT_LT(*m.time_of_day, 0.02);
}

TEST(Synthesise, KeepsPointsInTheFrameAndTimesInOrder) {
  const TripSet synthetic =
      synthesise(town_statistics(street_town(400), 1), random::PublicKey("1"), {.trips = 300});
  ASSERT_EQ(synthetic.size(), 300U);
  ASSERT_EQ(synthetic.t.size(), synthetic.point.size());
  for (std::size_t i = 0; i < synthetic.size(); ++i) {
    EXPECT_GE(synthetic.trip(i).size(), 2U);
    const auto t = synthetic.times(i);
    EXPECT_EQ(std::adjacent_find(t.begin(), t.end(), std::greater_equal<>()), t.end());
    EXPECT_GE(t.front(), 0);
    EXPECT_LT(t.front(), 86'400);
  }
  for (const PlanePoint& p : synthetic.point) {
    EXPECT_TRUE(p.x >= 0 && p.y >= 0 && p.x <= 12'000 && p.y <= 12'000);
  }
}

TEST(Synthesise, MakesAboutAsManyPointsAndAsLongTripsWhateverTheNoise) {
  const TripSet truth = street_town(500);
  // Nobody has said how long a trip can be: most bins of lengths hold noise alone.
  const TraceStatistics statistics(
      {.frame = town_frame(), .epsilon = privacy::Epsilon(1, 1), .public_trips = 500, .has_time = true});
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    random::Stream noise = random::SeededKey(seed).stream("town noise");
    const TripSet synthetic =
        unrefined(statistics.release(truth, noise), random::PublicKey(std::to_string(seed)));
    EXPECT_LT(points_a_trip(synthetic), 6 * points_a_trip(truth)) << "seed " << seed;
    EXPECT_GT(points_a_trip(synthetic), points_a_trip(truth) / 6) << "seed " << seed;
    EXPECT_LT(length_quantile(synthetic, 0.99), 4 * length_quantile(truth, 0.99)) << "seed " << seed;
  }
}

TEST(Synthesise, MakesNoThousandsOfPointsOfAFewHundredTrips) {
  const TripSet truth = street_town(400);
  // Their number is noisy too: of 400 there may seem to be 100 or 900.
  const TraceStatistics statistics(
      {.frame = town_frame(), .epsilon = privacy::Epsilon(1, 1), .has_time = true});
  int off = 0;
  constexpr std::uint64_t seeds = 50;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    random::Stream noise = random::SeededKey(seed).stream("few trips");
    const TripSet synthetic =
        unrefined(statistics.release(truth, noise), random::PublicKey(std::to_string(seed)));
    const double times = points_a_trip(synthetic) / points_a_trip(truth);
    if (times > 4 || times < 0.25) ++off;
    EXPECT_LT(times, 10) << "seed " << seed;
  }
  EXPECT_LE(off, 1);
}

double fastest_step(const TripSet& set) {
  double fastest = 0;
  for (std::size_t i = 0; i < set.size(); ++i) {
    const auto trip = set.trip(i);
    const auto t = set.times(i);
    for (std::size_t p = 1; p < trip.size(); ++p)
      fastest = std::max(fastest, distance_m(trip[p - 1], trip[p]) / static_cast<double>(t[p] - t[p - 1]));
  }
  return fastest;
}

TEST(Synthesise, MakesNoCarsThatFly) {
  const TripSet truth = street_town(4'000);
  ASSERT_LT(fastest_step(truth), 16);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const TraceStatistics statistics(
        {.frame = town_frame(), .epsilon = privacy::Epsilon(1, 1), .has_time = true});
    random::Stream noise = random::SeededKey(seed).stream("flying");
    const TripSet synthetic =
        unrefined(statistics.release(truth, noise), random::PublicKey(std::to_string(seed)));
    // One class above the true ones, which end at 16 m/s, and half as fast again beside the way.
    EXPECT_LT(fastest_step(synthetic), 1.5 * 16 * std::sqrt(2)) << "seed " << seed;
  }
}

TEST(Synthesise, LeadsStepsNoFasterThanTheirTrip) {
  // A second for each point, and steps of all lengths: none may take its time from another.
  TripSet truth = even_walks(1'500, 40, 1);
  for (std::size_t p = 0; p < truth.point.size(); p += 4) truth.point[p].x += 35;
  const TripSet synthetic = unrefined(town_statistics(truth, 100), random::PublicKey("1"));
  for (std::size_t i = 0; i < synthetic.size(); ++i) {
    const auto trip = synthetic.trip(i);
    const auto t = synthetic.times(i);
    const double speed = length_m(trip) / static_cast<double>(t.back() - t.front());
    for (std::size_t p = 1; p < trip.size(); ++p)
      ASSERT_LT(distance_m(trip[p - 1], trip[p]), 1.5 * speed * static_cast<double>(t[p] - t[p - 1]));
  }
}

TEST(Synthesise, LetsSlowTripsTakeTheirTime) {
  // 40 m in ten minutes: a visitor in a museum.
  const TripSet truth = even_walks(1'500, 40, 600);
  const TripSet synthetic = unrefined(town_statistics(truth, 100), random::PublicKey("1"));
  double seconds = 0;
  for (std::size_t i = 0; i < synthetic.size(); ++i)
    seconds += static_cast<double>(synthetic.times(i).back() - synthetic.times(i).front());
  EXPECT_NEAR(seconds / static_cast<double>(synthetic.size()), 28.5 * 600, 0.2 * 28.5 * 600);
}

TEST(Synthesise, GivesEveryPointASecondOfItsOwn) {
  // Eight points a second, by the length and the speed that are counted.
  TripSet truth = even_walks(1'500, 8, 1);
  for (std::size_t i = 0; i < truth.size(); ++i)
    for (std::uint64_t p = truth.offset[i]; p < truth.offset[i + 1]; ++p)
      truth.t[p] = truth.t[truth.offset[i]] + static_cast<std::int64_t>(p - truth.offset[i]) / 8;
  const TripSet synthetic = unrefined(town_statistics(truth, 100), random::PublicKey("1"));
  double seconds = 0;
  for (std::size_t i = 0; i < synthetic.size(); ++i) {
    const auto t = synthetic.times(i);
    EXPECT_EQ(std::adjacent_find(t.begin(), t.end(), std::greater_equal<>()), t.end());
    seconds += static_cast<double>(t.back() - t.front());
  }
  // There are fewer points rather than more seconds: one for each would take eight times as long.
  EXPECT_LT(seconds / static_cast<double>(synthetic.size()), 3 * 28.5 / 8);
}

TEST(Synthesise, TakesNoLongerThanTripsMay) {
  const Beliefs beliefs = believe(town_statistics(even_walks(300, 40, 60), 10));
  const random::PublicKey key("3");
  const TripSet synthetic = emit(draw_outlines(beliefs, 300, key, {}), beliefs, key, {.max_duration_s = 12});
  for (std::size_t i = 0; i < synthetic.size(); ++i) {
    const auto t = synthetic.times(i);
    EXPECT_LE(t.back() - t.front(), 12);
    EXPECT_EQ(std::adjacent_find(t.begin(), t.end(), std::greater_equal<>()), t.end());
  }
}

TEST(Synthesise, BeginsWithAFairSample) {
  const TripSet synthetic =
      unrefined(town_statistics(even_walks(2'000, 40, 60), 100), random::PublicKey("1"));
  // Starts lie evenly from 0 to 12,000 m; of 200 the mean is off by 245 m.
  double north = 0;
  for (std::size_t i = 0; i < 200; ++i) north += static_cast<double>(synthetic.trip(i).front().y) / 200;
  EXPECT_NEAR(north, 6'000, 1'000);
}

TEST(Synthesise, DoesNotDependOnThreads) {
  const NoisyStatistics known = town_statistics(street_town(5'000), 1);
  const TripSet one = synthesise(known, random::PublicKey("2"), {.parallel = {.threads = 1}});
  const TripSet two = synthesise(known, random::PublicKey("2"), {.parallel = {.threads = 2}});
  EXPECT_EQ(one.point, two.point);
  EXPECT_EQ(one.t, two.t);
}

TEST(Synthesise, MovesNothingToClosedPlaces) {
  const auto open = [](const PlanePoint& p) { return p.x < 6'000 || p.y > 3'000; };
  const TripSet synthetic =
      synthesise(town_statistics(street_town(400), 2), random::PublicKey("1"), {.open = open});
  const auto closed = std::count_if(synthetic.point.begin(), synthetic.point.end(), std::not_fn(open));
  EXPECT_LT(static_cast<double>(closed), 0.02 * static_cast<double>(synthetic.point.size()));
}

TEST(Refine, BringsTablesNearerToWhatIsBelieved) {
  const TripSet truth = street_town(1'500);
  const NoisyStatistics known = town_statistics(truth, 100);
  const Beliefs beliefs = believe(known);
  const random::PublicKey key("4");
  Outlines outlines = draw_outlines(beliefs, 1'500, key, {});
  const auto measured = [&](const Outlines& drawn) {
    return measure(truth, emit(drawn, beliefs, key, {}), {0, 0, 12'000, 12'000}, {.queries = 10});
  };
  const TraceMeasures before = measured(outlines);
  const std::vector<PlanePoint> nodes = outlines.node;
  refine(outlines, beliefs, key, {});
  const TraceMeasures after = measured(outlines);
  EXPECT_LT(after.density, 0.8 * before.density);
  for (std::size_t i = 0; i < outlines.size(); ++i) {
    EXPECT_EQ(outlines.trip(i).front(), nodes[outlines.offset[i]]);
    EXPECT_EQ(outlines.trip(i).back(), nodes[outlines.offset[i + 1] - 1]);
  }
}

}  // namespace
}  // namespace fogline::traces::synthesis_test
