// SPDX-License-Identifier: Apache-2.0
#include "geometry/projection.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "geometry/geodesic.hpp"

namespace fogline::geometry::projection_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(LocalProjection, PutsEastOnXAndNorthOnY) {
  const LocalProjection plane({0, 0});
  EXPECT_NEAR(plane.forward({1, 0}).x_m, 111'319.4908, 1e-3);
  EXPECT_NEAR(plane.forward({1, 0}).y_m, 0, 1e-6);
  EXPECT_NEAR(plane.forward({0, 1}).y_m, 110'574.3886, 1e-3);
  EXPECT_NEAR(plane.forward({0, -1}).y_m, -110'574.3886, 1e-3);
  EXPECT_NEAR(std::hypot(plane.forward({0, 0}).x_m, plane.forward({0, 0}).y_m), 0, 1e-9);
}

TEST(LocalProjection, InverseUndoesForwardAndDistancesHoldInACity) {
  EXPECT_TRUE(rc::check("round trip and distances within 50 km of any centre below 80 degrees", [] {
    const auto degrees = [](int limit) {
      return *rc::gen::inRange(-limit * 1000, limit * 1000 + 1) / 1000.0;
    };
    const LocalProjection plane({degrees(180), degrees(80)});
    const auto metres = [] { return *rc::gen::inRange(-35'000, 35'000) * 1.0; };
    const PointXY a{metres(), metres()};
    const PointXY b{metres(), metres()};
    const LonLat position = plane.inverse(a);
    const PointXY back = plane.forward(position);
    RC_ASSERT(std::hypot(back.x_m - a.x_m, back.y_m - a.y_m) < 1e-6);
    const double flat_m = std::hypot(a.x_m - b.x_m, a.y_m - b.y_m);
    RC_ASSERT(std::abs(geodesic_m(position, plane.inverse(b)) - flat_m) <= 2e-5 * flat_m + 1e-6);
  }));
}

TEST(LocalProjection, BulkGivesWhatOneByOneGives) {
  const LocalProjection plane({-8.61, 41.15});
  std::vector<LonLat> positions;
  for (int i = 0; i < 5000; ++i) positions.push_back({-8.61 + i * 1e-5, 41.15 - i * 2e-5});
  const std::vector<PointXY> points = plane.forward(positions, {.threads = 2});
  const std::vector<LonLat> back = plane.inverse(points);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    ASSERT_EQ(points[i], plane.forward(positions[i]));
    ASSERT_EQ(back[i], plane.inverse(points[i]));
  }
  EXPECT_TRUE(plane.forward(std::vector<LonLat>{}).empty());
}

TEST(LocalProjection, RefusesPositionsOutOfRange) {
  EXPECT_THROW(LocalProjection({181, 0}), InvalidOption);
  const LocalProjection plane({0, 0});
  EXPECT_THROW(plane.forward({0, 90.1}), InvalidOption);
  EXPECT_THROW(plane.forward({nan, 0}), InvalidOption);
  EXPECT_THROW(plane.forward(std::vector<LonLat>{{0, 0}, {0, nan}}), InvalidOption);
  EXPECT_THROW(plane.inverse({nan, 0}), InvalidOption);
  EXPECT_THROW(plane.inverse({3e7, 0}), InvalidOption);
}

}  // namespace
}  // namespace fogline::geometry::projection_test
