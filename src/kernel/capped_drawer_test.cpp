// SPDX-License-Identifier: Apache-2.0
#include "kernel/capped_drawer.hpp"

#include <numeric>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "random/chi_square.hpp"
#include "random/key.hpp"

namespace fogline::kernel::capped_drawer_test {
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

/// Bounds that are kept spare searches, and change nothing in what is drawn.
TEST(CappedDrawer, DrawsTheSameWithBoundsThatAreKept) {
  EXPECT_TRUE(rc::check([] {
    const auto count = *rc::gen::inRange<VertexId>(2, 300);
    const Graph map = line(count, *rc::gen::inRange<graph::LengthMm>(1, 200'000));
    std::vector<VertexId> range;
    for (VertexId v = 0; v < count; ++v)
      if (v == 0 || *rc::gen::inRange(0, 3) > 0) range.push_back(v);
    const CappedExponential plain(map, {.rate_per_mm = Rational(1, 200'000), .range = range});
    CappedExponential bounded = plain;
    bounded.keep_draw_bounds(find_draw_bounds(plain, map, {.threads = 1}));
    graph::Dijkstra search(map), other(map);
    CappedDrawer first(plain, search), second(bounded, other);
    const random::SeededKey key(*rc::gen::arbitrary<std::uint64_t>());
    for (std::uint64_t draw = 0; draw < 50; ++draw) {
      const auto input = static_cast<VertexId>(draw * 7 / 3 % count);
      random::Stream noise = key.stream("place", draw), same = key.stream("place", draw);
      const Uint128 total = plain.total(input, search);
      RC_ASSERT(total <= bounded.draw_bounds()[input]);
      RC_ASSERT(first.draw(input, noise) == second.draw(input, same));
    }
  }));
}

TEST(CappedDrawer, BoundsThatDoNotFitAreRefused) {
  const Graph map = line(3, 1'000);
  CappedExponential kernel(map, {.rate_per_mm = Rational(1, 200'000)});
  EXPECT_THROW(kernel.keep_draw_bounds({1, 2}), InvalidOption);
  EXPECT_THROW(kernel.keep_draw_bounds({1, 0, 2}), InvalidOption);
}

TEST(CappedDrawer, WhatLiesBeyondTheNearPartIsBounded) {
  EXPECT_TRUE(rc::check([] {
    const auto count = *rc::gen::inRange<VertexId>(2, 300);
    const Graph map = line(count, *rc::gen::inRange<graph::LengthMm>(1, 200'000));
    std::vector<VertexId> range;
    for (VertexId v = 0; v < count; ++v)
      if (v == 0 || *rc::gen::inRange(0, 3) > 0) range.push_back(v);
    const CappedExponential kernel(map, {.rate_per_mm = Rational(1, 200'000), .range = range});
    graph::Dijkstra search(map);
    const auto input = *rc::gen::inRange<VertexId>(0, count);
    const auto part = kernel.near_part(input);
    const WeightRow row = kernel.row(input, search);
    std::uint64_t found = 0;
    Uint128 beyond = row.total;
    for (const auto& [vertex, distance_mm] : search.within(input, part.radius_mm)) {
      if (!kernel.in_range(vertex)) continue;
      ++found;
      beyond -= kernel.weight(vertex, distance_mm);
    }
    RC_ASSERT(found <= part.most_count);
    RC_ASSERT(part.most_count <= range.size());
    RC_ASSERT(beyond <= part.most_of_one * (part.most_count - found) + part.most_of_rest);
    RC_ASSERT(part.most_of_one * part.most_count + part.most_of_rest <= kernel.rule().weight(0) / 4);
  }));
}

TEST(CappedDrawer, TheNearPartDoesNotGrowWithTheMap) {
  // The same street, as part of a short and of a long one.
  const Graph shorter = line(2'000, 10'000), longer = line(100'000, 10'000);
  const CappedExponential small(shorter, {.rate_per_mm = Rational(1, 200'000)});
  const CappedExponential large(longer, {.rate_per_mm = Rational(1, 200'000)});
  EXPECT_LT(large.near_part(1'000).radius_mm, small.near_part(1'000).radius_mm * 5 / 4);
}

TEST(CappedDrawer, DrawsFollowTheRowBeyondTheNearRadiusToo) {
  // Vertices a metre apart. Everything; twenty outputs around the near radius of about 1,015 m, half of them beyond; all far away.
  // 300,000 draws each; five deviations are passed by chance once in three million.
  const Graph map = line(4000, 1'000);
  const std::pair<VertexId, VertexId> ranges[] = {{0, 4000}, {1005, 1025}, {3000, 4000}};
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

TEST(CappedDrawer, DrawsAroundTheCapFollowTheRule) {
  // A line on which the fourth vertex lies a millimetre before the cap of the first, the next at it, a millimetre beyond it and far beyond;
  // one vertex is on its own. Handicaps take every output to a few e-foldings of the weight that all have beyond the cap, so that what
  // lies within and what lies beyond come up about as often. 40,000 draws each; five deviations are passed once in three million.
  const Rational rate(1, 20'000);
  const ExponentialRule rule(rate);
  const auto cap = static_cast<graph::LengthMm>(rule.cap_mm());
  const std::vector<Edge> edges{{0, 1, 10}, {1, 2, cap - 12}, {2, 3, 1}, {3, 4, 1}, {4, 5, 1}, {5, 6, cap}};
  const Graph map = Graph::from_edges(8, edges);
  const std::vector<std::uint32_t> alike(8, cap),
      uneven{cap - 40'000, cap, cap - 10'000, cap - 30'000, cap, cap - 20'000, cap - 50'000, cap - 1};
  graph::Dijkstra search(map);
  for (const auto& handicap : {alike, uneven}) {
    const CappedExponential kernel(map, {.rate_per_mm = rate, .handicap_mm = handicap});
    for (VertexId input = 0; input < 8; ++input) {
      std::vector<double> expected;
      const auto distance = search.one_to_all(input);
      for (VertexId v = 0; v < 8; ++v)
        expected.push_back(static_cast<double>(
            rule.weight(distance[v] == graph::unreachable ? rule.cap_mm() : distance[v] + handicap[v])));
      const double total = std::accumulate(expected.begin(), expected.end(), 0.0);
      for (double& share : expected) share /= total;
      CappedDrawer drawer(kernel, search);
      random::Stream noise = random::SeededKey(7).stream("cap", input);
      std::vector<std::uint64_t> counts(8);
      constexpr std::uint64_t samples = 40'000;
      for (std::uint64_t i = 0; i < samples; ++i) ++counts[drawer.draw(input, noise)];
      EXPECT_LT(random::chi_square(counts, expected, samples).deviations, 5) << input;
    }
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
}  // namespace fogline::kernel::capped_drawer_test
