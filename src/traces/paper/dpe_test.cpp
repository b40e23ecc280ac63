// SPDX-License-Identifier: Apache-2.0
#include "traces/paper/dpe.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "privacy/mechanism.hpp"
#include "random/key.hpp"
#include "random/tape.hpp"
#include "traces/paper/generated_trips.hpp"

namespace fogline::traces::dpe_test {
namespace {

static_assert(privacy::Mechanism<Dpe>);

random::Stream noise_of_dpe(std::uint64_t index = 0) {
  return random::SeededKey(7).stream("dpe", index);
}

TripSet trips_of_points(const std::vector<std::vector<PlanePoint>>& trips) {
  TripSet set;
  for (const auto& trip : trips) {
    set.point.insert(set.point.end(), trip.begin(), trip.end());
    set.end_trip();
  }
  return set;
}

TripSet walks(std::size_t trips, std::size_t points = 20, std::uint64_t seed = 1) {
  return generated_trips({.trips = trips, .points = points}, random::SeededKey(seed));
}

Dpe::Options options_of_box(double epsilon) {
  return {.epsilon = epsilon, .diameter_m = std::sqrt(800.0)};
}

/// Root mean square of how far the points of two sets of one shape are apart.
double apart(const TripSet& a, const TripSet& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.point.size(); ++i)
    sum += std::pow(std::hypot(a.point[i].x - b.point[i].x, a.point[i].y - b.point[i].y), 2);
  return std::sqrt(sum / static_cast<double>(a.point.size()));
}

TEST(TripVectors, RepeatTheEndsOfShorterTrips) {
  const TripSet set = trips_of_points({{{0, 0}, {1, 0}}, {{5, 5}, {6, 5}, {7, 5}, {7, 6}, {7, 7}}});
  const TripVectors vectors = vectors_of(set);
  EXPECT_EQ(vectors.points, 5U);
  ASSERT_EQ(vectors.rows.cols(), 10);
  std::uint64_t delayed = 0;
  const TripSet kept = trips_of(vectors, set, TripEnds::kept, delayed);
  EXPECT_EQ((std::vector<PlanePoint>(kept.point.begin(), kept.point.begin() + 5)),
            (std::vector<PlanePoint>{{0, 0}, {0, 0}, {1, 0}, {1, 0}, {1, 0}}));
  const TripSet trimmed = trips_of(vectors, set, TripEnds::trimmed, delayed);
  EXPECT_EQ(trimmed.offset, set.offset);
  EXPECT_EQ(trimmed.point, set.point);
  EXPECT_EQ(delayed, 0U);
}

TEST(TripVectors, CarryTimesAndKeepThemInOrder) {
  TripSet set = trips_of_points({{{0, 0}, {1, 0}}, {{5, 5}, {6, 5}}});
  set.t = {1'700'000'000, 1'700'000'060, 1'700'000'100, 1'700'000'500};
  set.user = {4, 2};
  TripVectors vectors = vectors_of(set);
  ASSERT_EQ(vectors.rows.cols(), 6);
  EXPECT_NEAR(vectors.rows(0, 2), -50, 1e-4);
  std::uint64_t delayed = 0;
  EXPECT_EQ(trips_of(vectors, set, TripEnds::kept, delayed).t, set.t);
  EXPECT_EQ(trips_of(vectors, set, TripEnds::kept, delayed).user, set.user);
  EXPECT_EQ(delayed, 0U);
  vectors.rows(1, 5) -= 1000;  // now before the first point
  EXPECT_EQ(trips_of(vectors, set, TripEnds::kept, delayed).t,
            (std::vector<std::int64_t>{1'700'000'000, 1'700'000'060, 1'700'000'100, 1'700'000'100}));
  EXPECT_EQ(delayed, 1U);
}

TEST(TripVectors, RefuseOneTrip) {
  EXPECT_THROW(vectors_of(walks(1)), InvalidOption);
  EXPECT_THROW(vectors_of(TripSet{}), InvalidOption);
}

TEST(Penalties, TheWayOutIsTheShortest) {
  const WayOut disc = way_out(ClosedDisc{{1, 1}, 2}, {1, 2});
  EXPECT_DOUBLE_EQ(disc.depth_m, 1);
  EXPECT_DOUBLE_EQ(disc.y, 1);
  EXPECT_EQ(way_out(ClosedDisc{{0, 0}, 2}, {2, 0}).depth_m, 0);  // the rim is open
  EXPECT_EQ(way_out(ClosedDisc{{0, 0}, 2}, {0, 0}).depth_m, 2);

  // An L: the notch in its corner is outside.
  const Ring ring = {{0, 0}, {10, 0}, {10, 4}, {4, 4}, {4, 10}, {0, 10}};
  const WayOut low = way_out(ring, {8, 3});
  EXPECT_DOUBLE_EQ(low.depth_m, 1);
  EXPECT_DOUBLE_EQ(low.y, 1);
  EXPECT_EQ(way_out(ring, {6, 6}).depth_m, 0);
  EXPECT_EQ(way_out(ring, {-1, 5}).depth_m, 0);
  EXPECT_NEAR(way_out(ring, {3.5, 3.5}).depth_m, std::sqrt(0.5), 1e-12);

  const WayOut box = way_out(BoxBounds{-10, -10, 10, 10}, {13, -14});
  EXPECT_DOUBLE_EQ(box.depth_m, 5);
  EXPECT_DOUBLE_EQ(box.x, -0.6);
  EXPECT_DOUBLE_EQ(box.y, 0.8);
  EXPECT_EQ(way_out(BoxBounds{-10, -10, 10, 10}, {10, -10}).depth_m, 0);
}

TEST(Penalties, AStepGoesAsFarAsTheFactorAllowsAndNotOverTheBorder) {
  const TripSet set = trips_of_points({{{0.5F, 0}, {3, 0}}, {{0, 1.99F}, {12, 0}}});
  const Penalties rules({ClosedArea{ClosedDisc{{0, 0}, 2}, 0.3}}, BoxBounds{-10, -10, 10, 10, 5});
  TripVectors trips = vectors_of(set);
  EXPECT_EQ(rules.violations(trips), 3U);
  EXPECT_EQ(rules.violations(set), 3U);
  rules.step(trips, 0.1);
  std::uint64_t delayed = 0;
  const TripSet moved = trips_of(trips, set, TripEnds::kept, delayed);
  EXPECT_NEAR(moved.point[0].x, 0.53, 1e-5);
  EXPECT_EQ(moved.point[1], (PlanePoint{3, 0}));
  EXPECT_NEAR(moved.point[2].y, 2, 1e-4);
  EXPECT_NEAR(moved.point[3].x, 11.5, 1e-5);
  EXPECT_EQ(rules.violations(trips), 2U);
  Penalties strong = rules;
  strong.multiply(1000);
  strong.step(trips, 0.1);
  EXPECT_EQ(strong.violations(trips), 0U);
  EXPECT_EQ(strong.violations(trips_of(trips, set, TripEnds::kept, delayed)), 0U);
}

TEST(Penalties, GradientPointsInwards) {
  const TripSet set = trips_of_points({{{0.5F, 0}, {3, 0}}, {{5, 5}, {12, 0}}});
  const TripVectors trips = vectors_of(set);
  Vectors gradient = Vectors::Zero(2, 4);
  Penalties({ClosedArea{ClosedDisc{{0, 0}, 2}, 0.3}}, BoxBounds{-10, -10, 10, 10, 5})
      .add_gradient(trips, gradient);
  EXPECT_FLOAT_EQ(gradient(0, 0), -0.3F);
  EXPECT_FLOAT_EQ(gradient(1, 2), 5);
  EXPECT_EQ((gradient.array() != 0).count(), 2);
}

TEST(Penalties, RefuseBadAreas) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto closed = [](const ClosedArea& area) { return Penalties({area}, std::nullopt); };
  EXPECT_THROW(closed({ClosedDisc{{0, 0}, 0}, 1}), InvalidOption);
  EXPECT_THROW(closed({ClosedDisc{{nan, 0}, 1}, 1}), InvalidOption);
  EXPECT_THROW(closed({Ring{{0, 0}, {1, 1}}, 1}), InvalidOption);
  EXPECT_THROW(closed({ClosedDisc{{0, 0}, 1}, 0}), InvalidOption);
  EXPECT_THROW(Penalties({}, BoxBounds{1, 0, 1, 5}), InvalidOption);
  EXPECT_THROW(Penalties({}, BoxBounds{0, 0, 1, 1, -1}), InvalidOption);
}

