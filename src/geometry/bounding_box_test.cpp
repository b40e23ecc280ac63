// SPDX-License-Identifier: Apache-2.0
#include "geometry/bounding_box.hpp"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::geometry::bounding_box_test {
namespace {

TEST(BoundingBox, HoldsEveryPositionTightly) {
  const std::vector<LonLat> positions = {{3, -1}, {-2, 4}, {1, 1}};
  const BoundingBox box = bounding_box(positions);
  EXPECT_EQ(box, (BoundingBox{{-2, -1}, {3, 4}}));
  EXPECT_EQ(box.centre(), (LonLat{0.5, 1.5}));
  for (const LonLat& position : positions) EXPECT_TRUE(box.contains(position));
  EXPECT_FALSE(box.contains({3.1, 0}));
  EXPECT_FALSE(box.contains({0, -1.1}));
}

TEST(BoundingBox, NeedsOneValidPosition) {
  EXPECT_THROW(bounding_box({}), InvalidOption);
  EXPECT_THROW(bounding_box(std::vector<LonLat>{{0, std::numeric_limits<double>::quiet_NaN()}}),
               InvalidOption);
}

TEST(IsValid, RefusesNanInfinityAndWhatLiesOffTheMap) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(is_valid({180, -90}));
  for (const LonLat& position : {LonLat{180.1, 0}, LonLat{0, -90.1}, LonLat{infinity, 0},
                                 LonLat{0, -infinity}, LonLat{std::numeric_limits<double>::quiet_NaN(), 0}}) {
    EXPECT_FALSE(is_valid(position));
  }
}

}  // namespace
}  // namespace fogline::geometry::bounding_box_test
