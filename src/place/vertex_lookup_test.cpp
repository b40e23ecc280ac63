// SPDX-License-Identifier: Apache-2.0
#include "place/vertex_lookup.hpp"

#include <gtest/gtest.h>

#include "roads/read_network.hpp"

namespace fogline::place::vertex_lookup_test {
namespace {

TEST(VertexLookup, FindsByNumberWhereThereIsNoName) {
  const io::VertexLookup lookup = vertex_lookup(roads::make_network("line:5:400"));
  EXPECT_EQ(lookup("4"), 4U);
  EXPECT_EQ(lookup("5"), std::nullopt);
  EXPECT_EQ(lookup("04"), std::nullopt);
}

TEST(VertexLookup, FindsByNameWhereThereIsOne) {
  roads::RoadNetwork line = roads::make_network("line:3:400");
  line.vertex_name = {700, 800, 900};
  const io::VertexLookup lookup = vertex_lookup(line);
  EXPECT_EQ(lookup("800"), 1U);
  EXPECT_EQ(lookup("1"), std::nullopt);
}

}  // namespace
}  // namespace fogline::place::vertex_lookup_test
