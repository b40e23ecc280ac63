// SPDX-License-Identifier: Apache-2.0
#include "stream/inference/median.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace fogline::stream::median_test {
namespace {

TEST(GeometricMedian, OfOnePointIsThePoint) {
  const std::vector<double> points{3, 4}, weights{2};
  EXPECT_EQ(geometric_median(points, 2, weights), points);
}

TEST(GeometricMedian, StaysOnAPointThatHoldsHalfTheWeight) {
  const std::vector<double> points{0, 0, 10, 0, 0, 10}, weights{0.5, 0.25, 0.25};
  const auto median = geometric_median(points, 2, weights);
  EXPECT_NEAR(median[0], 0, 1e-6);
  EXPECT_NEAR(median[1], 0, 1e-6);
}

TEST(GeometricMedian, OfATriangleIsItsFermatPoint) {
  const std::vector<double> points{0, 0, 1, 0, 0.5, std::sqrt(3) / 2}, weights{1, 1, 1};
  const auto median = geometric_median(points, 2, weights);
  EXPECT_NEAR(median[0], 0.5, 1e-6);
  EXPECT_NEAR(median[1], std::sqrt(3) / 6, 1e-6);
}

TEST(GeometricMedian, InOneDimensionIsTheMedian) {
  const std::vector<double> points{5, 1, 9}, weights{0.3, 0.3, 0.4};
  EXPECT_EQ(geometric_median(points, 1, weights)[0], 5);
}

TEST(GeometricMedian, LeavesOutPointsWithoutWeight) {
  const std::vector<double> points{0, 0, 2, 0, 1e9, 1e9}, weights{1, 1, 1e-30};
  EXPECT_NEAR(geometric_median(points, 2, weights)[1], 0, 1e-6);
}

TEST(GeometricMedian, NoPointNearbyIsBetter) {
  EXPECT_TRUE(rc::check("in three dimensions too", [](const std::vector<std::uint8_t>& bytes) {
    RC_PRE(bytes.size() >= 8);
    for (const std::size_t dimension : {2U, 3U}) {
      const std::size_t count = bytes.size() / (dimension + 1);
      if (count == 0) continue;
      std::vector<double> points, weights;
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k < dimension; ++k) points.push_back(bytes[i * (dimension + 1) + k]);
        weights.push_back(bytes[i * (dimension + 1) + dimension] + 1.0);
      }
      const auto median = geometric_median(points, dimension, weights);
      const double least = mean_distance(points, dimension, weights, median);
      for (std::size_t k = 0; k < dimension; ++k) {
        for (const double move : {-0.5, 0.5}) {
          auto other = median;
          other[k] += move;
          RC_ASSERT(mean_distance(points, dimension, weights, other) >= least - 1e-6);
        }
      }
      for (std::size_t i = 0; i < count; ++i) {
        const std::vector<double> point(points.begin() + static_cast<std::ptrdiff_t>(i * dimension),
                                        points.begin() + static_cast<std::ptrdiff_t>((i + 1) * dimension));
        RC_ASSERT(mean_distance(points, dimension, weights, point) >= least - 1e-5);
      }
    }
  }));
}

}  // namespace
}  // namespace fogline::stream::median_test
