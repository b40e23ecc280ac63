// SPDX-License-Identifier: Apache-2.0
#include "weights/distances/regions.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "weights/distances/region_crossings.hpp"

namespace fogline::weights::regions_test {
namespace {

/// 0 - 2 - 4 - ...
/// |   |   |
/// 1 - 3 - 5 - ...
Topology ladder(std::uint32_t rungs, bool directed = false) {
  GraphShape shape{.vertices = 2 * rungs, .directed = directed};
  for (std::uint32_t i = 0; i < rungs; ++i) {
    shape.source.push_back(2 * i);
    shape.target.push_back(2 * i + 1);
    for (std::uint32_t side = 0; i + 1 < rungs && side < 2; ++side) {
      shape.source.push_back(2 * i + side);
      shape.target.push_back(2 * i + 2 + side);
    }
  }
  return Topology(shape);
}

TEST(NestedRegions, CutALadderAcross) {
  const Topology graph = ladder(16);
  const std::vector<int> depths{1, 2};
  const NestedRegions regions(graph, depths);
  EXPECT_EQ(regions.count(0), 2U);
  EXPECT_EQ(regions.count(1), 4U);
  for (NestedRegions::Region r = 0; r < 4; ++r) {
    EXPECT_GE(regions.members(1, r).size(), 4U);
    EXPECT_LE(regions.rim(1, r).size(), 4U);
  }
  for (Topology::Vertex v = 0; v < 32; ++v)
    for (Topology::Vertex u = 0; u < 32; ++u)
      if (regions.region_of(1, u) == regions.region_of(1, v)) {
        EXPECT_EQ(regions.region_of(0, u), regions.region_of(0, v)) << "regions are nested";
      }
}

TEST(NestedRegions, EveryVertexIsAMemberOnceAndRimsAreRims) {
  const Topology graph = ladder(13, true);
  const std::vector<int> depths{3};
  const NestedRegions regions(graph, depths);
  std::vector<int> met(graph.vertex_count());
  for (NestedRegions::Region r = 0; r < regions.count(0); ++r)
    for (const Topology::Vertex v : regions.members(0, r)) {
      ++met[v];
      EXPECT_EQ(regions.region_of(0, v), r);
    }
  EXPECT_EQ(std::count(met.begin(), met.end(), 1), 26);
  for (Topology::EdgeId e = 0; e < graph.edge_count(); ++e) {
    const auto one = regions.region_of(0, graph.source(e)), other = regions.region_of(0, graph.target(e));
    if (one == other) continue;
    const auto rim = regions.rim(0, one);
    EXPECT_NE(std::find(rim.begin(), rim.end(), graph.source(e)), rim.end());
  }
}

TEST(RegionCrossings, OfACorridorAreMeasuredOnce) {
  const Topology graph = ladder(64);
  const std::vector<int> depths{2};
  const RegionCrossings cut(graph, depths);
  std::size_t measured = 0;
  for (NestedRegions::Region r = 0; r < 4; ++r) {
    const Across& across = cut.across(0, r);
    measured += across.measured.size();
    EXPECT_EQ(across.crossings.size(), across.measured.empty() ? 1U : 6U);
  }
  EXPECT_EQ(measured, 2U);  // of the two regions in the middle
}

TEST(RegionCrossings, OfADirectedGraphFollowItsDirections) {
  const Topology graph = ladder(32, true);
  const std::vector<int> depths{2};
  const RegionCrossings cut(graph, depths);
  for (NestedRegions::Region r = 0; r < cut.regions().count(0); ++r)
    for (const Crossing& crossing : cut.across(0, r).crossings) EXPECT_LT(crossing.from, crossing.to);
}

TEST(NestedRegions, GoOnWithPiecesAndSinglesAndRefuseBadDepths) {
  const Topology pieces({.vertices = 5, .source = {0, 2}, .target = {1, 3}});
  const std::vector<int> deep{6};
  const NestedRegions regions(pieces, deep);
  EXPECT_EQ(regions.count(0), 5U);
  const std::vector<int> too_deep{21}, falling{3, 2}, none{};
  EXPECT_THROW(NestedRegions(pieces, too_deep), InvalidOption);
  EXPECT_THROW(NestedRegions(pieces, falling), InvalidOption);
  EXPECT_THROW(NestedRegions(pieces, none), InvalidOption);
}

}  // namespace
}  // namespace fogline::weights::regions_test