TEST(GeneratedTrips, StayInTheBoxAndDependOnTheKeyAlone) {
  const TripSet set = walks(50, 100);
  EXPECT_EQ(set.size(), 50U);
  for (const PlanePoint& p : set.point) EXPECT_TRUE(std::abs(p.x) <= 10 && std::abs(p.y) <= 10);
  for (std::size_t i = 1; i < 100; ++i) {
    const double step = std::hypot(set.point[i].x - set.point[i - 1].x, set.point[i].y - set.point[i - 1].y);
    EXPECT_LE(step, 0.2 + 1e-5);
  }
  EXPECT_EQ(set.point, walks(50, 100).point);
  EXPECT_NE(set.point, walks(50, 100, 2).point);
  const TripSet fewer = walks(10, 100);
  EXPECT_TRUE(std::equal(fewer.point.begin(), fewer.point.end(), set.point.begin()));
  EXPECT_THROW(walks(0), InvalidOption);
  EXPECT_THROW(walks(1, 1), InvalidOption);
}

TEST(Dpe, SensitivityIsThePapers) {
  const Dpe dpe({.epsilon = 1, .diameter_m = 4, .time_span_s = 3});
  EXPECT_DOUBLE_EQ(dpe.sensitivity(4, true), 10);
  EXPECT_DOUBLE_EQ(dpe.sensitivity(4, false), 8);
}

