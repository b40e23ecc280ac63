// SPDX-License-Identifier: Apache-2.0
#include "kernel/optimal.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "graph/all_pairs.hpp"
#include "graph/graph.hpp"

namespace fogline::kernel::optimal_test {
namespace {

using testing::HasSubstr;

std::vector<double> uniform(std::size_t inputs) {
  return std::vector<double>(inputs, 1.0 / static_cast<double>(inputs));
}

/// Every two of `inputs` must look alike; any wrong answer costs 1.
OptimalTable choose_among(std::size_t inputs, double epsilon, const OptimalOptions& options = {}) {
  std::vector<RelatedPair> pairs;
  for (InputId a = 0; a < inputs; ++a) {
    for (InputId b = a + 1; b < inputs; ++b) pairs.push_back({a, b});
  }
  const Relation policy = Relation::policy(inputs, pairs);
  const auto prior = uniform(inputs);
  return optimal_table({.relation = policy,
                        .epsilon_per_unit = epsilon,
                        .prior = prior,
                        .outputs = inputs,
                        .loss =
                            [](std::size_t output, std::span<double> loss) {
                              std::fill(loss.begin(), loss.end(), 1.0);
                              loss[output] = 0;
                            }},
                       options);
}

/// A line, a ring of chords, and lengths of 1 to `longest` mm.
graph::Graph random_graph(std::uint32_t vertices, std::uint32_t longest) {
  std::vector<graph::Edge> edges;
  for (std::uint32_t v = 1; v < vertices; ++v) {
    edges.push_back({*rc::gen::inRange(0U, v), v, *rc::gen::inRange(1U, longest + 1)});
    edges.push_back({*rc::gen::inRange(0U, v), v, *rc::gen::inRange(1U, longest + 1)});
  }
  return graph::Graph::from_edges(vertices, edges);
}

struct Places {
  explicit Places(graph::Graph roads)
      : graph(std::move(roads)),
        relation(Relation::metric(graph)),
        distance(graph::all_pairs(graph)),
        prior(uniform(graph.vertex_count())) {}

  OptimalTable solve(double epsilon, const OptimalOptions& options = {}) const {
    return optimal_table({.relation = relation,
                          .epsilon_per_unit = epsilon,
                          .prior = prior,
                          .outputs = graph.vertex_count(),
                          .loss =
                              [this](std::size_t output, std::span<double> loss) {
                                for (std::size_t v = 0; v < loss.size(); ++v) {
                                  loss[v] = static_cast<double>(
                                      distance.at(static_cast<InputId>(v), static_cast<InputId>(output)));
                                }
                              }},
                         options);
  }

  /// Of the exponential mechanism with half of epsilon, which keeps the promise too.
  double exponential_loss(double epsilon) const {
    double sum = 0;
    for (InputId v = 0; v < graph.vertex_count(); ++v) {
      double total = 0, moment = 0;
      for (const graph::DistanceMm d : distance.row(v)) {
        const double weight = std::exp(-epsilon / 2 * static_cast<double>(d));
        total += weight;
        moment += weight * static_cast<double>(d);
      }
      sum += prior[v] * moment / total;
    }
    return sum;
  }

