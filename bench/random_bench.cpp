// SPDX-License-Identifier: Apache-2.0
// Cost of a draw. The bar: exact discrete Laplace in at most 0.25 microseconds on one core.
#include <vector>

#include <benchmark/benchmark.h>

#include "random/key.hpp"
#include "random/samplers.hpp"
#include "random/weight_table.hpp"

namespace fogline::random {
namespace {

void next64(benchmark::State& state) {
  Stream noise = SeededKey(1).stream("bench");
  for (auto _ : state) benchmark::DoNotOptimize(noise.next64());
}
BENCHMARK(next64);

void below(benchmark::State& state) {
  Stream noise = SeededKey(1).stream("bench");
  for (auto _ : state) benchmark::DoNotOptimize(noise.below(1'000'003));
}
BENCHMARK(below);

void new_stream(benchmark::State& state) {
  const SeededKey key(1);
  std::uint64_t index = 0;
  for (auto _ : state) benchmark::DoNotOptimize(key.stream("place", index++).next64());
}
BENCHMARK(new_stream);

void discrete_laplace(benchmark::State& state) {
  Stream noise = SeededKey(1).stream("bench");
  const DiscreteLaplace laplace(Rational(1, static_cast<std::uint64_t>(state.range(0))));
  for (auto _ : state) benchmark::DoNotOptimize(laplace(noise));
}
BENCHMARK(discrete_laplace)->ArgName("scale")->Arg(1)->Arg(10)->Arg(1000)->Arg(1'000'000);

void discrete_staircase(benchmark::State& state) {
  Stream noise = SeededKey(1).stream("bench");
  const DiscreteStaircase staircase({.epsilon = Rational(1), .sensitivity = 100, .step = 30});
  for (auto _ : state) benchmark::DoNotOptimize(staircase(noise));
}
BENCHMARK(discrete_staircase);

std::vector<Uint128> weights(std::int64_t size) {
  std::vector<Uint128> result;
  for (std::int64_t i = 0; i < size; ++i)
    result.push_back((Uint128{1} << 90) / static_cast<std::uint64_t>(i + 1));
  return result;
}

void cumulative_table(benchmark::State& state) {
  Stream noise = SeededKey(1).stream("bench");
  const CumulativeTable table(weights(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(table.draw(noise));
}
BENCHMARK(cumulative_table)->Arg(100)->Arg(10'000);

void alias_table(benchmark::State& state) {
  Stream noise = SeededKey(1).stream("bench");
  const AliasTable table(weights(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(table.draw(noise));
}
BENCHMARK(alias_table)->Arg(100)->Arg(10'000);

}  // namespace
}  // namespace fogline::random
