// SPDX-License-Identifier: Apache-2.0
#include "kernel/metric_optimal.hpp"

#include <bit>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"
#include "graph/all_pairs.hpp"
#include "kernel/sparse_table.hpp"

namespace fogline::kernel::metric_optimal_test {
namespace {

using testing::HasSubstr;

graph::Graph uneven_grid(std::uint32_t side) {
  std::vector<graph::Edge> edges;
  for (std::uint32_t v = 0; v < side * side; ++v) {
    const std::uint32_t length = 40'000 + v * 2654435761U % 60'001;
    if (v % side + 1 < side) edges.push_back({v, v + 1, length});
    if (v + side < side * side) edges.push_back({v, v + side, length});
  }
  return graph::Graph::from_edges(side * side, edges);
}

/// A map, all whose vertices are as likely and may be answers.
struct City {
  explicit City(graph::Graph roads)
      : graph(std::move(roads)),
        relation(Relation::metric(graph)),
        prior(graph.vertex_count(), 1.0 / static_cast<double>(graph.vertex_count())) {
    for (InputId v = 0; v < graph.vertex_count(); ++v) outputs.push_back(v);
  }
  OptimalTable solve(double epsilon, const MetricOptions& options = {}) const {
    return metric_table(
        {.relation = relation, .epsilon_per_unit = epsilon, .prior = prior, .outputs = outputs}, options);
  }
  /// Of the whole table, as it would be drawn from.
  double loss_of(const SparseTable& table) const {
    const graph::DistanceTable distance = graph::all_pairs(graph);
    double loss = 0;
    for (InputId v = 0; v < prior.size(); ++v) {
      const auto total = static_cast<double>(table.total(v));
      for (std::size_t o = 0; o < outputs.size(); ++o)
        loss += prior[v] * static_cast<double>(table.odds(o, v).weight) / total *
                static_cast<double>(distance.at(v, outputs[o]));
    }
    return loss;
  }
  /// By the dense method.
  OptimalTable solve_densely(double epsilon, double gap) const {
    const graph::DistanceTable distance = graph::all_pairs(graph);
    return optimal_table({.relation = relation,
                          .epsilon_per_unit = epsilon,
                          .prior = prior,
                          .outputs = outputs.size(),
                          .loss =
                              [&](std::size_t output, std::span<double> loss) {
                                for (InputId v = 0; v < loss.size(); ++v)
                                  loss[v] = static_cast<double>(distance.at(v, outputs[output]));
                              }},
                         {.gap = gap});
  }
  graph::Graph graph;
  Relation relation;
  std::vector<double> prior;
  std::vector<InputId> outputs = {};
};

TEST(MetricOptimal, FindsWhatTheDenseMethodFinds) {
  const City city(uneven_grid(11));
  for (const double epsilon : {0.5e-5, 1e-5, 3e-5}) {
    const OptimalTable dense = city.solve_densely(epsilon, 1e-5), found = city.solve(epsilon, {.gap = 1e-3});
    EXPECT_TRUE(found.converged) << epsilon;
    EXPECT_NEAR(found.loss, dense.loss, 1.5e-3 * dense.loss) << epsilon;
    EXPECT_LE(found.lower_bound, dense.loss * (1 + 1e-9)) << epsilon;
    EXPECT_GT(found.lower_bound, dense.loss * (1 - 1.5e-3)) << epsilon;
  }
}

TEST(MetricOptimal, ItsTableKeepsThePromiseFromEndToEnd) {
  const City city(uneven_grid(14));
  const double epsilon = 2e-5;
  for (const double reach : {0.0, 6.0}) {
    const OptimalTable found = city.solve(epsilon * (1 - 0x1p-12), {.gap = 1e-2, .reach = reach});
    const SparseTable table = sparse_table(found, city.relation, epsilon * (1 - 0x1p-12));
    EXPECT_LE(certify(city.relation, table).loss.high, epsilon) << reach;
  }
}

TEST(MetricOptimal, IteratesKeepThePromiseAndTheBoundStaysBelow) {
  EXPECT_TRUE(rc::check([] {
    std::vector<graph::Edge> edges;
    const auto n = *rc::gen::inRange(2U, 60U);
    for (std::uint32_t v = 1; v < n; ++v) {
      edges.push_back({*rc::gen::inRange(v > 9 ? v - 9 : 0U, v), v, *rc::gen::inRange(20U, 300U)});
      edges.push_back({*rc::gen::inRange(v > 9 ? v - 9 : 0U, v), v, *rc::gen::inRange(20U, 300U)});
    }
    City city(graph::Graph::from_edges(n, edges));
    if (*rc::gen::arbitrary<bool>()) std::erase_if(city.outputs, [](InputId v) { return v % 3 == 1; });
    const double epsilon = *rc::gen::element(0.005, 0.02, 0.05);
    const OptimalTable found = city.solve(epsilon, {.gap = 1e-2});
    const OptimalTable dense = city.solve_densely(epsilon, 1e-4);
    RC_ASSERT(found.lower_bound <= dense.loss * (1 + 1e-9));
    RC_ASSERT(found.converged);
    RC_ASSERT(city.loss_of(sparse_table(found, city.relation, epsilon)) <= dense.loss * (1 + 2e-2));
    for (const OptimalColumn& column : found.columns) {
      std::vector<double> whole(n, -1);
      for (std::size_t i = 0; i < column.inputs.size(); ++i) whole[column.inputs[i]] = column.probability[i];
      for (const RelatedPair& pair : city.relation.pairs()) {
        const double here = whole[pair.from], there = whole[pair.to];
        if (here < 0 || there < 0) continue;
        const double allowed = std::exp(epsilon * pair.distance) * (1 + 1e-12);
        RC_ASSERT(here <= allowed * there);
        RC_ASSERT(there <= allowed * here);
      }
    }
  }));
}

TEST(MetricOptimal, AnswersMayBeFewAndFarFromManyInputs) {
  City city(uneven_grid(12));
  city.outputs = {0, 77, 143};
  const OptimalTable found = city.solve(2e-5, {.gap = 1e-3}), dense = city.solve_densely(2e-5, 1e-5);
  EXPECT_TRUE(found.converged);
  EXPECT_NEAR(found.loss, dense.loss, 1.5e-3 * dense.loss);
  EXPECT_GT(found.lower_bound, dense.loss * (1 - 1.5e-3));
}

TEST(MetricOptimal, APriorDecidesWhereItIsGood) {
  City city(uneven_grid(8));
  std::fill(city.prior.begin(), city.prior.end(), 0.0);
  for (const InputId v : {9U, 10U, 17U, 18U}) city.prior[v] = 0.25;
  const OptimalTable found = city.solve(1e-5, {.gap = 1e-2}), dense = city.solve_densely(1e-5, 1e-4);
  EXPECT_NEAR(found.loss, dense.loss, 2e-2 * dense.loss);
  EXPECT_LE(found.lower_bound, dense.loss * (1 + 1e-9));
}

// The bound charges what lies outside blocks with its prior alone: it stays farther off where that is uneven, and below.
TEST(MetricOptimal, UnevenPriorsKeepTheBoundAwayButBelow) {
  for (const double weight : {3.0, 100.0}) {
    City city(uneven_grid(12));
    double sum = 0;
    for (InputId v = 0; v < city.prior.size(); ++v)
      sum += city.prior[v] = v * 2654435761U % 7 == 0 ? weight : 1;
    for (double& each : city.prior) each /= sum;
    const OptimalTable found = city.solve(2e-5, {.gap = 1e-3}), dense = city.solve_densely(2e-5, 1e-5);
    EXPECT_NEAR(found.loss, dense.loss, 1e-2 * dense.loss) << weight;
    EXPECT_LE(found.lower_bound, dense.loss * (1 + 1e-9)) << weight;
    EXPECT_GT(found.lower_bound, 0) << weight;
  }
}

// Their rows are worth more than outputs just outside their blocks cost there.
TEST(MetricOptimal, TheBoundIsCloseWhereInputsAreByThemselves) {
  const std::uint32_t side = 16;
  std::vector<graph::Edge> edges = uneven_grid(side).edges();
  for (std::uint32_t k = 0; k < 5; ++k) edges.push_back({k * 50 + 7, side * side + k, 250'000 + 50'000 * k});
  const City city(graph::Graph::from_edges(side * side + 5, edges));
  const OptimalTable found = city.solve(0.7e-5, {.gap = 1e-3}), dense = city.solve_densely(0.7e-5, 1e-4);
  EXPECT_GT(found.lower_bound, (1 - 1.1e-3) * found.loss);
  EXPECT_LE(found.lower_bound, dense.loss * (1 + 1e-9));
  EXPECT_GE(found.loss, dense.lower_bound * (1 - 1e-3));
}

TEST(MetricOptimal, RoadsMayBeLongerThanAnyBlockReaches) {
  std::vector<graph::Edge> edges;
  for (std::uint32_t v = 1; v < 400; ++v) edges.push_back({v - 1, v, v % 20 == 0 ? 4'000'000U : 60'000U});
  const City city(graph::Graph::from_edges(400, edges));
  const OptimalTable found = city.solve(1e-5, {.gap = 1e-3});
  EXPECT_TRUE(found.converged);
  EXPECT_GT(found.lower_bound, 0.998 * found.loss);
}

TEST(MetricOptimal, CanBeCancelled) {
  const City city(uneven_grid(12));
  int calls = 0;
  EXPECT_THROW(city.solve(1e-5, {.progress = [&](const ProgressUpdate&) { return ++calls < 20; }}),
               Cancelled);
}

/// Every bit of all columns.
std::uint64_t bits_of(const OptimalTable& table) {
  std::uint64_t bits = 0;
  for (const OptimalColumn& column : table.columns) {
    for (const double p : column.probability) bits = std::rotl(bits, 7) ^ std::bit_cast<std::uint64_t>(p);
  }
  return bits;
}

// Recorded once. The integers of a release are rounded from these numbers, so a bit that changes with the processor, the width of its registers (the
// sanitized build has narrow ones) or the number of threads would change released bytes.
TEST(MetricOptimal, HasTheBitsOfTheRecord) {
  const City city(uneven_grid(10));
  for (const int threads : {1, 3})
    EXPECT_EQ(bits_of(city.solve(2e-5, {.gap = 1e-2, .threads = threads})), 4481334037695532229U);
}

std::string refusal(const MetricProblem& problem, const MetricOptions& options = {}) {
  try {
    metric_table(problem, options);
  } catch (const InvalidOption& error) {
    return error.what();
  }
  return "accepted";
}

TEST(MetricOptimal, BadProblemsAreRefused) {
  const City city(uneven_grid(3));
  const MetricProblem fine{
      .relation = city.relation, .epsilon_per_unit = 1e-5, .prior = city.prior, .outputs = city.outputs};
  const auto with = [&](auto change) {
    MetricProblem problem = fine;
    change(problem);
    return refusal(problem);
  };
  const std::vector<double> short_prior(3, 1.0 / 3), negative{1.5, -0.5, 0, 0, 0, 0, 0, 0, 0};
  const std::vector<InputId> twice{1, 1}, unknown{9};
  const double bad = std::nan("");
  EXPECT_THAT(with([](MetricProblem& p) { p.epsilon_per_unit = 0; }), HasSubstr("epsilon"));
  EXPECT_THAT(with([&](MetricProblem& p) { p.epsilon_per_unit = bad; }), HasSubstr("epsilon"));
  EXPECT_THAT(with([&](MetricProblem& p) { p.prior = short_prior; }), HasSubstr("prior"));
  EXPECT_THAT(with([&](MetricProblem& p) { p.prior = negative; }), HasSubstr("prior"));
  EXPECT_THAT(with([](MetricProblem& p) { p.outputs = {}; }), HasSubstr("outputs"));
  EXPECT_THAT(with([&](MetricProblem& p) { p.outputs = twice; }), HasSubstr("outputs"));
  EXPECT_THAT(with([&](MetricProblem& p) { p.outputs = unknown; }), HasSubstr("outputs"));
  EXPECT_THAT(refusal(fine, {.gap = 0}), HasSubstr("gap"));
  EXPECT_THAT(refusal(fine, {.gap = bad}), HasSubstr("gap"));
  EXPECT_THAT(refusal(fine, {.iterations = 0}), HasSubstr("iterations"));
  EXPECT_THAT(refusal(fine, {.reach = 0.5}), HasSubstr("reach"));
  const Relation policy = Relation::policy(2, {{0, 1}});
  const std::vector<double> half(2, 0.5);
  const std::vector<InputId> both{0, 1};
  EXPECT_THAT(refusal({.relation = policy, .epsilon_per_unit = 1, .prior = half, .outputs = both}),
              HasSubstr("metric"));
}

}  // namespace
}  // namespace fogline::kernel::metric_optimal_test
