// SPDX-License-Identifier: Apache-2.0
// Cost of a gradient step of DPE on 10,000 trips of 100 points (200 numbers), beside two products of matrices of that size, which it should take about.
#include <benchmark/benchmark.h>

#include "random/key.hpp"
#include "traces/paper/generated_trips.hpp"
#include "traces/paper/trip_vectors.hpp"

namespace fogline::traces {
namespace {

constexpr std::size_t many_trips = 10'000;

const Vectors& trips() {
  static const Vectors rows =
      vectors_of(generated_trips({.trips = many_trips, .points = 100}, random::SeededKey(1))).rows;
  return rows;
}

void gradient_step(benchmark::State& state) {
  const std::vector<double> goal(many_trips, 1e6);
  Misfit misfit;
  misfit_of_sums(trips(), goal, {}, misfit);
  for (auto _ : state) {
    misfit_of_sums(trips(), goal, {}, misfit);
    benchmark::DoNotOptimize(misfit.gradient.data());
  }
}

void gradient_step_of_pairs(benchmark::State& state) {
  Misfit misfit;
  misfit_of_pairs(trips(), trips(), {}, misfit);
  for (auto _ : state) {
    misfit_of_pairs(trips(), trips(), {}, misfit);
    benchmark::DoNotOptimize(misfit.gradient.data());
  }
}

/// A A' and then that times A, in panels, as no program has room for the whole.
void two_products(benchmark::State& state) {
  const Vectors& rows = trips();
  constexpr Eigen::Index height = 500;
  Vectors panel(height, rows.rows()), result(rows.rows(), rows.cols());
  for (auto _ : state) {
    for (Eigen::Index first = 0; first < rows.rows(); first += height) {
      panel.noalias() = rows.middleRows(first, height) * rows.transpose();
      result.middleRows(first, height).noalias() = panel * rows;
    }
    benchmark::DoNotOptimize(result.data());
  }
}

BENCHMARK(two_products)->Unit(benchmark::kMillisecond)->UseRealTime()->MinTime(2);
BENCHMARK(gradient_step)->Unit(benchmark::kMillisecond)->UseRealTime()->MinTime(2);
BENCHMARK(gradient_step_of_pairs)->Unit(benchmark::kMillisecond)->UseRealTime()->MinTime(2);

}  // namespace
}  // namespace fogline::traces
