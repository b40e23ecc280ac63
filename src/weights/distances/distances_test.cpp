// SPDX-License-Identifier: Apache-2.0
#include "weights/distances/distances.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "random/key.hpp"
#include "random/tape.hpp"
#include "weights/distances/distance_plan.hpp"
#include "weights/measures/distance_errors.hpp"

namespace fogline::weights::distances_test {
namespace {

using Weights = std::vector<std::int64_t>;

DistanceSettings settings_of(const privacy::Epsilon& epsilon,
                             const char* range = "0:", std::uint64_t sensitivity = 1) {
  return {
      .epsilon = epsilon, .weights = WholeWeights(WeightGrid::parse(range, "1")), .sensitivity = sensitivity};
}

const privacy::Epsilon hardly_any_noise{1000, 1};

GraphShape random_tree(std::uint32_t vertices, random::Stream& chance) {
  GraphShape shape{.vertices = vertices};
  for (std::uint32_t v = 1; v < vertices; ++v) {
    shape.source.push_back(static_cast<std::uint32_t>(chance.below(v)));
    shape.target.push_back(v);
  }
  return shape;
}

/// A tree and some edges more.
GraphShape random_graph(std::uint32_t vertices, std::uint32_t more, bool directed, random::Stream& chance) {
  GraphShape shape = random_tree(vertices, chance);
  shape.directed = directed;
  for (std::uint32_t i = 0; i < more; ++i) {
    shape.source.push_back(static_cast<std::uint32_t>(chance.below(vertices)));
    shape.target.push_back(static_cast<std::uint32_t>(chance.below(vertices)));
  }
  return shape;
}

GraphShape ladder(std::uint32_t rungs) {
  GraphShape shape{.vertices = 2 * rungs};
  for (std::uint32_t i = 0; i < rungs; ++i) {
    shape.source.push_back(2 * i);
    shape.target.push_back(2 * i + 1);
    for (std::uint32_t side = 0; i + 1 < rungs && side < 2; ++side) {
      shape.source.push_back(2 * i + side);
      shape.target.push_back(2 * i + 2 + side);
    }
  }
  return shape;
}

Weights random_weights(std::size_t count, std::uint64_t most, random::Stream& chance) {
  Weights weights(count);
  for (auto& weight : weights) weight = static_cast<std::int64_t>(chance.below(most + 1));
  return weights;
}

std::vector<std::unique_ptr<DistanceMechanism>> all_methods(const Topology& graph,
                                                            const DistanceSettings& settings) {
  std::vector<std::unique_ptr<DistanceMechanism>> all;
  all.push_back(make_edge_distances(graph, settings));
  all.push_back(make_edge_distances(graph, settings, {.posterior_draws = 0}));
  if (graph.is_forest()) all.push_back(make_tree_distances(graph, settings));
  for (const std::vector<int>& depths : {std::vector<int>{1}, {2}, {1, 3}, {1, 2, 4}})
    all.push_back(make_separator_distances(graph, settings, {.depths = depths}));
  return all;
}

TEST(Distances, OfASmallGraph) {
  //  0 -3- 1 -4- 2     5
  //   \         /
  //    9-- 3 --1
  const Topology graph({.vertices = 6, .source = {0, 1, 0, 3}, .target = {1, 2, 3, 2}});
  const auto truth = true_distances(graph, settings_of(hardly_any_noise), Weights{3, 4, 9, 1});
  EXPECT_EQ(truth->from(0)[3], 8);
  EXPECT_EQ(truth->from(2)[0], 7);
  EXPECT_EQ(truth->from(2)[2], 0);
  EXPECT_EQ(truth->from(0)[5], std::numeric_limits<double>::infinity());
}

TEST(Distances, WithHardlyAnyNoiseAreTheTrueOnes) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    random::Stream chance = random::SeededKey(seed).stream("graph");
    const auto vertices = static_cast<std::uint32_t>(2 + chance.below(40));
    const auto more = static_cast<std::uint32_t>(chance.below(3) * chance.below(30));
    const Topology graph(random_graph(vertices, more, chance.next_bit(), chance));
    const Weights weights = random_weights(graph.edge_count(), 50, chance);
    const DistanceSettings settings = settings_of(hardly_any_noise);
    const auto truth = true_distances(graph, settings, weights);
    for (const auto& mechanism : all_methods(graph, settings)) {
      random::Stream noise = random::SeededKey(seed).stream("noise");
      const auto said = mechanism->release(weights, noise);
      for (Topology::Vertex v = 0; v < graph.vertex_count(); ++v) {
        const auto expected = truth->from(v), found = said->from(v);
        for (std::size_t u = 0; u < expected.size(); ++u)
          RC_ASSERT(expected[u] == found[u] || std::abs(expected[u] - found[u]) < 1e-6);
      }
    }
  }));
}

