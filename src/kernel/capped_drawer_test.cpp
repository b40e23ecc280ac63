// SPDX-License-Identifier: Apache-2.0
#include "kernel/capped_drawer.hpp"

#include <numeric>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "random/chi_square.hpp"
#include "random/key.hpp"

namespace fogline::kernel {
namespace {

using graph::Edge;
using graph::Graph;
using graph::VertexId;

/// 0 - 1 - 2 - ... of equal roads.
Graph line(VertexId count, graph::LengthMm length_mm) {
  std::vector<Edge> edges;
  for (VertexId v = 0; v + 1 < count; ++v) edges.push_back({v, v + 1, length_mm});
  return Graph::from_edges(count, edges);
}

std::vector<double> probabilities(const CappedExponential& kernel, VertexId input, graph::Dijkstra& search) {
  const WeightRow row = kernel.row(input, search);
  std::vector<double> result;
  for (const Uint128 weight : row.weights)
    result.push_back(static_cast<double>(weight) / static_cast<double>(row.total));
  return result;
}

TEST(CappedDrawer, TheNearRadiusLeavesAQuarterOfOneWeight) {
  const Graph map = line(1000, 20'000);
  const CappedExponential kernel(map, {.rate_per_mm = Rational(1, 200'000)});
  const Uint128 quarter = kernel.rule().weight(0) / 4;
  EXPECT_LE(kernel.rule().weight(kernel.near_radius_mm()) * 1000, quarter);
  EXPECT_GT(kernel.rule().weight(kernel.near_radius_mm() - 1) * 1000, quarter - 1000);
  EXPECT_LT(kernel.near_radius_mm(), kernel.rule().cap_mm() / 2);
}

TEST(CappedDrawer, DrawsFollowTheRowBeyondTheNearRadiusToo) {
  // Vertices a metre apart. Everything; twenty outputs around the near radius of 876 m, nearly half of them beyond; all far away.
  // 300,000 draws each; five deviations are passed by chance once in three million.
  const Graph map = line(4000, 1'000);
  const std::pair<VertexId, VertexId> ranges[] = {{0, 4000}, {866, 886}, {3000, 4000}};
  for (const auto& [first, beyond] : ranges) {
    std::vector<VertexId> range(beyond - first);
    std::iota(range.begin(), range.end(), first);
    const CappedExponential kernel(map, {.rate_per_mm = Rational(1, 200'000), .range = range});
    graph::Dijkstra search(map);
    CappedDrawer drawer(kernel, search);
    random::Stream noise = random::SeededKey(42).stream("near", first);
    std::vector<std::uint64_t> counts(range.size());
    constexpr std::uint64_t samples = 300'000;
    for (std::uint64_t i = 0; i < samples; ++i) ++counts[drawer.draw(0, noise) - first];
    EXPECT_LT(random::chi_square(counts, probabilities(kernel, 0, search), samples).deviations, 5) << first;
  }
}

TEST(CappedDrawer, WhatWasDrawnBeforeChangesNothing) {
  EXPECT_TRUE(rc::check([] {
    const auto count = *rc::gen::inRange<VertexId>(2, 60);
    const Graph map = line(count, *rc::gen::inRange<graph::LengthMm>(1, 400'000));
    std::vector<VertexId> range;
    for (VertexId v = 0; v < count; ++v)
      if (v == 0 || *rc::gen::inRange(0, 3) > 0) range.push_back(v);
    const CappedExponential kernel(map, {.rate_per_mm = Rational(1, 20'000), .range = range});
    graph::Dijkstra search(map), other_search(map);
    CappedDrawer drawer(kernel, search);
    const random::SeededKey key(*rc::gen::arbitrary<std::uint64_t>());
    for (std::uint64_t i = 0; i < 50; ++i) {
      const auto input = *rc::gen::inRange<VertexId>(0, count);
      random::Stream noise = key.stream("d", i), again = key.stream("d", i);
      RC_ASSERT(drawer.draw(input, noise) == kernel.draw(input, other_search, again));
    }
  }));
}

TEST(CappedDrawer, ABadInputLeavesItUsable) {
  const Graph map = line(5, 100'000);
  const CappedExponential kernel(map, {.rate_per_mm = Rational(1, 200'000)});
  graph::Dijkstra search(map);
  CappedDrawer drawer(kernel, search);
  random::Stream noise = random::SeededKey(1).stream("bad"), same = random::SeededKey(1).stream("bad");
  EXPECT_THROW(drawer.draw(5, noise), InvalidOption);
  EXPECT_EQ(drawer.draw(2, noise), kernel.draw(2, search, same));
}

}  // namespace
}  // namespace fogline::kernel
