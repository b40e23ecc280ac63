// SPDX-License-Identifier: Apache-2.0
#include "graph/strong_components.hpp"

#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"

namespace fogline::graph::strong_components_test {
namespace {

Components parts_of(const std::vector<std::vector<VertexId>>& heads) {
  std::vector<std::uint32_t> first = {0};
  std::vector<VertexId> all;
  for (const auto& row : heads) {
    all.insert(all.end(), row.begin(), row.end());
    first.push_back(static_cast<std::uint32_t>(all.size()));
  }
  return strong_components(first, all);
}

TEST(StrongComponents, FindsCirclesAndWhatStandsAlone) {
  // 0 -> 1 -> 2 -> 0, 2 -> 3, 3 <-> 4, 5
  const Components parts = parts_of({{1}, {2}, {0, 3}, {4}, {3}, {}});
  EXPECT_EQ(parts.of_vertex, (std::vector<std::uint32_t>{0, 0, 0, 1, 1, 2}));
  EXPECT_EQ(parts.vertex_count, (std::vector<std::size_t>{3, 2, 1}));
  EXPECT_EQ(parts.members(parts.largest()), (std::vector<VertexId>{0, 1, 2}));
}

TEST(StrongComponents, AgreesWithReachability) {
  EXPECT_TRUE(rc::check([] {
    const auto n = *rc::gen::inRange<std::size_t>(1, 9);
    const auto vertex = rc::gen::inRange<VertexId>(0, static_cast<VertexId>(n));
    const auto heads = *rc::gen::container<std::vector<std::vector<VertexId>>>(
        n, rc::gen::container<std::vector<VertexId>>(2, vertex));
    std::vector<std::vector<char>> reach(n, std::vector<char>(n));
    for (std::size_t v = 0; v < n; ++v) {
      reach[v][v] = 1;
      for (const VertexId head : heads[v]) reach[v][head] = 1;
    }
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b)
          if (reach[a][k] != 0 && reach[k][b] != 0) reach[a][b] = 1;
    const Components parts = parts_of(heads);
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b)
        RC_ASSERT((parts.of_vertex[a] == parts.of_vertex[b]) == (reach[a][b] != 0 && reach[b][a] != 0));
  }));
}

TEST(StrongComponents, ALongChainNeedsNoDeepStack) {
  const std::uint32_t n = 300'000;
  std::vector<std::uint32_t> first(n + 1), heads(n);
  for (std::uint32_t v = 0; v < n; ++v) {
    first[v + 1] = v + 1;
    heads[v] = (v + 1) % n;
  }
  EXPECT_EQ(strong_components(first, heads).count(), 1u);
}

TEST(StrongComponents, RefusesRowsThatDoNotFit) {
  EXPECT_THROW(strong_components(std::vector<std::uint32_t>{}, {}), InvalidOption);
  EXPECT_THROW(strong_components(std::vector<std::uint32_t>{0, 1}, std::vector<VertexId>{1}), InvalidOption);
}

}  // namespace
}  // namespace fogline::graph::strong_components_test