/// What the private numbers of two runs cost together, if the noise is what it declares: sums of epsilon * difference / sensitivity.
double cost_between(const DistanceMechanism& mechanism, const Weights& first, const Weights& second) {
  random::Tape tape;
  {
    random::Stream noise = random::SeededKey(3).stream("distances");
    noise.listen(&tape);
    mechanism.release(first, noise);
  }
  tape.rewind();
  {
    random::Stream noise = random::SeededKey(3).stream("distances");
    noise.listen(&tape);
    mechanism.release(second, noise);
  }
  double cost = 0;
  for (std::size_t i = 0; i < tape.recorded().size(); ++i) {
    const random::Meeting &one = tape.recorded()[i], &other = tape.played()[i];
    EXPECT_EQ(one.epsilon, other.epsilon);
    EXPECT_EQ(one.sensitivity, other.sensitivity);
    long double moved = 0;
    for (std::size_t j = 0; j < one.values.size(); ++j) moved += std::abs(one.values[j] - other.values[j]);
    EXPECT_LE(moved, one.sensitivity);
    cost += one.epsilon * static_cast<double>(moved) / one.sensitivity;
  }
  return cost;
}

TEST(Distances, AChangeOfOneEdgeCostsAtMostEpsilon) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    random::Stream chance = random::SeededKey(seed).stream("graph");
    const auto vertices = static_cast<std::uint32_t>(2 + chance.below(30));
    const auto more = static_cast<std::uint32_t>(chance.below(3) * chance.below(20));
    const Topology graph(random_graph(vertices, more, chance.next_bit(), chance));
    const Weights weights = random_weights(graph.edge_count(), 20, chance);
    const DistanceSettings settings = settings_of({1, 2}, "0:", 3);
    for (const auto& mechanism : all_methods(graph, settings)) {
      Weights changed = weights;
      changed[chance.below(changed.size())] += 3;
      RC_ASSERT(cost_between(*mechanism, weights, changed) <= 0.5 * (1 + 1e-9));
      // A trip: three edges by one each.
      changed = weights;
      for (int i = 0; i < 3; ++i) ++changed[chance.below(changed.size())];
      RC_ASSERT(cost_between(*mechanism, weights, changed) <= 0.5 * (1 + 1e-9));
    }
  }));
}

TEST(Distances, TreesSpendAllOfEpsilon) {
  random::Stream chance = random::SeededKey(1).stream("graph");
  GraphShape path{.vertices = 400};
  for (std::uint32_t v = 1; v < 400; ++v) {
    path.source.push_back(v - 1);
    path.target.push_back(v);
  }
  const Topology graph(path);
  const auto mechanism = make_tree_distances(graph, settings_of({1, 1}));
  EXPECT_GT(mechanism->parameters()["most_levels"].get<int>(), 1);
  Weights weights(399, 5), changed = weights;
  ++changed[200];
  EXPECT_NEAR(cost_between(*mechanism, weights, changed), 1, 1e-9);
}

TEST(Distances, OnLongPathsTreesBeatEdges) {
  GraphShape path{.vertices = 1000};
  for (std::uint32_t v = 1; v < 1000; ++v) {
    path.source.push_back(v - 1);
    path.target.push_back(v);
  }
  const Topology graph(path);
  const DistanceSettings settings = settings_of({1, 1}, "100:600");
  const Weights weights = invented_weights(settings, graph.edge_count());
  const auto edges = distance_errors(*make_edge_distances(graph, settings), weights, random::SeededKey(7));
  const auto tree = distance_errors(*make_tree_distances(graph, settings), weights, random::SeededKey(7));
  EXPECT_LT(tree.error, 0.7 * edges.error);
  // From 64 to 1,024 hops: 16 times the edges.
  const auto growth = [](const DistanceErrors& errors) {
    return errors.classes[10].error / errors.classes[6].error;
  };
  EXPECT_EQ(edges.classes[10].most_hops, 1024U);
  EXPECT_GT(growth(edges), 2.5);
  EXPECT_LT(growth(tree), 2);
}

TEST(Distances, WhereMostWeightsAreSmallEdgesBeatNoise) {
  random::Stream chance = random::SeededKey(1).stream("graph");
  const Topology graph(random_graph(400, 2000, false, chance));
  const DistanceSettings settings = settings_of({1, 1});
  Weights weights(graph.edge_count());
  for (auto& weight : weights) weight = chance.below(5) == 0 ? 20 : 2;
  const auto edges = distance_errors(*make_edge_distances(graph, settings), weights, random::SeededKey(7));
  const auto noise = distance_errors(*make_edge_distances(graph, settings, {.posterior_draws = 0}), weights,
                                     random::SeededKey(7));
  EXPECT_LT(edges.error, 0.5 * noise.error);
}

