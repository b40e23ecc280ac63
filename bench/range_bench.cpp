// SPDX-License-Identifier: Apache-2.0
// Cost of the optimised range (Algorithm 2 of Takagi et al.) at epsilon 0.01 per metre, side 1,500 m, against a direct reading of the
// listing. The bars: at most 1/20 of the direct reading at 400 vertices; 2,500 vertices in seconds.
#include <cmath>
#include <vector>

#include <benchmark/benchmark.h>

#include "kernel/range_search.hpp"
#include "kernel/test_range_search.hpp"

namespace fogline::kernel {
namespace {

using Eigen::Index;

struct Lattice {
  std::vector<double> prior;
  Table metres, weights;

  Lattice(Index side, double length_m, double epsilon_per_m, bool peaks) {
    const Index n = side * side;
    const double step_m = length_m / static_cast<double>(side - 1);
    metres.resize(n, n);
    for (Index u = 0; u < n; ++u) {
      for (Index v = 0; v < n; ++v)
        metres(u, v) =
            step_m * static_cast<double>(std::abs(u / side - v / side) + std::abs(u % side - v % side));
    }
    weights = (-epsilon_per_m / 2 * metres).array().exp().max(std::ldexp(1.0, -36));
    for (Index v = 0; v < n; ++v)
      prior.push_back(peaks ? peaked(static_cast<double>(v % side) / static_cast<double>(side - 1),
                                     static_cast<double>(v / side) / static_cast<double>(side - 1))
                            : 1);
  }

  /// Four places where people are likely to be, as in the paper's figure 9.
  static double peaked(double x, double y) {
    double share = 0.02;
    for (const double a : {0.25, 0.75}) {
      for (const double b : {0.25, 0.75}) share += std::exp(-((x - a) * (x - a) + (y - b) * (y - b)) / 0.01);
    }
    return share;
  }

  RangeProblem problem() const { return {prior, weights, metres, metres}; }
};

/// Arguments: vertices on a side, length in metres, peaked prior.
Lattice lattice_of(const benchmark::State& state) {
  return {state.range(0), static_cast<double>(state.range(1)), 0.01, state.range(2) != 0};
}

void fast(benchmark::State& state) {
  const Lattice map = lattice_of(state);
  RangeSearch found;
  for (auto _ : state) found = search_range(map.problem());
  state.counters["kept"] = static_cast<double>(found.range.size());
  state.counters["q_loss_m"] = found.q_loss;
  state.counters["pc"] = found.pc;
  state.counters["bounded"] = static_cast<double>(found.bounded);
  state.counters["computed"] = static_cast<double>(found.computed);
}
BENCHMARK(fast)
    ->ArgNames({"side", "length", "peaks"})
    ->Args({20, 1500, 0})
    ->Args({20, 1500, 1})
    ->Args({50, 1500, 0})
    ->Args({50, 1500, 1})
    ->Args({50, 5000, 0})
    ->Args({50, 5000, 1})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void direct_reading(benchmark::State& state) {
  const Lattice map = lattice_of(state);
  direct::Range found;
  for (auto _ : state) found = direct::search(map.problem());
  const std::vector<std::uint32_t> range(found.begin(), found.end());
  if (range != search_range(map.problem()).range) state.SkipWithError("the two ranges differ");
  state.counters["kept"] = static_cast<double>(found.size());
}
BENCHMARK(direct_reading)
    ->ArgNames({"side", "length", "peaks"})
    ->Args({20, 1500, 0})
    ->Args({20, 1500, 1})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace fogline::kernel
