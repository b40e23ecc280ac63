// SPDX-License-Identifier: Apache-2.0
#include "path/published.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "graph/transitive_orientation.hpp"
#include "path/published_direction.hpp"
#include "path/recover.hpp"
#include "random/key.hpp"

namespace fogline::path::published_test {
namespace {

using graph::BitGraph;
using privacy::Epsilon;
using Decision = PublishedLayersOptions::Decision;

/// The path 0, 1, ..., n - 1 and so many other roads.
BitGraph other_roads(std::size_t vertices, std::size_t count, std::mt19937_64& coins) {
  std::vector<std::pair<StopId, StopId>> pairs;
  for (StopId u = 0; u < vertices; ++u)
    for (StopId v = u + 2; v < vertices; ++v) pairs.emplace_back(u, v);
  std::ranges::shuffle(pairs, coins);
  BitGraph graph(vertices);
  for (std::size_t i = 0; i < std::min(count, pairs.size()); ++i) graph.join(pairs[i].first, pairs[i].second);
  return graph;
}

RouteMap map_of(const BitGraph& others) {
  std::vector<std::string> names;
  std::vector<std::pair<VertexId, VertexId>> roads;
  for (VertexId v = 0; v < others.size(); ++v) {
    names.push_back(std::to_string(v));
    if (v > 0) roads.emplace_back(v - 1, v);
    graph::for_each_bit(others.row(v), [&](VertexId u) {
      if (u < v) roads.emplace_back(u, v);
    });
  }
  return make_map(std::move(names), roads);
}

Route straight_route(std::size_t vertices) {
  Route route(vertices);
  std::iota(route.begin(), route.end(), VertexId{0});
  return route;
}

/// Rules 1 to 3: two stops share a branch exactly if they are ruled out; and Claim 1: whatever lies on one branch is joined.
void expect_the_papers_rules(const PublishedLayers& layers, const BitGraph& ruled_out) {
  BitGraph stops(ruled_out.size()), pieces(layers.pieces.size());
  ASSERT_TRUE(std::ranges::is_sorted(layers.edges));
  for (const auto& [a, b] : layers.edges) {
    ASSERT_LT(a, b);
    ASSERT_NE(layers.pieces[a].layer, layers.pieces[b].layer);
    ASSERT_NE(layers.pieces[a].stop, layers.pieces[b].stop);
    pieces.join(a, b);
    stops.join(layers.pieces[a].stop, layers.pieces[b].stop);
  }
  ASSERT_EQ(stops, ruled_out);
  const auto layer = [&](std::size_t piece) { return layers.pieces[piece].layer; };
  for (StopId a = 0; a < pieces.size(); ++a)
    for (StopId b = 0; b < pieces.size(); ++b)
      for (StopId c = 0; c < pieces.size(); ++c)
        if (pieces.joined(a, b) && pieces.joined(b, c) && layer(a) < layer(b) && layer(b) < layer(c)) {
          ASSERT_TRUE(pieces.joined(a, c));
        }
  std::vector<bool> has_piece(ruled_out.size(), false);
  for (const LayerPiece& piece : layers.pieces) has_piece[piece.stop] = true;
  ASSERT_TRUE(std::ranges::all_of(has_piece, std::identity{}));
}

TEST(PublishedLayersSearch, PutsEachVertexIntoTheGreatestLayer) {
  BitGraph graph(4);  // path 0 1 2 3; 0 - 2 and 1 - 3 ruled out
  graph.join(0, 2), graph.join(1, 3);
  const LayerSearch found = search_layers(graph);
  EXPECT_TRUE(found.complete);
  EXPECT_THAT(found.layer, testing::ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(found.steps, 4U);
}

TEST(PublishedLayersSearch, FindsLayersExactlyWhereThereIsATransitiveOrientation) {
  std::mt19937_64 coins(11);
  std::size_t possible = 0, maps = 0;
  for (std::size_t n = 4; n <= 9; ++n) {
    for (std::size_t others = 0; others <= (n - 1) * (n - 2) / 2; ++others) {
      for (int run = 0; run < 40; ++run, ++maps) {
        const BitGraph graph = other_roads(n, others, coins);
        const LayerSearch found = search_layers(graph);
        ASSERT_FALSE(found.gave_up);
        ASSERT_EQ(found.complete, graph::transitive_orientation(graph).has_value());
        possible += found.complete ? 1 : 0;
      }
    }
  }
  EXPECT_GT(maps, 2'500U);
  EXPECT_GT(possible, maps / 2);
  EXPECT_LT(possible, maps * 9 / 10);
}

// The range of Algorithm 4, line 6, has no room between two layers, and misses some.
TEST(PublishedLayersSearch, NeedsNewLayersBetweenOldOnes) {
  BitGraph graph(9);
  const std::vector<std::pair<StopId, StopId>> pairs{{0, 2}, {0, 3}, {0, 4}, {0, 8}, {1, 5}, {2, 4},
                                                     {2, 6}, {2, 7}, {2, 8}, {4, 8}, {5, 7}};
  for (const auto& [u, v] : pairs) graph.join(u, v);
  EXPECT_TRUE(search_layers(graph).complete);
  const LayerSearch paper = search_layers(graph, {.choice = LayerChoice::paper});
  EXPECT_FALSE(paper.complete || paper.gave_up);
  EXPECT_EQ(paper.layer.size(), 8U);
}

TEST(PublishedLayersSearch, GivesUpAndSaysSo) {
  std::mt19937_64 coins(1);
  const LayerSearch found = search_layers(other_roads(9, 14, coins), {.most_steps = 3});
  EXPECT_TRUE(found.gave_up);
  EXPECT_FALSE(found.complete);
  EXPECT_EQ(found.layer.size(), 3U);
  EXPECT_THROW(search_layers(BitGraph(2), {.most_steps = 0}), InvalidOption);
}

TEST(PublishedSplit, KeepsTheRulesWhateverIsInserted) {
  EXPECT_TRUE(rc::check([] {
    std::mt19937_64 coins(*rc::gen::arbitrary<std::uint64_t>());
    const auto n = *rc::gen::inRange<std::size_t>(2, 18);
    const BitGraph graph = other_roads(n, coins() % (n * (n - 1) / 2 + 1), coins);
    std::vector<StopId> order = straight_route(n);
    if (coins() % 2 == 0) std::ranges::shuffle(order, coins);
    for (const Decision decision : {Decision::orientation, Decision::backtracking}) {
      const BuiltLayers built = build_layers(graph, order, {.decision = decision, .most_steps = 2'000});
      expect_the_papers_rules(built.layers, graph);
      RC_ASSERT((built.splits > 0 || built.layers.pieces.size() == n));
      if (built.gave_ups == 0) {
        RC_ASSERT((built.splits == 0) == graph::transitive_orientation(graph).has_value());
      }
    }
  }));
}

TEST(PublishedSplit, DecidesAlikeByBacktrackingAndByOrientation) {
  std::mt19937_64 coins(5);
  for (int run = 0; run < 300; ++run) {
    const std::size_t n = 5 + coins() % 5;
    const BitGraph graph = other_roads(n, coins() % ((n - 1) * (n - 2) / 2), coins);
    const PublishedLayersOptions tried{.decision = Decision::backtracking, .most_steps = 1'000'000},
        oriented{.decision = Decision::orientation, .most_steps = 1'000'000};
    const BuiltLayers a = build_layers(graph, straight_route(n), tried),
                      b = build_layers(graph, straight_route(n), oriented);
    ASSERT_EQ(a.layers, b.layers);
    ASSERT_EQ(a.splits, b.splits);
    ASSERT_LE(b.steps, a.steps);
  }
  EXPECT_THROW(build_layers(BitGraph(3), {0, 1}), InvalidOption);
  EXPECT_THROW(build_layers(BitGraph(3), {0, 1, 1}), InvalidOption);
}

TEST(PublishedPath, DrawsStopsByTheirWeights) {
  std::mt19937_64 coins(1);
  const RouteMap map = map_of(other_roads(5, 3, coins));
  const Route route = straight_route(5);
  random::Stream noise = random::SeededKey(3).stream("stops");
  std::size_t doubled = 0;
  constexpr std::size_t draws = 4'000;
  for (std::size_t i = 0; i < draws; ++i)
    doubled += published_stops(map, route, Epsilon{1, 1}, noise).size() - 5;
  // 1/(1 + e^(1/2)) of 20,000; five standard deviations are 343.
  EXPECT_NEAR(static_cast<double>(doubled), 0.37754 * 5 * draws, 343);
  EXPECT_EQ(published_stops(map, route, std::nullopt, noise).size(), 5U);
}

TEST(PublishedPath, LetsInsidersReadEveryStepOfAcyclicAndCyclicRoutes) {
  std::mt19937_64 coins(8);
  const random::SeededKey key(4);
  std::size_t split = 0, told = 0;
  for (std::uint64_t run = 0; run < 150; ++run) {
    const std::size_t n = 5 + coins() % 5;
    BitGraph others = other_roads(n, 2 + coins() % n, coins);
    others.join(0, static_cast<VertexId>(n - 1));
    const RouteMap map = map_of(others);
    Route route = straight_route(n);
    if (run % 3 == 0) route.push_back(0);
    PublishedOptions options;
    if (run % 2 == 0) options.epsilon_vertices = Epsilon{1, 1};
    if (run % 5 != 0) options.epsilon_edges = Epsilon{1, 1};
    random::Stream noise = key.stream("route", run);
    const PublishedPath::Release out = PublishedPath(options).release_in_full(map, route, noise);
    expect_the_papers_rules(*out.shown.layers, out.shown.candidates.complement());
    const PublishedEnds ends = published_ends(*out.shown.layers, out.path);
    ASSERT_LE(ends.root_from_front, ends.leaf_from_front);
    split += out.splits;
    Recovered read = recover(map, out.shown);
    ASSERT_TRUE(read.complete) << read.what_is_missing;
    if (read.direction == KnownDirection::told) ++told;
    Route back = route;
    std::ranges::reverse(back);
    ASSERT_TRUE(read.route == route || read.route == back);
  }
  EXPECT_GT(split, 50U);
  EXPECT_GT(told, 50U);
}

TEST(PublishedPath, RefusesWhatItCannotTake) {
  EXPECT_THROW(PublishedPath({.epsilon_edges = Epsilon{41, 1}}), InvalidOption);
  EXPECT_THROW(PublishedPath({.epsilon_vertices = Epsilon{41, 1}}), InvalidOption);
  random::Stream noise = random::SeededKey(1).stream("x");
  const RouteMap map = map_of(BitGraph(101));
  EXPECT_THROW(PublishedPath(PublishedOptions{}).release(map, straight_route(101), noise), InvalidOption);
  EXPECT_THROW(PublishedPath(PublishedOptions{}).release(map, {0, 2}, noise), InvalidRoute);
}

}  // namespace
}  // namespace fogline::path::published_test