TEST(Dpe, PromisesNothing) {
  const privacy::Guarantee guarantee = Dpe(options_of_box(1)).guarantee();
  EXPECT_EQ(guarantee.notion(), privacy::Notion::none);
  EXPECT_EQ(guarantee.reason(), dpe_reason());
}

TEST(Dpe, DeclaresOneSumsSensitivityForAll) {
  const TripSet set = walks(5, 8);
  random::Tape tape;
  random::Stream noise = noise_of_dpe();
  noise.listen(&tape);
  const Dpe dpe(options_of_box(1));
  dpe.release(set, noise);
  noise.listen(nullptr);
  ASSERT_EQ(tape.recorded().size(), 1U);
  EXPECT_EQ(tape.recorded()[0].values.size(), 5U);
  EXPECT_DOUBLE_EQ(tape.recorded()[0].sensitivity, dpe.sensitivity(8, false));
  // One trip replaced changes them all.
  TripSet other = set;
  for (std::size_t p = 0; p < 8; ++p) other.point[p] = {9, 9};
  random::Tape second;
  random::Stream again = noise_of_dpe();
  again.listen(&second);
  dpe.release(other, again);
  again.listen(nullptr);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NE(tape.recorded()[0].values[i], second.recorded()[0].values[i]);
}

TEST(Dpe, MovesTripsTowardsTheNoisySums) {
  const TripSet set = walks(60);
  random::Stream noise = noise_of_dpe();
  Dpe::Options options = options_of_box(1);
  options.steps = 300;
  options.learning_rate = 0.9;
  const DpeOutput output = Dpe(options).release(set, noise);
  EXPECT_GT(output.first_loss, 0);
  EXPECT_LT(output.last_loss, 0.05 * output.first_loss);
  EXPECT_EQ(output.trips.offset, set.offset);
}

TEST(Dpe, GivesBackThePrivateTripsWhenThereAreManyOfThem) {
  // The more trips, the less the noise of one sum matters: what comes out is what went in.
  const TripSet set = walks(400, 10);
  random::Stream noise = noise_of_dpe();
  const DpeOutput output = Dpe(options_of_box(1)).release(set, noise);
  EXPECT_GT(apart(set, output.trips), 0);
  EXPECT_LT(apart(set, output.trips), 0.2);  // in a box of side 20
}

TEST(Dpe, TheMeanOfTheTripsComesOutAsItWentIn) {
  const TripSet set = walks(30);
  random::Stream noise = noise_of_dpe();
  const DpeOutput output = Dpe(options_of_box(0.1)).release(set, noise);
  double before = 0, after = 0;
  for (const PlanePoint& p : set.point) before += static_cast<double>(p.x);
  for (const PlanePoint& p : output.trips.point) after += static_cast<double>(p.x);
  EXPECT_GT(apart(set, output.trips), 1);
  EXPECT_NEAR(before / 600, after / 600, 1e-3);
}

TEST(Dpe, IsAFunctionOfTripsAndNoise) {
  const TripSet set = walks(20);
  const Dpe dpe(options_of_box(1));
  random::Stream one = noise_of_dpe(1), same = noise_of_dpe(1), other = noise_of_dpe(2);
  const TripSet first = dpe.release(set, one).trips;
  EXPECT_EQ(first.point, dpe.release(set, same).trips.point);
  EXPECT_NE(first.point, dpe.release(set, other).trips.point);
}

TEST(Dpe, AnEmbeddingOfAllPairsIsMappedBackAlmostExactly) {
  // 40 trips of 20 points in 38 of 40 dimensions: a turned copy, and a linear map turns it back.
  const TripSet set = walks(40);
  Dpe::Options options = options_of_box(1000);
  options.dimensions = 38;
  options.embed_by = DpeMatch::pairs;
  options.embed_rate = 0.25;
  options.embed_steps = 100;
  random::Stream noise = noise_of_dpe();
  EXPECT_LT(apart(set, Dpe(options).release(set, noise).trips), 0.5);
}

