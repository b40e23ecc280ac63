// SPDX-License-Identifier: Apache-2.0
#include "kernel/extension.hpp"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

namespace fogline::kernel::extension_test {
namespace {

std::map<InputId, double> extended(Extension& extension, std::vector<InputId> inputs,
                                   std::vector<double> values) {
  std::map<InputId, double> result;
  extension.extend(inputs, values, [&](InputId input, double value) {
    EXPECT_TRUE(result.emplace(input, value).second) << "input " << input << " came twice";
  });
  return result;
}

TEST(Extension, IsTheLargestOfTheFallingValues) {
  // A ring of 5, with one long side.
  const Relation ring = Relation::metric(5, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}, {0, 4, 10}});
  Extension extension(ring, 1, 1e-9);
  const auto found = extended(extension, {0, 3}, {1.0, 0.5});
  EXPECT_NEAR(found.at(0), 1, 1e-15);
  EXPECT_NEAR(found.at(1), std::exp(-1), 1e-15);
  EXPECT_NEAR(found.at(2), 0.5 * std::exp(-1), 1e-15);  // from 3; from 0 it would be exp(-2)
  EXPECT_NEAR(found.at(3), 0.5, 1e-15);
  EXPECT_NEAR(found.at(4), 0.5 * std::exp(-1), 1e-15);
}

TEST(Extension, RaisesGivenValuesThatFallTooFast) {
  const Relation line = Relation::metric(2, {{0, 1, 1}});
  Extension extension(line, 1, 1e-9);
  EXPECT_NEAR(extended(extension, {0, 1}, {1.0, 0.1}).at(1), std::exp(-1), 1e-15);
}

TEST(Extension, StopsAtTheFloorAndForgetsTheLastColumn) {
  const Relation line = Relation::metric(4, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}});
  Extension extension(line, 1, 0.2);
  EXPECT_EQ(extended(extension, {0}, {1.0}).size(), 2U);  // exp(-2) is below 0.2
  EXPECT_EQ(extended(extension, {3}, {0.3}).size(), 1U);
  EXPECT_TRUE(extended(extension, {3}, {0.1}).empty());
}

}  // namespace
}  // namespace fogline::kernel::extension_test
