// SPDX-License-Identifier: Apache-2.0
#include "geometry/geodesic.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::geometry::geodesic_test {
namespace {

TEST(Geodesic, KnowsTheDegreeOfTheEquatorAndTheQuarterMeridian) {
  EXPECT_EQ(geodesic_mm({0, 0}, {1, 0}), 111'319'491U);
  EXPECT_NEAR(geodesic_m({0, 0}, {0, 90}), 10'001'965.729, 1e-3);
}

TEST(Geodesic, IsSymmetricAndAtLeastOneMillimetre) {
  EXPECT_EQ(geodesic_mm({7.4, 43.7}, {7.5, 43.8}), geodesic_mm({7.5, 43.8}, {7.4, 43.7}));
  EXPECT_EQ(geodesic_mm({7.4, 43.7}, {7.4, 43.7}), 1U);
  EXPECT_EQ(geodesic_mm({180, 10}, {-180, 10}), 1U);
}

TEST(Geodesic, RefusesPositionsOutOfRange) {
  EXPECT_THROW(geodesic_m({0, 91}, {0, 0}), InvalidOption);
  EXPECT_THROW(geodesic_m({0, 0}, {-181, 0}), InvalidOption);
}

}  // namespace
}  // namespace fogline::geometry::geodesic_test
