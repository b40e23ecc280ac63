// SPDX-License-Identifier: Apache-2.0
// Cost of releasing one position with GEM, and from a prepared mechanism, at epsilon 0.01 per metre, and of a weight of its kernel. On New York also what it is measured by:
// a search of the whole map, and the same release on the neighbourhood cut out as a map of its own.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/testing.hpp"
#include "graph/dijkstra.hpp"
#include "kernel/capped_exponential.hpp"
#include "kernel/step_certificate.hpp"
#include "place/gem.hpp"
#include "place/prepared.hpp"
#include "roads/read_network.hpp"

namespace fogline::place {
namespace {

void weight(benchmark::State& state) {
  const kernel::ExponentialRule rule(Rational(1, 200'000));
  std::uint64_t distance_mm = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(rule.weight(distance_mm));
    distance_mm = (distance_mm + 7919) % rule.cap_mm();
  }
}
BENCHMARK(weight);

/// One draw after another on one core, as a bulk release does, from vertices all over the map.
void draw(benchmark::State& state, const std::string& source) {
  const std::string file =
      source.find(':') == std::string::npos ? testing_support::real_data(source) : source;
  if (!roads::is_specification(file) && !std::filesystem::exists(file)) {
    state.SkipWithError(("skipped: no real data at " + file).c_str());
    return;
  }
  const roads::RoadNetwork map = roads::read_network(file);
  const kernel::CappedExponential kernel(map.graph, {.rate_per_mm = Rational(1, 200'000)});
  graph::Dijkstra search(map.graph);
  const random::SeededKey key(1);
  std::uint64_t record = 0;
  for (auto _ : state) {
    random::Stream noise = key.stream("place", record);
    const auto truth = static_cast<graph::VertexId>(record++ * 6607 % map.vertex_count());
    benchmark::DoNotOptimize(kernel.draw(truth, search, noise));
  }
}
BENCHMARK_CAPTURE(draw, city, "city:1")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(draw, porto, "maps/porto.osm.pbf")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(draw, new_york, "maps/USA-road-d.NY.gr.gz")->Unit(benchmark::kMicrosecond);

/// One position after another from a prepared mechanism, as an app asks for them: snapped to the map, and drawn.
void position(benchmark::State& state, const std::string& source, const std::string& mechanism) {
  const std::string file = testing_support::real_data(source);
  if (!std::filesystem::exists(file)) {
    state.SkipWithError(("skipped: no real data at " + file).c_str());
    return;
  }
  const auto prepared =
      prepare_place(roads::read_network(file), {.name = mechanism, .epsilon = {1, 100}}, {});
  const auto& vertices = dynamic_cast<const VertexMechanism&>(*prepared->mechanism);
  const auto sampler = vertices.sampler();
  const random::SeededKey key(1);
  std::uint64_t record = 0;
  std::vector<double> taken_us;
  for (auto _ : state) {
    const auto begin = std::chrono::steady_clock::now();
    random::Stream noise = key.stream("place", record);
    const geometry::LonLat at = prepared->map.position[record++ * 6607 % prepared->map.vertex_count()];
    const auto match = prepared->snapper().snap(std::span(&at, 1), {.threads = 1}).front();
    benchmark::DoNotOptimize(sampler->draw(match.vertex, noise));
    const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - begin;
    taken_us.push_back(taken.count());
  }
  std::ranges::sort(taken_us);
  state.counters["median_us"] = taken_us[taken_us.size() / 2];
}
BENCHMARK_CAPTURE(position, porto_tight, "maps/porto.osm.pbf", "tight")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(position, monaco_optimal, "maps/monaco-2021.osm.pbf", "optimal")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(position, new_york_tight, "maps/USA-road-d.NY.gr.gz", "tight")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(position, porto_gem, "maps/porto.osm.pbf", "gem")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(position, new_york_gem, "maps/USA-road-d.NY.gr.gz", "gem")->Unit(benchmark::kMicrosecond);

/// New York, read once; empty where there is no real data.
const roads::RoadNetwork* new_york(benchmark::State& state) {
  static const std::string file = testing_support::real_data("maps/USA-road-d.NY.gr.gz");
  if (!std::filesystem::exists(file)) {
    state.SkipWithError(("skipped: no real data at " + file).c_str());
    return nullptr;
  }
  static const roads::RoadNetwork map = roads::read_network(file);
  return &map;
}

constexpr std::size_t places = 100;  // to release from, spread over the map

graph::VertexId place_on(const graph::Graph& graph, std::size_t number) {
  return static_cast<graph::VertexId>((number % places) * 2'654'435'761U % graph.vertex_count());
}

void new_york_one_to_all(benchmark::State& state) {
  const auto* map = new_york(state);
  if (map == nullptr) return;
  graph::Dijkstra search(map->graph);
  std::size_t number = 0;
  for (auto _ : state) benchmark::DoNotOptimize(search.one_to_all(place_on(map->graph, number++)).data());
}
BENCHMARK(new_york_one_to_all)->Unit(benchmark::kMicrosecond);

void new_york_build(benchmark::State& state) {
  const auto* map = new_york(state);
  if (map == nullptr) return;
  for (auto _ : state) {
    const Gem gem(map->graph, {.epsilon = privacy::EpsilonPerMetre{1, 100}});
    benchmark::DoNotOptimize(gem.range().data());
  }
}
BENCHMARK(new_york_build)->Unit(benchmark::kMillisecond);

void new_york_release(benchmark::State& state) {
  const auto* map = new_york(state);
  if (map == nullptr) return;
  const Gem gem(map->graph, {.epsilon = privacy::EpsilonPerMetre{1, 100}});
  const random::SeededKey key(1);
  std::uint64_t number = 0;
  for (auto _ : state) {
    random::Stream noise = key.stream("place", number);
    benchmark::DoNotOptimize(gem.release(place_on(map->graph, number++), noise));
  }
}
BENCHMARK(new_york_release)->Unit(benchmark::kMicrosecond);

/// What lies within the cap of a vertex, as a map of its own; the vertex itself is number 0.
graph::Graph cut_out(const graph::Graph& graph, graph::VertexId centre, graph::DistanceMm radius_mm) {
  graph::Dijkstra search(graph);
  std::unordered_map<graph::VertexId, graph::VertexId> number;
  for (const auto& [vertex, distance_mm] : search.within(centre, radius_mm))
    number.emplace(vertex, static_cast<graph::VertexId>(number.size()));
  std::vector<graph::Edge> edges;
  for (const auto& [old_tail, tail] : number) {
    for (const graph::Arc& arc : graph.arcs(old_tail)) {
      if (old_tail < arc.head && number.contains(arc.head))
        edges.push_back({tail, number[arc.head], arc.length_mm});
    }
  }
  return graph::Graph::from_edges(number.size(), edges);
}

void new_york_release_cut_out(benchmark::State& state) {
  const auto* map = new_york(state);
  if (map == nullptr) return;
  const privacy::EpsilonPerMetre epsilon{1, 100};
  std::vector<std::unique_ptr<const graph::Graph>> maps;
  std::vector<std::unique_ptr<const Gem>> gems;
  for (std::size_t i = 0; i < places; ++i) {
    maps.push_back(std::make_unique<const graph::Graph>(
        cut_out(map->graph, place_on(map->graph, i), Gem::rule(epsilon).cap_mm())));
    gems.push_back(std::make_unique<const Gem>(*maps.back(), Gem::Options{.epsilon = epsilon}));
  }
  const random::SeededKey key(1);
  std::uint64_t number = 0;
  // Samplers keep their last vertex: one that is not the centre in between, as on the whole map, where the next is another.
  for (auto _ : state) {
    state.PauseTiming();
    const Gem& gem = *gems[number % places];
    const auto sampler = gem.sampler();
    random::Stream noise = key.stream("place", number++);
    sampler->draw(static_cast<graph::VertexId>(gem.graph().vertex_count() - 1), noise);
    state.ResumeTiming();
    benchmark::DoNotOptimize(sampler->draw(0, noise));
  }
}
BENCHMARK(new_york_release_cut_out)->Unit(benchmark::kMicrosecond);

/// The local rule, all steps, on one core.
void certify_rule(benchmark::State& state) {
  const kernel::ExponentialRule rule = Gem::rule({1, 100});
  for (auto _ : state) {
    benchmark::DoNotOptimize(kernel::certify_steps([&](std::uint64_t d) { return rule.weight(d); },
                                                   rule.cap_mm() + 1, {.threads = 1}));
  }
}
BENCHMARK(certify_rule)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fogline::place
