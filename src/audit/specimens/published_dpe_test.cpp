// SPDX-License-Identifier: Apache-2.0
#include "audit/specimens/published_dpe.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "random/key.hpp"
#include "random/published_noise.hpp"
#include "random/tape.hpp"

namespace fogline::audit::published_dpe_test {
namespace {

using Tracks = std::vector<Track>;

const Track short_trip = {{0, 0, 0}, {1, 0, 1}};
const Track long_trip = {{5, 5, 0}, {6, 5, 1}, {7, 5, 2}, {7, 6, 3}, {7, 7, 4}};
const Tracks trips = {{{1, 1, 0}, {2, 1, 1}, {3, 2, 2}, {4, 2, 3}},
                      {{2, 8, 0}, {2, 7, 1}, {3, 6, 2}},
                      {{8, 2, 0}, {7, 3, 1}, {6, 3, 2}, {5, 4, 3}},
                      {{9, 9, 1}, {8, 8, 2}}};

random::Stream stream(std::uint64_t index = 0) {
  return random::SeededKey(5).stream("dpe", index);
}

TEST(PublishedDpe, AlignsByRepeatingTheEnds) {
  const Tracks both = aligned(Tracks{short_trip, long_trip});
  EXPECT_EQ(both[0], (Track{{0, 0, 0}, {0, 0, 0}, {1, 0, 1}, {1, 0, 1}, {1, 0, 1}}));
  EXPECT_EQ(both[1], long_trip);
}

TEST(PublishedDpe, SumsDistancesToAllOthers) {
  const Tracks tracks = {{{0, 0, 0}}, {{3, 4, 0}}, {{0, 0, 12}}};
  EXPECT_EQ(track_distance(tracks[0], tracks[1]), 5);
  EXPECT_EQ(metric_sums(tracks), (std::vector<double>{5 + 12, 5 + 13, 12 + 13}));
}

TEST(PublishedDpe, SensitivityOfThePaperAndTheRightOne) {
  PublishedDpe::Options options{.epsilon = 1, .diameter = 4, .time_span = 3};
  EXPECT_DOUBLE_EQ(PublishedDpe(options).sensitivity(4, 4), 10);
  options.noise = PublishedDpe::Noise::for_all_sums;
  EXPECT_NEAR(PublishedDpe(options).sensitivity(4, 4), 60, 1e-5);
}

TEST(PublishedDpe, OneStepByHand) {
  // Two points 2 apart whose sums should be 3 each: both miss 1; each moves by 2 * rate / m * (1 + 1) = 0.2 along the line between them.
  Tracks tracks = {{{0, 0, 0}}, {{2, 0, 0}}};
  descend(tracks, std::vector<double>{3, 3}, 0.1);
  EXPECT_NEAR(tracks[0][0].x, -0.2, 1e-15);
  EXPECT_NEAR(tracks[1][0].x, 2.2, 1e-15);
}

double mean_square(const Tracks& tracks, const std::vector<double>& targets) {
  const std::vector<double> sums = metric_sums(tracks);
  double sum = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) sum += (sums[i] - targets[i]) * (sums[i] - targets[i]);
  return sum / static_cast<double>(sums.size());
}

TEST(PublishedDpe, StepsFollowTheGradient) {
  const Tracks tracks = aligned(trips);
  const std::vector<double> targets = {40, 30, 20, 50};
  const double rate = 1e-3, nudge = 1e-5;
  Tracks moved = tracks;
  descend(moved, targets, rate);
  for (std::size_t i = 0; i < tracks.size(); ++i)
    for (std::size_t j = 0; j < tracks[i].size(); ++j) {
      Tracks up = tracks, down = tracks;
      up[i][j].y += nudge;
      down[i][j].y -= nudge;
      const double gradient = (mean_square(up, targets) - mean_square(down, targets)) / (2 * nudge);
      EXPECT_NEAR(moved[i][j].y - tracks[i][j].y, -rate * gradient, 1e-8);
    }
}

TEST(PublishedDpe, ReachesSumsThatCanBeReached) {
  Tracks tracks = aligned(trips);
  std::vector<double> targets = metric_sums(tracks);
  for (double& target : targets) target *= 1.1;
  for (int i = 0; i < 500; ++i) descend(tracks, targets, 0.1);
  EXPECT_LT(mean_square(tracks, targets), 1e-6);
}

TEST(PublishedDpe, TheMeanOfTheTripsComesOutAsItWentIn) {
  const PublishedDpe dpe({.epsilon = 1, .diameter = 12, .time_span = 4});
  const auto mean_x = [](const Tracks& tracks) {
    double sum = 0;
    for (const Track& track : tracks)
      for (const TrackPoint& p : track) sum += p.x;
    return sum / 16;
  };
  for (std::uint64_t i = 0; i < 100; ++i) {
    auto noise = stream(i);
    EXPECT_NEAR(mean_x(dpe.release(trips, noise)), mean_x(aligned(trips)), 1e-6);
  }
}

TEST(PublishedDpe, DeclaresOneSumsSensitivityForAll) {
  const PublishedDpe dpe({.epsilon = 1, .diameter = 4, .time_span = 3});
  random::Tape tape;
  auto noise = stream();
  noise.listen(&tape);
  const Tracks first = dpe.release(trips, noise);
  noise.listen(nullptr);
  ASSERT_EQ(tape.recorded().size(), 1U);
  EXPECT_EQ(tape.recorded()[0].values.size(), trips.size());
  EXPECT_DOUBLE_EQ(tape.recorded()[0].sensitivity, 10);
}

TEST(PublishedDpe, IsAFunctionOfTripsAndNoise) {
  const PublishedDpe dpe({.epsilon = 1, .diameter = 12, .time_span = 4});
  auto one = stream(1), again = stream(1), other = stream(2);
  const Tracks first = dpe.release(trips, one);
  EXPECT_EQ(first, dpe.release(trips, again));
  EXPECT_NE(first, dpe.release(trips, other));
}

TEST(PublishedDpe, WithAPublicStartTheTripsCountOnlyThroughTheSums) {
  // Mirrored trips have the same distances: from a public start nothing else can be told.
  Tracks mirrored = trips;
  for (Track& track : mirrored)
    for (TrackPoint& p : track) p.x = 16 - p.x;
  PublishedDpe::Options options{.epsilon = 1, .diameter = 12, .time_span = 4};
  for (const bool public_start : {false, true}) {
    if (public_start) options.start = aligned(Tracks{trips[2], trips[0], trips[3], trips[1]});
    auto one = stream(1), same = stream(1);
    EXPECT_EQ(PublishedDpe(options).release(trips, one) == PublishedDpe(options).release(mirrored, same),
              public_start);
  }
}

TEST(PublishedDpe, RefusesBadInput) {
  const PublishedDpe::Options good{.epsilon = 1, .diameter = 1};
  const auto with = [&](auto change) {
    PublishedDpe::Options options = good;
    change(options);
    return options;
  };
  EXPECT_THROW(PublishedDpe(with([](auto& o) { o.epsilon = 0; })), InvalidOption);
  EXPECT_THROW(PublishedDpe(with([](auto& o) { o.diameter = -1; })), InvalidOption);
  EXPECT_THROW(PublishedDpe(with([](auto& o) { o.time_span = -1; })), InvalidOption);
  EXPECT_THROW(PublishedDpe(with([](auto& o) { o.learning_rate = 2; })), InvalidOption);
  EXPECT_THROW(PublishedDpe(with([](auto& o) { o.steps = 0; })), InvalidOption);
  EXPECT_THROW(PublishedDpe(with([](auto& o) { o.start = {{}}; })), InvalidOption);
  auto noise = stream();
  EXPECT_THROW(PublishedDpe(good).release(Tracks{short_trip}, noise), InvalidOption);
  EXPECT_THROW(PublishedDpe(good).release(Tracks{short_trip, {}}, noise), InvalidOption);
  EXPECT_THROW(PublishedDpe(good).release(Tracks{short_trip, {{0, 0, std::nan("")}}}, noise), InvalidOption);
  EXPECT_THROW(PublishedDpe(with([](auto& o) { o.start = {short_trip}; })).release(trips, noise),
               InvalidOption);
}

}  // namespace
}  // namespace fogline::audit::published_dpe_test
