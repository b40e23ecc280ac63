// SPDX-License-Identifier: Apache-2.0
// Cost of an exact certificate of 1,000 inputs by 1,000 outputs. The bar: under a second, rows given.
// Cost of the optimal inference attack on a lattice of 625 vertices. The bar: under 50 ms.
#include <cmath>
#include <vector>

#include <benchmark/benchmark.h>

#include "kernel/best_guess.hpp"
#include "kernel/certificate.hpp"

namespace fogline::kernel {
namespace {

constexpr InputId side_a = 25, side_b = 40;  // 1,000 vertices of a lattice
constexpr InputId inputs = side_a * side_b;

/// Weights that fall with the distance on the lattice, in 100 bits.
std::vector<WeightRow> exponential_table() {
  std::vector<WeightRow> rows(inputs);
  for (InputId v = 0; v < inputs; ++v) {
    for (InputId o = 0; o < inputs; ++o) {
      const int along = std::abs(static_cast<int>(v % side_b) - static_cast<int>(o % side_b));
      const int across = std::abs(static_cast<int>(v / side_b) - static_cast<int>(o / side_b));
      rows[v].weights.push_back(static_cast<Uint128>(std::ldexp(std::exp(-0.4 * (along + across)), 100)));
      rows[v].total += rows[v].weights.back();
    }
  }
  return rows;
}

Relation lattice() {
  std::vector<RelatedPair> pairs;
  for (InputId v = 0; v < inputs; ++v) {
    if (v % side_b + 1 < side_b) pairs.push_back({v, v + 1, 80'000});
    if (v + side_b < inputs) pairs.push_back({v, v + side_b, 80'000});
  }
  return Relation::metric(inputs, pairs);
}

void certify_relation(benchmark::State& state, const Relation& relation, std::uint64_t memory_bytes) {
  static const std::vector<WeightRow> rows = exponential_table();
  const auto threads = static_cast<int>(state.range(0));
  for (auto _ : state) {
    benchmark::DoNotOptimize(certify(relation, [&](InputId v) { return rows[v]; },
                                     {.threads = threads, .largest_memory_bytes = memory_bytes}));
  }
}

constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;

void certify_complete(benchmark::State& state) {
  certify_relation(state, Relation::complete(inputs), gibibyte);
}
void certify_metric(benchmark::State& state) {
  certify_relation(state, lattice(), gibibyte);
}
/// Rows computed again for every pair.
void certify_metric_without_memory(benchmark::State& state) {
  certify_relation(state, lattice(), 0);
}

BENCHMARK(certify_complete)->ArgName("threads")->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(certify_metric)->ArgName("threads")->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(certify_metric_without_memory)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

/// All attacks on the exponential kernel of a square lattice, prior uniform; AE is `optimal_loss`.
void attack(benchmark::State& state) {
  const auto side = static_cast<Eigen::Index>(state.range(0)), vertices = side * side;
  Table metres(vertices, vertices);
  for (Eigen::Index u = 0; u < vertices; ++u) {
    for (Eigen::Index v = 0; v < vertices; ++v)
      metres(u, v) =
          60.0 * static_cast<double>(std::abs(u / side - v / side) + std::abs(u % side - v % side));
  }
  Table likelihood = (-0.005 * metres).array().exp();
  likelihood.array().colwise() /= likelihood.rowwise().sum().array().eval();
  const std::vector<double> prior(static_cast<std::size_t>(vertices), 1.0 / static_cast<double>(vertices));
  double loss = 0;
  for (auto _ : state) loss = measure_attacks(prior, likelihood, metres).optimal_loss;
  state.counters["ae_m"] = loss;
}
BENCHMARK(attack)->ArgName("side")->Arg(25)->Arg(50)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace fogline::kernel
