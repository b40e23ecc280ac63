// SPDX-License-Identifier: Apache-2.0
#include "audit/specimens/published_k_norm.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "random/chi_square.hpp"
#include "random/key.hpp"
#include "random/tape.hpp"

namespace fogline::audit::published_k_norm_test {
namespace {

using Direction = PublishedKNorm::Direction;
using Radius = PublishedKNorm::Radius;

// A block of a street, 8 long and 1 wide. Its differences fill the rectangle from (-8, -1) to (8, 1).
const std::vector<PlanePoint> street = {{0, 0}, {8, 0}, {8, 1}, {0, 1}};
const std::vector<PlanePoint> triangle = {{0, 0}, {6, 0}, {2, 3}};

PublishedKNorm k_norm(const std::vector<PlanePoint>& places, double epsilon,
                      Direction direction = Direction::cone_measure, Radius radius = Radius::full) {
  return PublishedKNorm({.places = places, .epsilon = epsilon, .direction = direction, .radius = radius});
}

TEST(ConvexBody, HullOfAStreetIsARectangle) {
  const ConvexBody body = ConvexBody::sensitivity_hull(street);
  EXPECT_EQ(body.faces().size(), 4U);
  EXPECT_DOUBLE_EQ(body.area(), 32);
  EXPECT_DOUBLE_EQ(body.boundary(), 36);
  EXPECT_DOUBLE_EQ(body.largest_sum(), 9);
  EXPECT_DOUBLE_EQ(body.norm({8, 1}), 1);
  EXPECT_DOUBLE_EQ(body.norm({-4, 0}), 0.5);
  EXPECT_DOUBLE_EQ(body.norm({0, -3}), 3);
  EXPECT_EQ(body.norm({0, 0}), 0);
  EXPECT_DOUBLE_EQ(body.face({1, 5}).height, 1);
  EXPECT_DOUBLE_EQ(body.face({-8, 0.5}).height, 8);
}

TEST(ConvexBody, HullOfATriangleIsAHexagonOfSixTimesItsArea) {
  const ConvexBody body = ConvexBody::sensitivity_hull(triangle);
  EXPECT_EQ(body.faces().size(), 6U);
  EXPECT_NEAR(body.area(), 54, 1e-12);
  for (const PlanePoint& a : triangle)
    for (const PlanePoint& b : triangle)
      EXPECT_NEAR(body.norm({a.x - b.x, a.y - b.y}), a == b ? 0 : 1, 1e-12);
}

TEST(ConvexBody, NormIsANorm) {
  const ConvexBody body = ConvexBody::sensitivity_hull(triangle);
  EXPECT_TRUE(rc::check("homogeneous, symmetric, triangle inequality", [&] {
    const auto number = rc::gen::map(rc::gen::inRange(-1000, 1000), [](int i) { return i / 8.0; });
    const PlanePoint a{*number, *number}, b{*number, *number};
    RC_ASSERT(std::abs(body.norm({3 * a.x, 3 * a.y}) - 3 * body.norm(a)) < 1e-9);
    RC_ASSERT(std::abs(body.norm({-a.x, -a.y}) - body.norm(a)) < 1e-9);
    RC_ASSERT(body.norm({a.x + b.x, a.y + b.y}) <= body.norm(a) + body.norm(b) + 1e-9);
  }));
}

TEST(ConvexBody, DrawsUniformlyInside) {
  // The rectangle in 16 x 4 cells of equal area; 100,000 points, five standard deviations.
  const ConvexBody body = ConvexBody::sensitivity_hull(street);
  random::Stream stream = random::SeededKey(1).stream("inside");
  std::array<std::uint64_t, 64> counts{};
  for (int i = 0; i < 100'000; ++i) {
    const PlanePoint p = body.draw_inside(stream);
    ++counts[static_cast<std::size_t>(std::clamp(p.x + 8, 0.0, 15.999)) * 4 +
             static_cast<std::size_t>(std::clamp(2 * (p.y + 1), 0.0, 3.999))];
  }
  std::array<double, 64> expected{};
  expected.fill(1.0 / 64);
  EXPECT_LT(random::chi_square(counts, expected, 100'000).deviations, 5);
}

TEST(ConvexBody, DrawsOnTheBoundaryByLength) {
  const ConvexBody body = ConvexBody::sensitivity_hull(street);
  random::Stream stream = random::SeededKey(2).stream("boundary");
  int on_ends = 0;
  for (int i = 0; i < 100'000; ++i) {
    const PlanePoint p = body.draw_on_boundary(stream);
    ASSERT_NEAR(body.norm(p), 1, 1e-12);
    on_ends += body.face(p).height > 1;
  }
  EXPECT_NEAR(on_ends / 100'000.0, 4.0 / 36, 0.005);  // half of the area, but a ninth of the length
}

/// Whether the draws follow log_density: counts by face and ring (K-norm below 1, 2, 3 and beyond) against the integral of the density, which is the same all along
/// a face. 50,000 draws.
double misfit(const PublishedKNorm& mechanism) {
  const auto& faces = mechanism.body().faces();
  const auto ring = [](double norm) { return static_cast<std::size_t>(std::min(3.0, norm)); };
  std::vector<double> expected(faces.size() * 4);
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const PlanePoint middle{(faces[i].from.x + faces[i].to.x) / 2, (faces[i].from.y + faces[i].to.y) / 2};
    const double step = 1.0 / 1024;
    for (double t = step / 2; t < 20; t += step)
      expected[i * 4 + ring(t)] += std::exp(mechanism.log_density({t * middle.x, t * middle.y}, {0, 0})) *
                                   step * t * faces[i].length * faces[i].height;
  }
  std::vector<std::uint64_t> counts(expected.size());
  random::Stream stream = random::SeededKey(3).stream("fit");
  for (int i = 0; i < 50'000; ++i) {
    const PlanePoint p = mechanism.release({0, 0}, stream);
    const auto face = static_cast<std::size_t>(&mechanism.body().face(p) - faces.data());
    ++counts[face * 4 + ring(mechanism.body().norm(p))];
  }
  return random::chi_square(counts, expected, 50'000).deviations;
}

TEST(PublishedKNorm, DrawsFollowTheirDensity) {
  EXPECT_LT(misfit(k_norm(triangle, 1.5)), 5);
  EXPECT_LT(misfit(k_norm(triangle, 1.5, Direction::boundary_length)), 5);
  EXPECT_LT(misfit(k_norm(triangle, 1.5, Direction::cone_measure, Radius::one_short)), 5);
}

/// The largest log-ratio on a fine fan of answers around both places, for each pair of the set.
double searched_loss(const PublishedKNorm& mechanism, const std::vector<PlanePoint>& places) {
  double largest = 0;
  for (const PlanePoint& a : places)
    for (const PlanePoint& b : places)
      for (int i = 0; i < 3600; ++i)
        for (const double r : {1e-4, 0.03, 0.3, 1.0, 4.0, 20.0}) {
          const double angle = (i + 0.5) * std::numbers::pi / 1800;
          const PlanePoint z{a.x + r * std::cos(angle), a.y + r * std::sin(angle)};
          largest = std::max(largest, mechanism.log_density(z, a) - mechanism.log_density(z, b));
        }
  return largest;
}

TEST(PublishedKNorm, ConeMeasureLosesEpsilon) {
  for (const auto& places : {street, triangle}) {
    const PublishedKNorm right = k_norm(places, 0.5);
    EXPECT_EQ(right.largest_loss(), 0.5);
    EXPECT_LE(searched_loss(right, places), 0.5 + 1e-12);
    EXPECT_GT(searched_loss(right, places), 0.499);
  }
}

TEST(PublishedKNorm, BoundaryLengthLosesTheRatioOfHeightsOnTop) {
  EXPECT_DOUBLE_EQ(k_norm(street, 0.5, Direction::boundary_length).largest_loss(), 0.5 + std::log(8.0));
  for (const auto& places : {street, triangle}) {
    const PublishedKNorm wrong = k_norm(places, 0.5, Direction::boundary_length);
    EXPECT_LE(searched_loss(wrong, places), wrong.largest_loss() + 1e-9);
    EXPECT_GT(searched_loss(wrong, places), wrong.largest_loss() - 1e-3);
  }
}

TEST(PublishedKNorm, ShortRadiusLosesWithoutBoundNearTheTruth) {
  const PublishedKNorm wrong = k_norm(street, 0.5, Direction::cone_measure, Radius::one_short);
  EXPECT_TRUE(std::isinf(wrong.largest_loss()));
  double before = 0;
  for (const double near : {1e-2, 1e-8, 1e-100, 1e-300}) {
    const double loss = wrong.log_density({near, 0}, street[0]) - wrong.log_density({near, 0}, street[2]);
    EXPECT_GT(loss, before + 0.5);
    before = loss;
  }
}

TEST(PublishedKNorm, NoiseMeetsThePlaceOnceAndDeclaresTheLargestSum) {
  random::Tape tape;
  random::Stream stream = random::SeededKey(4).stream("tape");
  stream.listen(&tape);
  const PlanePoint answer = k_norm(street, 0.5).release(street[2], stream);
  stream.listen(nullptr);
  ASSERT_EQ(tape.recorded().size(), 1U);
  EXPECT_EQ(tape.recorded()[0].sensitivity, 9);
  EXPECT_EQ(tape.recorded()[0].epsilon, 0.5);
  ASSERT_EQ(tape.recorded()[0].answers.size(), 2U);
  EXPECT_EQ(tape.recorded()[0].answers[0], answer.x);
  EXPECT_EQ(tape.recorded()[0].answers[1], answer.y);
}

TEST(PublishedKNorm, RefusesBadInput) {
  EXPECT_THROW(k_norm(street, 0), InvalidOption);
  EXPECT_THROW(k_norm({{0, 0}, {1, 0}}, 1), InvalidOption);
  EXPECT_THROW(k_norm({{0, 0}, {1, 1}, {2, 2}}, 1), InvalidOption);
  EXPECT_THROW(k_norm({{0, 0}, {1, 0}, {0, INFINITY}}, 1), InvalidOption);
  EXPECT_THROW(k_norm(street, 1, Direction::boundary_length, Radius::one_short), InvalidOption);
}

}  // namespace
}  // namespace fogline::audit::published_k_norm_test
