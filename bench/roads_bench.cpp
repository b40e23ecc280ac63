// SPDX-License-Identifier: Apache-2.0
// Cost of reading and snapping. The bar: Porto from OSM to a routable graph in at most 3 seconds.
#include <filesystem>
#include <string>

#include <benchmark/benchmark.h>

#include "base/testing.hpp"
#include "geometry/bounding_box.hpp"
#include "geometry/nearest_index.hpp"
#include "geometry/projection.hpp"
#include "roads/read_network.hpp"

namespace fogline::roads {
namespace {

void read(benchmark::State& state, const std::string& name) {
  const std::string file = testing_support::real_data(name);
  if (!std::filesystem::exists(file)) {
    state.SkipWithError(("skipped: no real data at " + file).c_str());
    return;
  }
  for (auto _ : state) benchmark::DoNotOptimize(read_network(file).vertex_count());
}
BENCHMARK_CAPTURE(read, porto_osm, "maps/porto.osm.pbf")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(read, new_york_dimacs, "maps/USA-road-d.NY.gr.gz")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void make_lattice(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(read_network("lattice:512x512:51100").vertex_count());
}
BENCHMARK(make_lattice)->Unit(benchmark::kMillisecond)->UseRealTime();

// One position to the nearest of a quarter of a million vertices: projection and search, on one core.
void snap(benchmark::State& state) {
  const RoadNetwork city = read_network("lattice:512x512:51100");
  const geometry::BoundingBox box = geometry::bounding_box(city.position);
  const geometry::LocalProjection plane(box.centre());
  const geometry::NearestIndex index(plane.forward(city.position));
  std::uint64_t turn = 0;
  for (auto _ : state) {
    const double share = static_cast<double>(turn++ * 7919 % 10'007) / 10'007;
    const geometry::LonLat here{
        box.south_west.lon + share * (box.north_east.lon - box.south_west.lon),
        box.south_west.lat + share * share * (box.north_east.lat - box.south_west.lat)};
    benchmark::DoNotOptimize(index.nearest(plane.forward(here)).vertex);
  }
}
BENCHMARK(snap);

void build_nearest_index(benchmark::State& state) {
  const RoadNetwork city = read_network("lattice:512x512:51100");
  const auto points = geometry::LocalProjection({0, 0}).forward(city.position);
  for (auto _ : state) benchmark::DoNotOptimize(geometry::NearestIndex(points).size());
}
BENCHMARK(build_nearest_index)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fogline::roads