  graph::Graph graph;
  Relation relation;
  graph::DistanceTable distance;
  std::vector<double> prior;
};

graph::Graph lattice(std::uint32_t side, std::uint32_t length_mm) {
  std::vector<graph::Edge> edges;
  for (std::uint32_t row = 0; row < side; ++row) {
    for (std::uint32_t column = 0; column < side; ++column) {
      const std::uint32_t v = row * side + column;
      if (column + 1 < side) edges.push_back({v, v + 1, length_mm});
      if (row + 1 < side) edges.push_back({v, v + side, length_mm});
    }
  }
  return graph::Graph::from_edges(side * side, edges);
}

TEST(Optimal, TwoPlacesGiveRandomisedResponse) {
  const Places two(graph::Graph::from_edges(2, std::vector<graph::Edge>{{0, 1, 100}}));
  const OptimalTable table = two.solve(0.02, {.gap = 1e-7});
  const double lie = 1 / (1 + std::exp(2.0));
  EXPECT_TRUE(table.converged);
  EXPECT_NEAR(table.loss, 100 * lie, 1e-4);
  EXPECT_NEAR(table.lower_bound, 100 * lie, 1e-4);
  EXPECT_NEAR(table.columns[0].probability[1], lie, 1e-6);
}

TEST(Optimal, SeveralAlikeAnswersGiveRandomisedResponse) {
  for (const double epsilon : {0.1, 1.0, 5.0}) {
    const OptimalTable table = choose_among(6, epsilon, {.gap = 1e-7});
    EXPECT_NEAR(table.loss, 5 / (5 + std::exp(epsilon)), 1e-6) << epsilon;
    EXPECT_LE(table.lower_bound, 5 / (5 + std::exp(epsilon)) + 1e-9) << epsilon;
  }
}

TEST(Optimal, ALatticeCostsMuchLessThanTheExponentialMechanism) {
  const Places places(lattice(10, 75'000));
  const OptimalTable table = places.solve(0.01 / 1000);
  EXPECT_TRUE(table.converged);
  EXPECT_LT(table.loss, 0.6 * places.exponential_loss(0.01 / 1000));
  EXPECT_GT(table.lower_bound, 0.999 * table.loss);
}

TEST(Optimal, IteratesKeepThePromiseAndTheBoundStaysBelow) {
  EXPECT_TRUE(rc::check([] {
    const Places places(random_graph(*rc::gen::inRange(2U, 25U), 200));
    const double epsilon = *rc::gen::element(0.002, 0.01, 0.05);
    const OptimalTable table = places.solve(epsilon, {.gap = 1e-3});
    const std::size_t n = places.graph.vertex_count();
    RC_ASSERT(table.lower_bound <= table.loss * (1 + 1e-9));
    RC_ASSERT(table.lower_bound <= places.exponential_loss(epsilon) * (1 + 1e-9));
    RC_ASSERT(table.loss <= places.exponential_loss(epsilon) * 1.01);
    for (const RelatedPair& pair : places.relation.pairs()) {
      for (const OptimalColumn& column : table.columns) {
        const double here = column.probability[pair.from], there = column.probability[pair.to];
        const double allowed = std::exp(epsilon * pair.distance) * (1 + 1e-12);
        RC_ASSERT(here <= allowed * there);
        RC_ASSERT(there <= allowed * here);
      }
    }
    for (std::size_t v = 0; v < n; ++v) {
      double sum = 0;
      for (const OptimalColumn& column : table.columns) sum += column.probability[v];
      RC_ASSERT(std::abs(sum - 1) < 1e-9);
    }
  }));
}

TEST(Optimal, ABoundForALargerEpsilonIsSmaller) {
  const Places places(lattice(6, 100'000));
  const OptimalTable smaller = places.solve(0.009 / 1000, {.gap = 1e-5});
  const auto prior = places.prior;
  const OptimalTable table = optimal_table(
      {.relation = places.relation,
       .epsilon_per_unit = 0.009 / 1000,
       .bound_epsilon_per_unit = 0.01 / 1000,
       .prior = prior,
       .outputs = 36,
       .loss =
           [&](std::size_t output, std::span<double> loss) {
             for (InputId v = 0; v < 36; ++v) {
               loss[v] = static_cast<double>(places.distance.at(v, static_cast<InputId>(output)));
             }
           }},
      {.gap = 1e-5});
  EXPECT_LT(table.lower_bound, smaller.lower_bound);
  EXPECT_LE(table.lower_bound, places.solve(0.01 / 1000, {.gap = 1e-5}).loss);
}

TEST(Optimal, ThreadsDoNotChangeTheTable) {
  const Places places(lattice(7, 90'000));
  const OptimalTable one = places.solve(1e-5, {.threads = 1}), two = places.solve(1e-5, {.threads = 2});
  for (std::size_t o = 0; o < one.columns.size(); ++o) {
    EXPECT_EQ(one.columns[o].probability, two.columns[o].probability);
  }
}

TEST(Optimal, APriorDecidesWhereItIsGood) {
  Places places(lattice(5, 100'000));
  std::fill(places.prior.begin(), places.prior.end(), 0.0);
  places.prior[12] = 1;
  const OptimalTable table = places.solve(1e-5, {.gap = 1e-4});
  EXPECT_LT(table.loss, 20);  // always answering the certain place is free; 0 is its optimum
}

/// Points of the plane, any two of which must look alike; the answers are the points.
struct Crowd {
  std::vector<double> x = {}, y = {}, prior = {};

  static Crowd random(std::size_t states) {
    Crowd crowd;
    double total = 0;
    for (std::size_t s = 0; s < states; ++s) {
      crowd.x.push_back(*rc::gen::inRange(0, 100));
      crowd.y.push_back(*rc::gen::inRange(0, 100));
      crowd.prior.push_back(std::pow(10.0, -*rc::gen::inRange(0, 13)));
      total += crowd.prior.back();
    }
    for (double& p : crowd.prior) p /= total;
    return crowd;
  }
  std::size_t size() const { return x.size(); }
  void loss(std::size_t output, std::span<double> result) const {
    for (std::size_t s = 0; s < size(); ++s) result[s] = std::hypot(x[s] - x[output], y[s] - y[output]);
  }
  OptimalTable solve(const Relation& relation, double epsilon_per_unit, std::size_t hubs, double gap) const {
    return optimal_table(
        {.relation = relation,
         .epsilon_per_unit = epsilon_per_unit,
         .prior = prior,
         .outputs = size(),
         .loss = [this](std::size_t output, std::span<double> result) { loss(output, result); },
         .hubs = hubs},
        {.gap = gap, .threads = 1});
  }
  Relation pairs() const {
    std::vector<RelatedPair> all;
    for (InputId a = 0; a < size(); ++a) {
      for (InputId b = a + 1; b < size(); ++b) all.push_back({a, b});
    }
    return Relation::policy(size(), all);
  }
  Relation with_hub() const {
    std::vector<RelatedPair> all;
    for (InputId a = 0; a < size(); ++a) all.push_back({a, static_cast<InputId>(size()), 1});
    return Relation::metric(size() + 1, all);
  }
};

void check_table(const OptimalTable& table, const Crowd& crowd, double epsilon) {
  for (const OptimalColumn& column : table.columns) {
    RC_ASSERT(column.probability.size() == crowd.size());
    const auto [least, most] = std::minmax_element(column.probability.begin(), column.probability.end());
    // Chances as small as the rounding of a row are rounding; the integers made of them are certified.
    RC_ASSERT(*most <= std::exp(epsilon) * *least * (1 + 1e-12) + 1e-15);
  }
  for (std::size_t s = 0; s < crowd.size(); ++s) {
    double sum = 0;
    for (const OptimalColumn& column : table.columns) sum += column.probability[s];
    RC_ASSERT(std::abs(sum - 1) < 1e-9);
  }
}

TEST(Optimal, AHubStandsForAllPairsOfItsGroup) {
  EXPECT_TRUE(rc::check([] {
    const Crowd crowd = Crowd::random(*rc::gen::inRange<std::size_t>(2, 12));
    const double epsilon = *rc::gen::element(0.01, 0.5, 1.0, 4.0, 12.0);
    const OptimalTable pairs = crowd.solve(crowd.pairs(), epsilon, 0, 1e-4);
    const OptimalTable hub = crowd.solve(crowd.with_hub(), epsilon / 2, 1, 1e-4);
    const OptimalTable complete = crowd.solve(Relation::complete(crowd.size()), epsilon, 0, 1e-4);
    const double tolerance = 1e-9 + 3e-4 * pairs.loss;
    for (const OptimalTable* one : {&hub, &complete}) {
      check_table(*one, crowd, epsilon);
      RC_ASSERT(one->lower_bound <= pairs.loss + 1e-9);
      RC_ASSERT(pairs.lower_bound <= one->loss + 1e-9);
      RC_ASSERT(one->loss <= pairs.loss + tolerance || !pairs.converged || !one->converged);
    }
  }));
}

TEST(Optimal, OverlappingGroupsNeedAHubEach) {
  // 0 1 2 and 2 3 4 must look alike; 0 and 3 only through 2.
  const Crowd crowd{{0, 10, 20, 30, 40}, {0, 5, 0, 5, 0}, std::vector<double>(5, 0.2)};
  const Relation pairs =
      Relation::policy(5, std::vector<RelatedPair>{{0, 1}, {0, 2}, {1, 2}, {2, 3}, {2, 4}, {3, 4}});
  const Relation hubs = Relation::metric(
      7, std::vector<RelatedPair>{{0, 5, 1}, {1, 5, 1}, {2, 5, 1}, {2, 6, 1}, {3, 6, 1}, {4, 6, 1}});
  for (const double epsilon : {0.3, 1.0, 3.0}) {
    const OptimalTable a = crowd.solve(pairs, epsilon, 0, 1e-7);
    const OptimalTable b = crowd.solve(hubs, epsilon / 2, 2, 1e-7);
    EXPECT_TRUE(a.converged && b.converged) << epsilon;
    EXPECT_NEAR(a.loss, b.loss, 1e-5) << epsilon;
    EXPECT_NEAR(a.lower_bound, b.lower_bound, 1e-5) << epsilon;
  }
}

TEST(Optimal, AHundredAlikeStatesAreSolvedToAThousandth) {
  Crowd crowd;
  for (std::size_t s = 0; s < 100; ++s) {
    crowd.x.push_back(static_cast<double>((s * 37) % 101));
    crowd.y.push_back(static_cast<double>((s * s * 11) % 97));
  }
  crowd.prior.assign(100, 0.01);
  for (const double epsilon : {0.5, 4.0, 20.0}) {
    const OptimalTable table = crowd.solve(Relation::complete(100), epsilon, 0, 1e-3);
    EXPECT_TRUE(table.converged) << epsilon;
    EXPECT_GE(table.lower_bound, 0.999 * table.loss) << epsilon;
  }
}

TEST(Optimal, BadHubsAreRefused) {
  const Crowd crowd{{0, 1}, {0, 0}, {0.5, 0.5}};
  const Relation two_hubs = Relation::metric(4, std::vector<RelatedPair>{{0, 2, 1}, {1, 2, 1}, {2, 3, 1}});
  EXPECT_THROW(crowd.solve(two_hubs, 1, 2, 1e-3), InvalidOption);
  EXPECT_THROW(crowd.solve(two_hubs, 1, 4, 1e-3), InvalidOption);
  EXPECT_THROW(crowd.solve(crowd.with_hub(), 1, 0, 1e-3), InvalidOption);  // then it needs a prior
  EXPECT_THROW(crowd.solve(Relation::one_sided(2, std::vector<RelatedPair>{{0, 1}}), 1, 0, 1e-3),
               InvalidOption);
}

TEST(Optimal, BadProblemsAreRefused) {
  const Places places(lattice(3, 1000));
  const auto message = [&](double epsilon, std::vector<double> prior,
                           const OptimalOptions& options) -> std::string {
    try {
      optimal_table(
          {.relation = places.relation,
           .epsilon_per_unit = epsilon,
           .prior = prior,
           .outputs = 9,
           .loss = [](std::size_t, std::span<double> loss) { std::fill(loss.begin(), loss.end(), 1.0); }},
          options);
    } catch (const InvalidOption& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(message(0, uniform(9), {}), HasSubstr("epsilon"));
  EXPECT_THAT(message(NAN, uniform(9), {}), HasSubstr("epsilon"));
  EXPECT_THAT(message(1e-5, uniform(8), {}), HasSubstr("prior"));
  EXPECT_THAT(message(1e-5, std::vector<double>(9, 0.2), {}), HasSubstr("sum to 1"));
  EXPECT_THAT(message(1e-5, uniform(9), {.gap = 0}), HasSubstr("gap"));
  EXPECT_THAT(message(1e-5, uniform(9), {.iterations = 0}), HasSubstr("iterations"));
}

TEST(Optimal, CanBeCancelled) {
  const Places places(lattice(4, 1000));
  EXPECT_THROW(places.solve(1e-5, {.progress = [](const ProgressUpdate&) { return false; }}), Cancelled);
}

/// All bits of a table.
std::uint64_t bits_of(const OptimalTable& table) {
  std::uint64_t sum = 0;
  for (const OptimalColumn& column : table.columns) {
    for (const double p : column.probability) sum = (sum ^ std::bit_cast<std::uint64_t>(p)) * 1099511628211U;
  }
  return sum;
}

/// Roads whose lengths follow no pattern, the same in every run.
graph::Graph uneven_roads(std::uint32_t side) {
  std::vector<graph::Edge> edges;
  const auto length = [&] { return 40 + static_cast<std::uint32_t>(edges.size() * 2654435761U >> 7) % 60; };
  for (std::uint32_t v = 0; v < side * side; ++v) {
    if (v % side + 1 < side) edges.push_back({v, v + 1, length()});
    if (v + side < side * side) edges.push_back({v, v + side, length()});
  }
  return graph::Graph::from_edges(side * side, edges);
}

// Recorded once. The integers of a release are rounded from these numbers, so a bit that changes with the processor, the width of its registers (the
// sanitized build has narrow ones) or the number of threads would change released bytes.
TEST(Optimal, HasTheBitsOfTheRecord) {
  const Places places(uneven_roads(10));
  for (const int threads : {1, 3}) {
    EXPECT_EQ(bits_of(places.solve(0.02, {.threads = threads})), 15578227675895209470U);
    const Relation all = Relation::complete(100);
    const OptimalTable table = optimal_table(
        {.relation = all,
         .epsilon_per_unit = 1,
         .prior = places.prior,
         .outputs = 100,
         .loss =
             [&](std::size_t output, std::span<double> loss) {
               for (InputId v = 0; v < loss.size(); ++v)
                 loss[v] = static_cast<double>(places.distance.at(v, static_cast<InputId>(output)));
             }},
        {.threads = threads});
    EXPECT_EQ(bits_of(table), 12557763285903625899U);
  }
}

// A watcher is told often, more and more, and may stop the solver within an iteration.
TEST(Optimal, ShowsProgressAndStopsWhenAsked) {
  const Places places(uneven_roads(12));
  std::vector<std::uint64_t> told;
  const OptimalTable table = places.solve(0.02, {.threads = 1, .progress = [&](const ProgressUpdate& update) {
                                                   told.push_back(update.done);
                                                   EXPECT_LE(update.done, update.total);
                                                   return true;
                                                 }});
  EXPECT_TRUE(std::ranges::is_sorted(told));
  EXPECT_GT(told.size(), table.iterations);
  std::size_t asked = 0;
  EXPECT_THROW(
      places.solve(0.02, {.threads = 1, .progress = [&](const ProgressUpdate&) { return ++asked < 3; }}),
      Cancelled);
  EXPECT_EQ(asked, 3U);
}

}  // namespace
}  // namespace fogline::kernel::optimal_test
