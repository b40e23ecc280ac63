// SPDX-License-Identifier: Apache-2.0
#include "graph/bit_graph.hpp"

#include <bit>

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include "base/error.hpp"

namespace fogline::graph::bit_graph_test {
namespace {

TEST(BitGraph, JoinsAndParts) {
  BitGraph g(130);
  g.join(0, 129);
  g.join(64, 63);
  g.join(5, 5);
  EXPECT_TRUE(g.joined(129, 0));
  EXPECT_FALSE(g.joined(5, 5));
  EXPECT_EQ(g.edge_count(), 2U);
  EXPECT_THAT(g.neighbours(63), testing::ElementsAre(64));
  g.part(129, 0);
  EXPECT_EQ(g.degree(0), 0U);
  EXPECT_THROW(BitGraph(0), InvalidOption);
  EXPECT_THROW(BitGraph(20'001), InvalidOption);
}

TEST(BitGraph, TheComplementHoldsTheOtherPairs) {
  EXPECT_TRUE(rc::check([] {
    const auto n = *rc::gen::inRange<std::size_t>(1, 140);
    BitGraph g(n);
    for (int i = 0; i < 50; ++i)
      g.join(static_cast<VertexId>(*rc::gen::inRange<std::size_t>(0, n)),
             static_cast<VertexId>(*rc::gen::inRange<std::size_t>(0, n)));
    const BitGraph other = g.complement();
    RC_ASSERT(g.edge_count() + other.edge_count() == n * (n - 1) / 2);
    RC_ASSERT(other.complement() == g);
  }));
}

TEST(BitGraph, CountsTheBitsThatTwoRowsShare) {
  EXPECT_TRUE(rc::check([](const std::vector<std::pair<std::uint64_t, std::uint64_t>>& words) {
    std::vector<std::uint64_t> a, b;
    std::uint32_t common = 0;
    for (const auto& [x, y] : words) {
      // Sparse and full words alike.
      a.push_back(x % 3 == 0 ? ~std::uint64_t{0} : x * 0x9E3779B97F4A7C15);
      b.push_back(y % 3 == 0 ? ~std::uint64_t{0} : y * 0xC2B2AE3D27D4EB4F);
      common += static_cast<std::uint32_t>(std::popcount(a.back() & b.back()));
    }
    RC_ASSERT(bits_in_common(a, b) == common);
  }));
}

}  // namespace
}  // namespace fogline::graph::bit_graph_test
