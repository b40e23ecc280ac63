// SPDX-License-Identifier: Apache-2.0
#include "stream/steps/k_norm.hpp"

#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "random/chi_square.hpp"
#include "random/key.hpp"
#include "stream/policy/sensitivity.hpp"
#include "stream/steps/laplace.hpp"

namespace fogline::stream::k_norm_test {
namespace {

using geometry::LatticeBody;
using geometry::LatticePoints;
using Point = std::vector<std::int64_t>;

LatticePoints points_of(const std::vector<Point>& list) {
  LatticePoints points{.dimension = list.front().size()};
  for (const Point& point : list) points.add(point);
  return points;
}

std::shared_ptr<const LatticeBody> body_of(const std::vector<Point>& list) {
  return std::make_shared<const LatticeBody>(LatticeBody::hull(points_of(list)));
}

/// All integer points of a box around the origin.
std::vector<Point> box(std::size_t dimension, std::int64_t reach) {
  std::vector<Point> points;
  for (Point point(dimension, -reach);;) {
    points.push_back(point);
    std::size_t j = 0;
    while (j < dimension && point[j] == reach) point[j++] = -reach;
    if (j == dimension) return points;
    ++point[j];
  }
}

/// Where in the box a point stands.
std::optional<std::size_t> place_in_box(const Point& point, std::int64_t reach) {
  std::int64_t place = 0;
  for (std::size_t j = point.size(); j-- > 0;) {
    if (std::abs(point[j]) > reach) return std::nullopt;
    place = place * (2 * reach + 1) + point[j] + reach;
  }
  return static_cast<std::size_t>(place);
}

/// Draws against exp(-epsilon ||v||) over a box beyond which next to nothing lies.
double misfit(const std::vector<Point>& corners, const Rational& epsilon, std::int64_t reach,
              std::uint64_t samples) {
  const LatticeKNorm noise(body_of(corners), epsilon);
  const std::vector<Point> cells = box(noise.body().dimension(), reach);
  std::vector<double> norms(cells.size());
  noise.body().distances(Point(noise.body().dimension()), points_of(cells), norms);
  std::vector<double> probability;
  for (const double norm : norms) probability.push_back(std::exp(-epsilon.to_double() * norm));
  const double total = std::accumulate(probability.begin(), probability.end(), 0.0);
  for (double& p : probability) p /= total;
  std::vector<std::uint64_t> counts(cells.size());
  random::Stream stream = random::SeededKey(61).stream("k-norm");
  for (std::uint64_t i = 0; i < samples; ++i) {
    if (const auto cell = place_in_box(noise.draw(stream), reach)) ++counts[*cell];
  }
  return random::chi_square(counts, probability, samples).deviations;
}

// Each fit draws with a fixed seed and allows 5 deviations: with fresh seeds, a false alarm less than once in three million.
TEST(LatticeKNorm, FollowsItsLawOnALine) {
  EXPECT_LT(misfit({{3}}, {1, 1}, 100, 60'000), 5);
  EXPECT_LT(misfit({{7}}, {13, 2}, 60, 60'000), 5);
  EXPECT_LT(misfit({{1}}, {1, 10}, 300, 60'000), 5);
}

TEST(LatticeKNorm, FollowsItsLawInThePlane) {
  EXPECT_LT(misfit({{4, 1}, {1, 1}, {-1, 1}}, {1, 1}, 80, 100'000), 5);
  EXPECT_LT(misfit({{1, 0}, {0, 1}}, {1, 2}, 40, 100'000), 5);
  EXPECT_LT(misfit({{6, 0}, {0, 6}, {6, 6}}, {3, 1}, 50, 100'000), 5);  // corners are multiples
  EXPECT_LT(misfit({{7, 2}, {-3, 5}}, {21, 2}, 20, 30'000), 5);         // cut into ten parts
}

TEST(LatticeKNorm, FollowsItsLawByCells) {
  // Large enough that cells hold several points each.
  EXPECT_LT(misfit({{40, 7}, {-11, 35}}, {8, 1}, 100, 60'000), 5);
  EXPECT_LT(misfit({{31, 2}, {30, 29}, {-6, 33}}, {25, 2}, 60, 60'000), 5);
  EXPECT_LT(misfit({{9, 1, 0}, {0, 8, 3}, {2, -1, 10}, {7, 7, 7}}, {11, 1}, 16, 30'000), 5);
  EXPECT_LT(misfit({{12, -12, 0}, {0, 14, -14}}, {10, 1}, 35, 60'000), 5);
}

TEST(LatticeKNorm, FollowsItsLawOnFlats) {
  EXPECT_LT(misfit({{2, 4}}, {1, 1}, 60, 60'000), 5);
  EXPECT_LT(misfit({{2, -2, 0}, {0, 2, -2}, {2, 1, -3}}, {2, 1}, 20, 60'000), 5);
  EXPECT_LT(misfit({{4, 6, 2}}, {3, 1}, 25, 30'000), 5);
}

TEST(LatticeKNorm, FollowsItsLawInSpace) {
  EXPECT_LT(misfit({{2, 1, 0}, {0, 2, 1}, {1, 0, 2}, {1, -1, 1}}, {5, 2}, 15, 60'000), 5);
  EXPECT_LT(misfit({{1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}}, {2, 1}, 10, 60'000), 5);
}

TEST(LatticeKNorm, FollowsItsLawInFiveDimensions) {
  EXPECT_LT(misfit({{1, 0, 0, 0, 0}, {0, 1, 0, 0, 0}, {0, 0, 1, 0, 0}, {0, 0, 0, 1, 0}, {1, 1, 0, -1, 1}},
                   {6, 1}, 3, 10'000),
            5);
}

TEST(LatticeKNorm, HasTheMeanNormOfContinuousNoiseOnAFineLattice) {
  random::Stream stream = random::SeededKey(62).stream("k-norm");
  const std::vector<std::pair<std::shared_ptr<const LatticeBody>, double>> bodies = {
      {body_of({{90'001}}), 1},
      {body_of({{70'001, 9'000}, {-20'011, 81'000}, {5'000, 99'991}}), 2},
      {body_of(
           {{70'001, 9'000, 300}, {-20'011, 81'000, 1}, {5'000, 9'991, 77'000}, {40'000, 40'000, 60'000}}),
       3},
      {body_of({{9'001, 20, -90, 0, 4},
                {7, 8'002, 5, 1, 9},
                {0, 3, 7'003, 800, 3},
                {5, 2, 0, 9'004, 90},
                {4'000, 4'000, 4'000, 0, 8'005}}),
       5}};
  for (const auto& [body, dimension] : bodies) {
    for (const Rational epsilon : {Rational(1, 2), Rational(2)}) {
      const LatticeKNorm noise(body, epsilon);
      double sum = 0;
      constexpr int draws = 4000;
      for (int i = 0; i < draws; ++i) sum += body->norm(noise.draw(stream));
      const double mean = dimension / epsilon.to_double();
      // The norm is Gamma distributed: variance d / epsilon^2.
      EXPECT_NEAR(sum / draws, mean, 5 * mean / std::sqrt(dimension * draws)) << dimension;
    }
  }
}

TEST(LatticeKNorm, IsThePointItselfForAPoint) {
  const LatticeKNorm noise(body_of({{0, 0}}), {1, 1});
  random::Stream stream = random::SeededKey(63).stream("k-norm");
  EXPECT_EQ(noise.draw(stream), (Point{0, 0}));
  EXPECT_EQ(noise.log_weight(Point{0, 1}), -std::numeric_limits<double>::infinity());
}

TEST(LatticeKNorm, RefusesBadEpsilons) {
  EXPECT_THROW(LatticeKNorm(body_of({{1}}), Rational(0)), InvalidOption);
  EXPECT_THROW(LatticeKNorm(body_of({{1}}), Rational(1001)), InvalidOption);
}

/// Three states joined in a chain and one apart.
Situation small_situation() {
  return {.states = {0, 1, 2, 3},
          .prior = {0.25, 0.25, 0.25, 0.25},
          .policy = {.states = 4, .pairs = {{0, 1}, {1, 2}}},
          .points = points_of({{0, 0}, {2, 1}, {1, 3}, {6, 6}})};
}

TEST(KNorm, KeepsItsPromiseOnEveryAnswer) {
  const Situation situation = small_situation();
  const auto mechanism = make_k_norm(situation, {3, 2});
  const StepCertificate certificate = mechanism->certify();
  EXPECT_TRUE(certificate.kept);
  EXPECT_DOUBLE_EQ(certificate.joined_loss, 1.5);
  EXPECT_EQ(certificate.pairs, 2U);
  double joined = 0, any = 0;
  std::vector<double> out(4);
  for (const Point& z : box(2, 25)) {
    mechanism->log_weights(z, out);
    for (std::size_t a = 0; a < 4; ++a) {
      for (std::size_t b = 0; b < 4; ++b) {
        any = std::max(any, out[a] - out[b]);
        if (a + b == 1 || a + b == 3) {
          if (a < 3 && b < 3) joined = std::max(joined, out[a] - out[b]);
        }
      }
    }
  }
  EXPECT_NEAR(joined, certificate.joined_loss, 1e-12);
  EXPECT_NEAR(any, certificate.any_two_loss, 1e-12);
}

TEST(KNorm, TellsWhatAFlatHullGivesAway) {
  const Situation situation = {.states = {0, 1, 2},
                               .prior = {0.5, 0.25, 0.25},
                               .policy = {.states = 3, .groups = {{0, 1}}},
                               .points = points_of({{2, 1}, {3, 0}, {4, 2}})};
  const auto mechanism = make_k_norm(situation, {1, 1});
  const StepCertificate certificate = mechanism->certify();
  EXPECT_TRUE(certificate.kept);
  EXPECT_DOUBLE_EQ(certificate.joined_loss, 1);
  EXPECT_EQ(certificate.any_two_loss, std::numeric_limits<double>::infinity());
  std::vector<double> out(3);
  mechanism->log_weights({1, 2}, out);
  EXPECT_DOUBLE_EQ(out[0], -1);
  EXPECT_DOUBLE_EQ(out[1], -2);
  EXPECT_EQ(out[2], -std::numeric_limits<double>::infinity());
  EXPECT_THROW(mechanism->log_weights({1, 1}, out), InvalidOption);
  EXPECT_THROW(mechanism->log_weights({1}, out), InvalidOption);
}

TEST(KNorm, ANoiseForASmallerHullIsNotCertified) {
  const Situation situation = small_situation();
  const auto small = std::make_shared<const LatticeKNorm>(body_of({{2, 1}, {0, 1}}), Rational(1));
  const StepCertificate certificate = make_k_norm(situation, small, {1, 1})->certify();
  EXPECT_FALSE(certificate.kept);
  EXPECT_GT(certificate.joined_loss, 1);
}

TEST(KNorm, CertifiesGroupsByTheirCorners) {
  EXPECT_TRUE(rc::check("groups", [] {
    const auto dimension = *rc::gen::inRange<std::size_t>(1, 4);
    Situation situation;
    situation.points.dimension = dimension;
    std::vector<std::uint32_t> group;
    const auto size = *rc::gen::inRange<std::uint32_t>(2, 12);
    for (std::uint32_t i = 0; i < size; ++i) {
      situation.states.push_back(i);
      group.push_back(i);
      for (std::size_t j = 0; j < dimension; ++j)
        situation.points.coordinates.push_back(*rc::gen::inRange<std::int64_t>(-9, 10));
    }
    situation.policy = {.states = size, .groups = {group}};
    const auto mechanism = make_k_norm(situation, {1, 1});
    const StepCertificate certificate = mechanism->certify();
    const LatticeBody body = sensitivity_hull(situation.policy, situation.points);
    RC_ASSERT(certificate.kept);
    RC_ASSERT(certificate.pairs == size * (size - 1) / 2);
    for (std::uint32_t a = 0; a < size; ++a) {
      for (std::uint32_t b = 0; b < size; ++b) {
        Point difference;
        for (std::size_t j = 0; j < dimension; ++j)
          difference.push_back(situation.points[a][j] - situation.points[b][j]);
        RC_ASSERT(body.contains(difference));
      }
    }
  }));
}

TEST(Laplace, FollowsItsLawAndKeepsItsPromise) {
  const Situation situation = small_situation();
  const auto mechanism = make_laplace(situation, {2, 1});
  const StepCertificate certificate = mechanism->certify();
  EXPECT_TRUE(certificate.kept);
  EXPECT_DOUBLE_EQ(certificate.joined_loss, 2);
  EXPECT_DOUBLE_EQ(certificate.any_two_loss, 8);  // 12 steps apart in sum, sensitivity 3
  std::vector<double> out(4);
  mechanism->log_weights({2, 2}, out);
  EXPECT_NEAR(out[1] - out[0], 2.0, 1e-12);
  std::map<Point, std::uint64_t> counts;
  random::Stream stream = random::SeededKey(64).stream("laplace");
  constexpr std::uint64_t samples = 100'000;
  for (std::uint64_t i = 0; i < samples; ++i) ++counts[mechanism->draw(1, stream)];
  std::vector<std::uint64_t> found;
  std::vector<double> probability;
  const double q = std::exp(-2.0 / 3), share = std::tanh(1.0 / 3);
  for (const Point& z : box(2, 20)) {
    probability.push_back(share * share * std::pow(q, std::abs(z[0] - 2) + std::abs(z[1] - 1)));
    found.push_back(counts[z]);
  }
  EXPECT_LT(random::chi_square(found, probability, samples).deviations, 5);
}

TEST(Laplace, AddsNothingWhereAllJoinedAnswersAreTheSame) {
  const Situation situation = {.states = {0, 1, 2},
                               .prior = {0.5, 0.25, 0.25},
                               .policy = {.states = 3, .pairs = {{0, 1}}},
                               .points = points_of({{2}, {2}, {4}})};
  const auto mechanism = make_laplace(situation, {1, 1});
  random::Stream stream = random::SeededKey(65).stream("laplace");
  EXPECT_EQ(mechanism->draw(2, stream), (Answer{4}));
  EXPECT_EQ(mechanism->certify().any_two_loss, std::numeric_limits<double>::infinity());
  std::vector<double> out(3);
  mechanism->log_weights({2}, out);
  EXPECT_EQ(out[0], 0);
  EXPECT_EQ(out[2], -std::numeric_limits<double>::infinity());
  EXPECT_THROW(make_laplace(situation, Rational(0)), InvalidOption);
}

}  // namespace
}  // namespace fogline::stream::k_norm_test
