// SPDX-License-Identifier: Apache-2.0
#include "path/experiment.hpp"

#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "graph/transitive_orientation.hpp"
#include "path/published_direction.hpp"

namespace fogline::path {
namespace {

constexpr std::uint64_t seed = 2020;

/// One number for each size and run.
std::uint64_t index_of(const MapSize& size, std::uint64_t run) {
  return (run * 100 + size.vertices) * 1'000 + size.roads;
}

}  // namespace

std::vector<MapSize> paper_sizes() {
  std::vector<MapSize> sizes;
  for (std::uint32_t n = 5; n <= 10; ++n)
    for (std::uint64_t roads = n - 1; roads <= n * (n - 1) / 2; ++roads) sizes.push_back({n, roads});
  return sizes;
}

SampleRoute experiment_map(const MapSize& size, std::uint64_t run, bool cyclic) {
  random::Stream choice = random::SeededKey(seed).stream("maps", index_of(size, run));
  return sample_route({.vertices = size.vertices, .roads = size.roads, .cyclic = cyclic}, choice);
}

double good_output(const PublishedLayers& layers, const std::vector<StopId>& path) {
  const PublishedEnds ends = published_ends(layers, path);
  if (ends.root_from_front == ends.root_from_back) return 0.5;
  return ends.root_from_front < ends.root_from_back ? 1 : 0;
}

PlainLayers plain_layers(const SampleRoute& made) {
  const Route& route = made.route;
  graph::BitGraph ruled_out(route.size());  // numbered in the order of the route
  for (StopId a = 0; a < route.size(); ++a)
    for (StopId b = a + 2; b < route.size(); ++b)
      if (made.map.roads.joined(route[a], route[b])) ruled_out.join(a, b);
  const LayerSearch found = search_layers(ruled_out, {.most_steps = 1'000'000'000});
  PlainLayers plain{.usable = found.complete,
                    .orientable = graph::transitive_orientation(ruled_out).has_value(),
                    .steps = found.steps};
  if (!found.complete) return plain;
  PublishedLayers layers;
  std::vector<StopId> path;
  for (StopId a = 0; a < route.size(); ++a) {
    path.push_back(a);
    layers.pieces.push_back({a, found.layer[a]});
    graph::for_each_bit(ruled_out.row(a), [&](StopId b) {
      if (a < b) layers.edges.emplace_back(a, b);
    });
  }
  plain.good = good_output(turned_to_start(std::move(layers), path), path);
  return plain;
}

PublishedRuns publish_runs(const MapSize& size, const PublishedOptions& options, std::uint64_t runs,
                           bool cyclic, const std::function<double()>& seconds) {
  const PublishedPath paper(options);
  const random::StreamFamily streams = random::SeededKey(seed).streams("publications");
  PublishedRuns total;
  for (std::uint64_t run = 0; run < runs; ++run) {
    const SampleRoute made = experiment_map(size, run, cyclic);
    random::Stream noise = streams.stream(index_of(size, run));
    const double begin = seconds ? seconds() : 0;
    const PublishedPath::Release out = paper.release_in_full(made.map, made.route, noise);
    if (seconds) total.milliseconds += 1'000 * (seconds() - begin);
    total.good += good_output(*out.shown.layers, out.path);
    total.pieces_per_stop +=
        static_cast<double>(out.shown.layers->pieces.size()) / static_cast<double>(out.shown.stops.size());
    total.steps += static_cast<double>(out.steps);
    total.gave_ups += out.gave_ups;
  }
  for (double* mean : {&total.good, &total.pieces_per_stop, &total.steps, &total.milliseconds})
    *mean /= static_cast<double>(runs);
  return total;
}

void for_each_cell(std::size_t count, const FigureOptions& options,
                   const std::function<void(std::size_t)>& body) {
  ProgressMeter meter(options.progress, "maps", count);
  parallel_for(count, {.threads = options.threads}, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      body(i);
      meter.advance();
    }
  });
  meter.finish();
}

}  // namespace fogline::path
