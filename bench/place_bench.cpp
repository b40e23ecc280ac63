// SPDX-License-Identifier: Apache-2.0
// Cost of releasing one position with GEM at epsilon 0.01 per metre, and of a weight of its kernel.
#include <filesystem>
#include <string>

#include <benchmark/benchmark.h>

#include "base/testing.hpp"
#include "kernel/capped_exponential.hpp"
#include "place/gem.hpp"
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

}  // namespace
}  // namespace fogline::place
