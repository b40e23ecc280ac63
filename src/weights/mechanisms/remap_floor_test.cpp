// SPDX-License-Identifier: Apache-2.0
#include "weights/mechanisms/remap_floor.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::weights::remap_floor_test {
namespace {

TEST(RemapFloor, OfTwoPointsIsTheChanceOfTheWrongAnswer) {
  // Two points alike: the best test of one bit errs with probability 1 / (1 + e^epsilon).
  for (const double epsilon : {0.1, 1.0, 4.0})
    EXPECT_NEAR(remap_floor({}, 2, epsilon), 1 / (1 + std::exp(epsilon)), 1e-15);
}

TEST(RemapFloor, OfThreePointsByHand) {
  // At e^-epsilon = 1/2 the lumped rows are (2, 1, 1), (1, 1, 1), (1, 1, 2) thirds of what each point gives: weights 4 2 1 / 1 2 1 / 1 2 4, over 6 / 6 / 6.
  const double epsilon = std::log(2.0);
  // Drawn 0: joint (4, 2, 1) / 18 with median 0: 2 + 2; drawn 1: (1, 2, 1) / 18: 1 + 1; drawn 2 as drawn 0.
  EXPECT_NEAR(remap_floor({}, 3, epsilon), (4 + 2 + 4) / 18.0, 1e-15);
}

TEST(RemapFloor, IsNeverAboveTheBestConstantAndFallsWithEpsilon) {
  const std::vector<double> prior = {0.1, 0.5, 0.2, 0.1, 0.05, 0.05};
  const double constant = 0.1 + 0.2 + 0.2 + 0.15 + 0.2;
  double last = constant + 1e-12;
  for (const double epsilon : {1e-6, 0.1, 0.5, 1.0, 2.0, 5.0, 20.0}) {
    const double floor = remap_floor(prior, prior.size(), epsilon);
    EXPECT_LE(floor, last);
    last = floor;
  }
  EXPECT_LT(last, 1e-7);
  EXPECT_NEAR(remap_floor(prior, prior.size(), 1e-6), constant, 1e-5);
}

TEST(RemapFloor, RefusesWhatItCannotCompute) {
  EXPECT_THROW(remap_floor({}, 1, 1.0), InvalidOption);
  EXPECT_THROW(remap_floor({}, most_remap_points + 1, 1.0), InvalidOption);
  EXPECT_THROW(remap_floor(std::vector<double>{1.0}, 2, 1.0), InvalidOption);
}

}  // namespace
}  // namespace fogline::weights::remap_floor_test
