// SPDX-License-Identifier: Apache-2.0
// What publishing a route costs, and reading it again.
#include <benchmark/benchmark.h>

#include "path/labels.hpp"
#include "path/layers.hpp"
#include "path/public_path_file.hpp"
#include "path/recover.hpp"
#include "path/sample_route.hpp"
#include "random/key.hpp"

namespace {

using namespace fogline;

path::SampleRoute sample(std::uint32_t vertices, std::uint64_t roads, random::Stream& choice) {
  return path::sample_route({.vertices = vertices, .roads = roads}, choice);
}

/// From the route to the text of the file; the argument is the number of vertices, with half as many roads again.
void publish(benchmark::State& state) {
  const auto vertices = static_cast<std::uint32_t>(state.range(0));
  random::Stream choice = random::SeededKey(1).stream("bench");
  const path::SampleRoute made = sample(vertices, vertices * 3 / 2, choice);
  const path::PathLabels labels({.epsilon_edges = {1, 1}});
  for (auto _ : state)
    benchmark::DoNotOptimize(path::to_json(labels.release({made.map, made.route}, choice)));
}
BENCHMARK(publish)->Arg(10)->Arg(100)->Arg(500)->Arg(2000);

/// The layered graph of a publication, with its edges.
void layers(benchmark::State& state) {
  const auto vertices = static_cast<std::uint32_t>(state.range(0));
  random::Stream choice = random::SeededKey(1).stream("bench");
  const path::SampleRoute made = sample(vertices, vertices * 3 / 2, choice);
  const path::PathLabels labels({.epsilon_edges = {1, 1}});
  const auto ruled_out = labels.release({made.map, made.route}, choice).candidates.complement();
  for (auto _ : state) benchmark::DoNotOptimize(path::layers_of(ruled_out));
}
BENCHMARK(layers)->Arg(10)->Arg(100)->Arg(500)->Arg(2000)->Unit(benchmark::kMicrosecond);

bool same_way(const path::Route& read, const path::Route& route) {
  return read == route || std::equal(read.rbegin(), read.rend(), route.begin(), route.end());
}

/// Random networks of 2 to 20 vertices, published one-sided and read with all roads: `wrong` counts what was read otherwise than it was.
void recover_exactly(benchmark::State& state) {
  random::Stream choice = random::SeededKey(1).stream("bench");
  double maps = 0, wrong = 0;
  for (auto _ : state) {
    const std::uint64_t n = 2 + choice.below(19);
    const std::uint64_t roads = n - 1 + choice.below(n * (n - 1) / 2 - n + 2);
    const path::SampleRoute made = sample(static_cast<std::uint32_t>(n), roads, choice);
    const path::PathLabels labels({.epsilon_edges = {1 + choice.below(4), 1 + choice.below(2)}});
    const auto read = path::recover(made.map, labels.release({made.map, made.route}, choice));
    maps += 1;
    wrong += read.complete && read.route == made.route ? 0 : 1;
  }
  state.counters["maps"] = maps;
  state.counters["wrong"] = wrong;
}
BENCHMARK(recover_exactly)->Iterations(100'000)->Unit(benchmark::kMicrosecond);

/// Two-sided, 100 vertices and 150 roads, a route through all of them; the argument is eps2. `right` is the share that was read exactly.
void decode(benchmark::State& state) {
  random::Stream choice = random::SeededKey(1).stream("bench");
  const path::PathLabels labels({.form = path::PathForm::two_sided,
                                 .epsilon_edges = {static_cast<std::uint64_t>(state.range(0)), 1},
                                 .every_vertex = true});
  double right = 0;
  for (auto _ : state) {
    state.PauseTiming();
    const path::SampleRoute made = sample(100, 150, choice);
    const path::PublicPath shown = labels.release({made.map, made.route}, choice);
    state.ResumeTiming();
    const auto read = path::recover(made.map, shown, {.second_best = false});
    right += read.complete && same_way(read.route, made.route) ? 1 : 0;
  }
  state.counters["right"] = right / static_cast<double>(state.iterations());
}
BENCHMARK(decode)->Arg(3)->Arg(4)->Arg(5)->Iterations(4000)->Unit(benchmark::kMillisecond);

}  // namespace