TEST(Distances, OnNoisyCorridorsSeparatorsAndEdgesBeatNoise) {
  const Topology graph(ladder(600));
  const DistanceSettings settings = settings_of({1, 100}, "100:600");
  const Weights weights = invented_weights(settings, graph.edge_count());
  const auto error_of = [&](const char* method) {
    const DistancePlan plan = plan_distances(graph, settings, method);
    return distance_errors(*plan.mechanism, weights, random::SeededKey(7)).error;
  };
  const double noise = error_of("noise");
  EXPECT_LT(error_of("separators"), 0.7 * noise);
  EXPECT_LT(error_of("edges"), 0.8 * noise);
}

TEST(Distances, ThePlanTakesWhatIsBest) {
  random::Stream chance = random::SeededKey(1).stream("graph");
  const Topology small(random_graph(60, 80, false, chance)), tree(random_tree(60, chance));
  EXPECT_EQ(plan_distances(small, settings_of({1, 1}, "100:600"), "auto").chosen.method, "edges");
  // Its regions would be nearly all rim.
  EXPECT_EQ(plan_distances(small, settings_of({1, 1}, "100:600"), "auto").tried.size(), 1U);
  EXPECT_EQ(plan_distances(Topology(ladder(60)), settings_of({1, 1}, "100:600"), "auto").tried.size(), 2U);
  EXPECT_EQ(plan_distances(small, settings_of({1, 1}), "noise").mechanism->name(), "noise");
  EXPECT_EQ(plan_distances(small, settings_of({1, 1}, "100:600"), "separators").mechanism->name(),
            "separators");
  EXPECT_EQ(plan_distances(tree, settings_of({1, 1}, "100:600"), "tree").mechanism->name(), "tree");
  EXPECT_THROW(plan_distances(small, settings_of({1, 1}), "tree"), InvalidOption);
  EXPECT_THROW(plan_distances(small, settings_of({1, 1}), "dijkstra"), InvalidOption);
}

TEST(Distances, StayInThePublicBounds) {
  const Topology graph(ladder(20));
  const DistanceSettings settings = settings_of({1, 100}, "10:20");
  for (const auto& mechanism : all_methods(graph, settings)) {
    random::Stream noise = random::SeededKey(1).stream("noise");
    const auto said = mechanism->release(Weights(graph.edge_count(), 15), noise)->from(0);
    const auto hops = hops_from(graph, 0);
    for (std::size_t v = 0; v < said.size(); ++v) {
      EXPECT_GE(said[v], 10.0 * hops[v]);
      EXPECT_LE(said[v], 20.0 * hops[v]);
    }
  }
}

TEST(Distances, OfRealGridsAreInTheWeightsUnit) {
  const WholeWeights halves(WeightGrid::parse("0.5:3.5", "1"));
  EXPECT_EQ(halves.unit, 0.5);
  EXPECT_EQ(halves.lowest, 1);
  EXPECT_EQ(halves.step, 2);
  EXPECT_EQ(halves.highest, 7);
  EXPECT_EQ(WholeWeights(WeightGrid::parse("0:", "0.1")).unit, 0.1);
  const Topology graph({.vertices = 3, .source = {0, 1}, .target = {1, 2}});
  const DistanceSettings settings{.epsilon = hardly_any_noise, .weights = halves, .sensitivity = 1};
  EXPECT_EQ(true_distances(graph, settings, Weights{3, 5})->from(0)[2], 4);
  random::Stream noise = random::SeededKey(1).stream("noise");
  EXPECT_EQ(make_edge_distances(graph, settings)->release(Weights{3, 5}, noise)->from(0)[2], 4);
}

TEST(Distances, RefuseBadInput) {
  EXPECT_THROW(Topology({.vertices = 0}), InvalidOption);
  EXPECT_THROW(Topology({.vertices = 2, .source = {0}, .target = {2}}), InvalidOption);
  EXPECT_THROW(Topology({.vertices = 2, .source = {0}, .target = {}}), InvalidOption);
  const Topology circle({.vertices = 3, .source = {0, 1, 2}, .target = {1, 2, 0}});
  EXPECT_THROW(make_tree_distances(circle, settings_of({1, 1})), InvalidOption);
  EXPECT_THROW(make_separator_distances(circle, settings_of({1, 1}), {.depths = {}}), InvalidOption);
  EXPECT_THROW(make_separator_distances(circle, settings_of({1, 1}), {.depths = {2, 2}}), InvalidOption);
  random::Stream noise = random::SeededKey(1).stream("noise");
  const auto mechanism = make_edge_distances(circle, settings_of({1, 1}, "1:5"));
  EXPECT_THROW(mechanism->release(Weights{1, 2}, noise), InvalidOption);
  EXPECT_THROW(mechanism->release(Weights{1, 2, 6}, noise), InvalidOption);
  EXPECT_THROW(mechanism->release(Weights{1, 2, 0}, noise), InvalidOption);
  const DistanceSettings halves{.epsilon = {1, 1},
                                .weights = WholeWeights(WeightGrid::parse("0.5:3.5", "1"))};
  EXPECT_THROW(make_edge_distances(circle, halves)->release(Weights{1, 2, 3}, noise), InvalidOption);
}

}  // namespace
}  // namespace fogline::weights::distances_test
