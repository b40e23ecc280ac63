// SPDX-License-Identifier: Apache-2.0
// Cost of shortest paths. The bar: one-to-all on New York (264,346 vertices) in at most 60 ms on one core.
#include <filesystem>
#include <optional>
#include <string>

#include <benchmark/benchmark.h>

#include "base/testing.hpp"
#include "graph/all_pairs.hpp"
#include "graph/dijkstra.hpp"
#include "roads/read_network.hpp"

namespace fogline::graph {
namespace {

// New York where the data is there; a lattice of about its size always.
const roads::RoadNetwork* network(benchmark::State& state, bool real) {
  if (!real) {
    static const roads::RoadNetwork lattice = roads::read_network("lattice:512x512:51100");
    return &lattice;
  }
  const std::string file = testing_support::real_data("maps/USA-road-d.NY.gr.gz");
  if (!std::filesystem::exists(file)) {
    state.SkipWithError(("skipped: no real data at " + file).c_str());
    return nullptr;
  }
  static const roads::RoadNetwork new_york = roads::read_network(file);
  return &new_york;
}

// Sources spread over the whole network, the same in every run.
VertexId source(std::size_t turn, std::size_t vertex_count) {
  return static_cast<VertexId>(turn * 6607 % vertex_count);
}

void one_to_all(benchmark::State& state, bool real) {
  const roads::RoadNetwork* city = network(state, real);
  if (city == nullptr) return;
  Dijkstra search(city->graph);
  std::size_t turn = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(search.one_to_all(source(turn++, city->vertex_count())).data());
  }
}
BENCHMARK_CAPTURE(one_to_all, new_york, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(one_to_all, lattice, false)->Unit(benchmark::kMillisecond);

void within(benchmark::State& state, bool real) {
  const roads::RoadNetwork* city = network(state, real);
  if (city == nullptr) return;
  Dijkstra search(city->graph);
  std::size_t turn = 0;
  std::size_t settled = 0;
  const auto radius_mm = static_cast<DistanceMm>(state.range(0)) * 1000;
  for (auto _ : state) settled += search.within(source(turn++, city->vertex_count()), radius_mm).size();
  state.counters["settled"] =
      benchmark::Counter(static_cast<double>(settled), benchmark::Counter::kAvgIterations);
}
BENCHMARK_CAPTURE(within, new_york, true)
    ->ArgName("metres")
    ->Arg(500)
    ->Arg(5000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(within, lattice, false)
    ->ArgName("metres")
    ->Arg(500)
    ->Arg(5000)
    ->Unit(benchmark::kMicrosecond);

void table_of_all_distances(benchmark::State& state) {
  const roads::RoadNetwork lattice = roads::read_network("lattice:45x45:4400");
  for (auto _ : state) benchmark::DoNotOptimize(all_pairs(lattice.graph).row(0).data());
}
BENCHMARK(table_of_all_distances)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace fogline::graph
