// SPDX-License-Identifier: Apache-2.0
#include "release/spacing_field.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::release::spacing_field_test {
namespace {

graph::LengthMm value(const std::string& spacing, const std::string& network = "line:9:800",
                      double max_snap_m = 500) {
  return SpacingField{spacing}.value_mm({.network = network, .epsilon = {1, 100}, .max_snap_m = max_snap_m});
}

TEST(SpacingField, IsAutomaticWhereVerticesAreOurOwn) {
  EXPECT_EQ(value("", "porto.osm.pbf"), 75'000u);
  EXPECT_EQ(value("", "porto.osm.pbf", 20), 36'000u);
  for (const char* given : {"line:9:800", "city:1", "valley:1", "nodes.csv", "NY.gr.gz"})
    EXPECT_EQ(value("", given), 0u) << given;
}

TEST(SpacingField, IsWhatIsAskedFor) {
  EXPECT_EQ(value("none", "porto.osm.pbf"), 0u);
  EXPECT_EQ(value("auto"), 75'000u);
  EXPECT_EQ(value("12.3456"), 12'346u);
  EXPECT_EQ(value("1000000"), 1'000'000'000u);
}

TEST(SpacingField, RefusesWhatIsNoSpacing) {
  for (const char* wrong : {"0", "0.999", "1000001", "-5", "nan", "inf", "often", "10m"})
    EXPECT_THROW(value(wrong), InvalidOption) << wrong;
}

}  // namespace
}  // namespace fogline::release::spacing_field_test
