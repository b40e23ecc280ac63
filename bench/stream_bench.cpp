// SPDX-License-Identifier: Apache-2.0
// What a step of a stream costs: sensitivity hulls, exact K-norm draws, the Bayes update.
#include <numeric>
#include <random>

#include <benchmark/benchmark.h>

#include "random/key.hpp"
#include "stream/policy/repair.hpp"
#include "stream/policy/sensitivity.hpp"
#include "stream/steps/k_norm.hpp"

namespace {

using namespace fogline;
using geometry::LatticeBody;
using geometry::LatticePoints;

/// Differences as a complete policy over some states has them, on a fine lattice.
std::shared_ptr<const LatticeBody> random_body(std::size_t dimension, std::size_t states) {
  std::mt19937 random(7);
  LatticePoints points{.dimension = dimension};
  for (std::size_t i = 0; i < states * dimension; ++i)
    points.coordinates.push_back(std::uniform_int_distribution<std::int64_t>(0, 20'000)(random));
  return std::make_shared<const LatticeBody>(LatticeBody::difference_body(points));
}

void draw(benchmark::State& state, std::size_t dimension, std::size_t states) {
  const auto body = random_body(dimension, states);
  const stream::LatticeKNorm noise(body, Rational(static_cast<std::uint64_t>(state.range(0)), 2));
  random::Stream stream = random::SeededKey(1).stream("bench");
  for (int i = 0; i < 2000 && state.range(0) <= 4; ++i) noise.draw(stream);  // prepares most cones
  for (auto _ : state) benchmark::DoNotOptimize(noise.draw(stream));
  state.SetItemsProcessed(state.iterations());
  state.counters["cones"] = static_cast<double>(body->cones().size());
}
// The argument is twice epsilon.
BENCHMARK_CAPTURE(draw, plane, 2, 30)->Arg(1)->Arg(2)->Arg(20)->Arg(40);
BENCHMARK_CAPTURE(draw, space, 3, 20)->Arg(1)->Arg(2)->Arg(20)->Arg(40);
BENCHMARK_CAPTURE(draw, five, 5, 8)->Arg(1)->Arg(2)->Arg(10)->Arg(20);

/// One hull and one draw, as a step with a new hull has it.
void hull_and_draw(benchmark::State& state, std::size_t dimension, std::size_t states) {
  random::Stream stream = random::SeededKey(1).stream("bench");
  for (auto _ : state) {
    const stream::LatticeKNorm noise(random_body(dimension, states), Rational(1));
    benchmark::DoNotOptimize(noise.draw(stream));
  }
}
BENCHMARK_CAPTURE(hull_and_draw, plane, 2, 30);
BENCHMARK_CAPTURE(hull_and_draw, space, 3, 20)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(hull_and_draw, five, 5, 8)->Unit(benchmark::kMicrosecond);

/// A grid of side x side cells of 340 m, where a step goes at most two cells each way.
struct Grid {
  explicit Grid(std::int64_t side) {
    std::vector<std::uint64_t> offset = {0};
    std::vector<mobility::MarkovModel::Transition> transitions;
    for (std::int64_t y = 0; y < side; ++y) {
      for (std::int64_t x = 0; x < side; ++x) {
        space.names.intern(std::to_string(y * side + x));
        space.values.push_back(static_cast<double>(340 * x));
        space.values.push_back(static_cast<double>(340 * y));
        const std::size_t first = transitions.size();
        for (std::int64_t v = std::max<std::int64_t>(0, y - 2); v <= std::min(side - 1, y + 2); ++v) {
          for (std::int64_t u = std::max<std::int64_t>(0, x - 2); u <= std::min(side - 1, x + 2); ++u)
            transitions.push_back({.to = static_cast<stream::StateId>(v * side + u)});
        }
        for (std::size_t i = first; i < transitions.size(); ++i)
          transitions[i].probability = 1.0 / static_cast<double>(transitions.size() - first);
        offset.push_back(transitions.size());
      }
    }
    space.columns = {"x_m", "y_m"};
    const auto states = static_cast<std::size_t>(side * side);
    chain.emplace(std::move(offset), std::move(transitions),
                  std::vector<double>(states, 1.0 / static_cast<double>(states)));
  }
  mobility::StateSpace space = {};
  std::optional<mobility::MarkovModel> chain = {};
};

stream::Situation situation_of(const stream::PolicyGraph& policy, const stream::LatticeQuery& query,
                               const std::vector<stream::StateId>& states) {
  stream::Situation situation{.states = states, .policy = constrained(policy, states)};
  situation.points.dimension = query.dimension();
  for (const stream::StateId s : states) situation.points.add(query.at(s));
  return situation;
}

std::vector<stream::StateId> all_but(std::size_t states, std::size_t missing) {
  std::vector<stream::StateId> list(states - missing);
  std::iota(list.begin(), list.end(), static_cast<stream::StateId>(missing));
  return list;
}

/// The hull of 2,500 cells under the transition policy: anew, and from what is known of the whole policy.
void grid_hull(benchmark::State& state, bool known) {
  const Grid grid(50);
  const stream::LatticeQuery query(grid.space, 1);
  const auto policy = stream::PolicyGraph::transition(*grid.chain);
  const stream::SensitivityHulls hulls(policy, query);
  const auto situation = situation_of(policy, query, all_but(2500, 400));
  for (auto _ : state) {
    if (known)
      benchmark::DoNotOptimize(hulls.hull(situation));
    else
      benchmark::DoNotOptimize(stream::sensitivity_hull(situation.policy, situation.points));
  }
}
BENCHMARK_CAPTURE(grid_hull, anew, false)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(grid_hull, known, true)->Unit(benchmark::kMicrosecond);

void grid_constrained(benchmark::State& state) {
  const Grid grid(50);
  const auto policy = stream::PolicyGraph::transition(*grid.chain);
  const auto states = all_but(2500, 400);
  for (auto _ : state) benchmark::DoNotOptimize(constrained(policy, states));
}
BENCHMARK(grid_constrained)->Unit(benchmark::kMicrosecond);

void whole_policy(benchmark::State& state) {
  const Grid grid(50);
  const stream::LatticeQuery query(grid.space, 1);
  const auto policy = stream::PolicyGraph::transition(*grid.chain);
  for (auto _ : state) benchmark::DoNotOptimize(stream::SensitivityHulls(policy, query));
}
BENCHMARK(whole_policy)->Unit(benchmark::kMillisecond);

/// ln P(z|s) for 50,176 states, and the certificate of the step.
void bayes_update(benchmark::State& state) {
  const Grid grid(224);
  const stream::LatticeQuery query(grid.space, 1);
  const auto policy = stream::PolicyGraph::transition(*grid.chain);
  const auto situation = situation_of(policy, query, all_but(224 * 224, 0));
  const auto mechanism = stream::make_k_norm(situation, Rational(1));
  random::Stream stream = random::SeededKey(1).stream("bench");
  const auto answer = mechanism->draw(5, stream);
  std::vector<double> out(situation.states.size());
  for (auto _ : state) mechanism->log_weights(answer, out);
}
BENCHMARK(bayes_update)->Unit(benchmark::kMicrosecond);

void certify(benchmark::State& state) {
  const Grid grid(50);
  const stream::LatticeQuery query(grid.space, 1);
  const auto policy = stream::PolicyGraph::transition(*grid.chain);
  const auto situation = situation_of(policy, query, all_but(2500, 0));
  const auto mechanism = stream::make_k_norm(situation, Rational(1));
  for (auto _ : state) benchmark::DoNotOptimize(mechanism->certify());
}
BENCHMARK(certify)->Unit(benchmark::kMicrosecond);

/// The complete policy over many states: a difference body.
void complete_policy(benchmark::State& state) {
  std::mt19937 random(7);
  LatticePoints points{.dimension = 2};
  for (std::int64_t i = 0; i < 2 * state.range(0); ++i)
    points.coordinates.push_back(std::uniform_int_distribution<std::int64_t>(0, 100'000)(random));
  for (auto _ : state) benchmark::DoNotOptimize(LatticeBody::difference_body(points));
}
BENCHMARK(complete_policy)->Arg(100)->Arg(10'000)->Arg(1'000'000)->Unit(benchmark::kMicrosecond);

/// Every one of 10,000 scattered states exposed, repaired by least area.
void repair_all(benchmark::State& state) {
  std::mt19937 random(7);
  stream::Situation given;
  given.points.dimension = 2;
  for (stream::StateId s = 0; s < 10'000; ++s) {
    given.states.push_back(s);
    for (int j = 0; j < 2; ++j)
      given.points.coordinates.push_back(std::uniform_int_distribution<std::int64_t>(0, 100'000)(random));
  }
  given.policy.states = given.states.size();
  for (auto _ : state) {
    stream::Situation situation = given;
    benchmark::DoNotOptimize(stream::repair(situation, stream::Repair::least_area, {}));
  }
}
BENCHMARK(repair_all)->Unit(benchmark::kMillisecond);

}  // namespace