TEST(Dpe, AnEmbeddingOfSumsKeepsOnlyWhatRegressionFinds) {
  // 10 random numbers a trip explain about 10 of 99 parts of the trips.
  const TripSet set = walks(100);
  Dpe::Options options = options_of_box(1000);
  options.dimensions = 10;
  options.embed_steps = 20;
  random::Stream noise = noise_of_dpe();
  const double lost = std::pow(apart(set, Dpe(options).release(set, noise).trips), 2);
  const TripVectors vectors = vectors_of(set);
  const double all = static_cast<double>(vectors.rows.squaredNorm()) / 2000;
  EXPECT_NEAR(lost / all, 1 - 10.0 / 99, 0.08);
}

TEST(Dpe, AutomaticPenaltiesLeaveNoPointWhereItMustNotBe) {
  const TripSet set = walks(30, 30);
  Dpe::Options options = options_of_box(0.01);
  options.steps = 50;
  options.closed = {{ClosedDisc{{0, 0}, 2}, 0.3}, {Ring{{5, 5}, {9, 5}, {9, 9}, {5, 9}}, 0.3}};
  options.bounds = BoxBounds{-10, -10, 10, 10, 5};
  const Penalties rules(options.closed, options.bounds);
  random::Stream fixed_noise = noise_of_dpe(), noise = noise_of_dpe();
  const DpeOutput fixed = Dpe(options).release(set, fixed_noise);
  EXPECT_GT(fixed.violations, 0U);
  EXPECT_EQ(fixed.violations, rules.violations(fixed.trips));
  EXPECT_EQ(fixed.factor, 1);
  options.factors = PenaltyFactors::automatic;
  const DpeOutput output = Dpe(options).release(set, noise);
  EXPECT_EQ(output.violations, 0U);
  EXPECT_EQ(rules.violations(output.trips), 0U);
  EXPECT_GT(output.factor, 1);
}

TEST(Dpe, PenaltiesReachThroughAnEmbedding) {
  const TripSet set = walks(60, 10);
  Dpe::Options options = options_of_box(1000);
  options.dimensions = 15;
  options.embed_steps = 20;
  options.steps = 150;
  options.learning_rate = 0.02;
  random::Stream plain_noise = noise_of_dpe(), noise = noise_of_dpe();
  const TripSet plain = Dpe(options).release(set, plain_noise).trips;
  options.closed = {{ClosedDisc{{0, 0}, 4}, 3}};
  const Penalties rules(options.closed, options.bounds);
  const DpeOutput output = Dpe(options).release(set, noise);
  EXPECT_LT(2 * output.violations, rules.violations(plain));
}

TEST(Dpe, MovesTimesToo) {
  TripSet set = walks(10, 5);
  for (std::size_t p = 0; p < set.point.size(); ++p)
    set.t.push_back(1'700'000'000 + static_cast<std::int64_t>(p % 5) * 60);
  Dpe::Options options = options_of_box(1);
  options.time_span_s = 300;
  options.ends = TripEnds::trimmed;
  random::Stream noise = noise_of_dpe();
  const TripSet moved = Dpe(options).release(set, noise).trips;
  ASSERT_EQ(moved.t.size(), set.t.size());
  for (std::size_t i = 0; i < moved.size(); ++i)
    EXPECT_TRUE(std::is_sorted(moved.times(i).begin(), moved.times(i).end()));
}

TEST(Dpe, CanBeStopped) {
  Dpe::Options options = options_of_box(1);
  options.progress = [](const ProgressUpdate&) { return false; };
  random::Stream noise = noise_of_dpe();
  EXPECT_THROW(Dpe(options).release(walks(5), noise), Cancelled);
}

TEST(Dpe, RefusesBadInput) {
  const auto with = [](auto change) {
    Dpe::Options options = options_of_box(1);
    change(options);
    return options;
  };
  EXPECT_THROW(Dpe(with([](auto& o) { o.epsilon = 0; })), InvalidOption);
  EXPECT_THROW(Dpe(with([](auto& o) { o.diameter_m = -1; })), InvalidOption);
  EXPECT_THROW(Dpe(with([](auto& o) { o.time_span_s = -1; })), InvalidOption);
  EXPECT_THROW(Dpe(with([](auto& o) { o.learning_rate = 11; })), InvalidOption);
  EXPECT_THROW(Dpe(with([](auto& o) { o.embed_rate = 0; })), InvalidOption);
  EXPECT_THROW(Dpe(with([](auto& o) { o.steps = 0; })), InvalidOption);
  EXPECT_THROW(Dpe(with([](auto& o) { o.embed_steps = 100'001; })), InvalidOption);
  EXPECT_THROW(Dpe(with([](auto& o) { o.dimensions = 100'001; })), InvalidOption);
  EXPECT_THROW(Dpe(with([](auto& o) { o.bounds = BoxBounds{}; })), InvalidOption);
  random::Stream noise = noise_of_dpe();
  EXPECT_THROW(Dpe(options_of_box(1)).release(walks(1), noise), InvalidOption);
}

}  // namespace
}  // namespace fogline::traces::dpe_test
