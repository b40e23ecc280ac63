// SPDX-License-Identifier: Apache-2.0
#include "path/layers.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace fogline::path::layers_test {
namespace {

using graph::BitGraph;
using graph::VertexId;

/// What a one-sided release at eps_e = 1 rules out on a random map: a route through all stops, and half as many other roads.
BitGraph ruled_out_of_a_release(std::size_t stops, std::uint64_t seed) {
  std::mt19937_64 coins(seed);
  std::vector<VertexId> route(stops);
  for (VertexId v = 0; v < stops; ++v) route[v] = v;
  std::ranges::shuffle(route, coins);
  BitGraph roads(stops), candidates(stops);
  for (std::size_t i = 1; i < stops; ++i) {
    roads.join(route[i - 1], route[i]);
    candidates.join(route[i - 1], route[i]);
  }
  for (std::size_t left = std::min(stops * 3 / 2, stops * (stops - 1) / 2) - (stops - 1); left > 0;) {
    const auto u = static_cast<VertexId>(coins() % stops), v = static_cast<VertexId>(coins() % stops);
    if (u == v || roads.joined(u, v)) continue;
    roads.join(u, v);
    --left;
  }
  std::bernoulli_distribution candidate(1 / (1 + std::exp(0.5)));
  for (VertexId u = 0; u < stops; ++u)
    for (VertexId v = u + 1; v < stops; ++v)
      if (!roads.joined(u, v) && candidate(coins)) candidates.join(u, v);
  return candidates.complement();
}

/// Copies that an edge joins, as pairs of stops.
BitGraph joined_stops(const LayeredGraph& layered, std::size_t stops) {
  BitGraph joined(stops);
  for (const auto& [low, high] : layered.edges)
    joined.join(layered.copies[low].stop, layered.copies[high].stop);
  return joined;
}

void expect_a_layered_graph_of(const BitGraph& ruled_out) {
  const LayeredGraph layered = layers_of(ruled_out);
  ASSERT_EQ(joined_stops(layered, ruled_out.size()), ruled_out);
  BitGraph edges(layered.copies.size());
  for (const auto& [low, high] : layered.edges) {
    ASSERT_LT(layered.copies[low].layer, layered.copies[high].layer);
    ASSERT_FALSE(edges.joined(low, high)) << "an edge twice";
    edges.join(low, high);
  }
  // Whoever is reached by two edges upwards is reached by one: a branch is a chain.
  for (const auto& [low, high] : layered.edges) {
    graph::for_each_bit(edges.row(high), [&](VertexId next) {
      if (layered.copies[next].layer > layered.copies[high].layer) {
        ASSERT_TRUE(edges.joined(low, next));
      }
    });
  }
  const LayerSize size = layer_size(ruled_out);
  EXPECT_EQ(size.orientable, layered.orientable);
  EXPECT_EQ(size.copies, layered.copies.size());
  EXPECT_EQ(size.layers, layered.layer_count);
  EXPECT_LE(layered.copies.size(), 2 * ruled_out.size());
  if (layered.orientable) {
    EXPECT_EQ(layered.copies.size(), ruled_out.size());
  }
}

double copies_per_stop(std::size_t stops, std::uint64_t draws) {
  double copies = 0;
  for (std::uint64_t seed = 0; seed < draws; ++seed)
    copies += static_cast<double>(layer_size(ruled_out_of_a_release(stops, seed)).copies);
  return copies / static_cast<double>(stops * draws);
}

TEST(Layers, PutAnOrderInLayersAndARingOfFiveInCopies) {
  BitGraph chain(3);  // 0 - 1 - 2, and 0 - 2
  chain.join(0, 1), chain.join(0, 2), chain.join(1, 2);
  const LayeredGraph ordered = layers_of(chain);
  EXPECT_TRUE(ordered.orientable);
  EXPECT_THAT(ordered.copies, testing::ElementsAre(LayerCopy{0, 0}, LayerCopy{1, 1}, LayerCopy{2, 2}));
  EXPECT_THAT(ordered.edges,
              testing::ElementsAre(testing::Pair(0, 1), testing::Pair(0, 2), testing::Pair(1, 2)));
  BitGraph ring(5);
  for (VertexId v = 0; v < 5; ++v) ring.join(v, (v + 1) % 5);
  const LayeredGraph copied = layers_of(ring);
  EXPECT_FALSE(copied.orientable);
  EXPECT_EQ(copied.copies.size(), 6U);  // one stop of a ring of five has to have two
  EXPECT_EQ(copied.layer_count, 2U);
  expect_a_layered_graph_of(ring);
}

TEST(Layers, HoldOnOneBranchWhatIsRuledOutAndNothingElse) {
  EXPECT_TRUE(rc::check([] {
    const auto stops = *rc::gen::inRange<std::size_t>(2, 40);
    expect_a_layered_graph_of(ruled_out_of_a_release(stops, *rc::gen::arbitrary<std::uint64_t>()));
  }));
  expect_a_layered_graph_of(BitGraph(1));
  expect_a_layered_graph_of(BitGraph(70));
  expect_a_layered_graph_of(BitGraph(70).complement());
  expect_a_layered_graph_of(ruled_out_of_a_release(150, 1));
}

TEST(Layers, AreAFunctionOfTheGraphAlone) {
  const BitGraph ruled_out = ruled_out_of_a_release(60, 5);
  BitGraph again(60);
  for (VertexId u = 60; u-- > 0;)
    for (VertexId v = u; v-- > 0;)
      if (ruled_out.joined(u, v)) again.join(u, v);
  EXPECT_EQ(layers_of(ruled_out).copies, layers_of(again).copies);
  EXPECT_EQ(layers_of(ruled_out).edges, layers_of(again).edges);
}

// Standard errors of these means are below 0.004, 0.002 and 0.001.
TEST(Layers, NeedFewCopies) {
  EXPECT_LE(copies_per_stop(16, 150), 1.53);
  EXPECT_LE(copies_per_stop(64, 40), 1.82);
  EXPECT_LE(copies_per_stop(500, 3), 1.965);
}

}  // namespace
}  // namespace fogline::path::layers_test
