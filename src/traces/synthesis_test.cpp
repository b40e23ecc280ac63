// SPDX-License-Identifier: Apache-2.0
#include "traces/synthesis.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <gtest/gtest.h>

#include "traces/beliefs.hpp"
#include "traces/cell_grid.hpp"
#include "traces/denoise.hpp"
#include "traces/divergence.hpp"
#include "traces/emit.hpp"
#include "traces/measures.hpp"
#include "traces/outline.hpp"
#include "traces/quick_random.hpp"
#include "traces/refine.hpp"

namespace fogline::traces {
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
  const TripSet synthetic = synthesise(town_statistics(truth, 200), random::SeededKey(1), {});
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
      synthesise(town_statistics(street_town(400), 1), random::SeededKey(1), {.trips = 300});
  ASSERT_EQ(synthetic.size(), 300U);
  ASSERT_EQ(synthetic.t.size(), synthetic.point.size());
  for (std::size_t i = 0; i < synthetic.size(); ++i) {
    EXPECT_GE(synthetic.trip(i).size(), 2U);
    const auto t = synthetic.times(i);
    EXPECT_TRUE(std::is_sorted(t.begin(), t.end()));
    EXPECT_GE(t.front(), 0);
    EXPECT_LT(t.front(), 86'400);
  }
  for (const PlanePoint& p : synthetic.point) {
    EXPECT_TRUE(p.x >= 0 && p.y >= 0 && p.x <= 12'000 && p.y <= 12'000);
  }
}

TEST(Synthesise, DoesNotDependOnThreads) {
  const NoisyStatistics known = town_statistics(street_town(5'000), 1);
  const TripSet one = synthesise(known, random::SeededKey(2), {.parallel = {.threads = 1}});
  const TripSet two = synthesise(known, random::SeededKey(2), {.parallel = {.threads = 2}});
  EXPECT_EQ(one.point, two.point);
  EXPECT_EQ(one.t, two.t);
}

TEST(Synthesise, MovesNothingToClosedPlaces) {
  const auto open = [](const PlanePoint& p) { return p.x < 6'000 || p.y > 3'000; };
  const TripSet synthetic =
      synthesise(town_statistics(street_town(400), 2), random::SeededKey(1), {.open = open});
  const auto closed = std::count_if(synthetic.point.begin(), synthetic.point.end(), std::not_fn(open));
  EXPECT_LT(static_cast<double>(closed), 0.02 * static_cast<double>(synthetic.point.size()));
}

TEST(Refine, BringsTablesNearerToWhatIsBelieved) {
  const TripSet truth = street_town(1'500);
  const NoisyStatistics known = town_statistics(truth, 100);
  const Beliefs beliefs = believe(known);
  const random::SeededKey key(4);
  Outlines outlines = draw_outlines(beliefs, 1'500, key, {});
  const auto measured = [&](const Outlines& drawn) {
    return measure(truth, emit(drawn, beliefs, key, {}, {}), {0, 0, 12'000, 12'000}, {.queries = 10});
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
}  // namespace fogline::traces
