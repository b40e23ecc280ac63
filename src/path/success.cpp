// SPDX-License-Identifier: Apache-2.0
#include "path/success.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <mutex>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "path/recover.hpp"
#include "random/key.hpp"

namespace fogline::path {
namespace {

/// Lets every run ask whether to go on, whichever thread it is in.
class RunWatch {
 public:
  RunWatch(const Progress& progress, std::uint64_t runs) : progress_(progress), runs_(runs) {}

  Progress within_run() {
    return [this](const ProgressUpdate&) { return goes_on(); };
  }
  void finish_run() {
    ++done_;
    if (!goes_on()) throw Cancelled();
  }

 private:
  bool goes_on() {
    if (!progress_) return true;
    const std::unique_lock lock(one_at_a_time_, std::try_to_lock);
    if (lock && !progress_({"trying", done_, runs_})) stopped_ = true;
    return !stopped_;
  }

  const Progress& progress_;
  const std::uint64_t runs_;
  std::mutex one_at_a_time_;
  std::atomic<std::uint64_t> done_ = 0;
  std::atomic<bool> stopped_ = false;
};

/// What one run may use: random words of its own.
struct Run {
  random::Stream choice, noise;
  Progress progress;
};

bool reads_the_route(const RouteMap& map, const Route& route, const PathLabels& labels, Run& run) {
  const PublicPath shown = labels.release({map, route}, run.noise);
  Route read = recover(map, shown, {.second_best = false, .progress = run.progress}).route;
  if (read == route) return true;
  std::ranges::reverse(read);
  return read == route;
}

Success repeat(const SuccessOptions& options, const std::function<bool(Run&)>& succeeds) {
  if (options.labels.form != PathForm::two_sided)
    throw InvalidOption("two-sided", "is what can be tried: the other forms are read without fail");
  if (options.runs < 2 || options.runs > 1'000'000) throw InvalidOption("runs", "must be 2 to 1,000,000");
  const random::SeededKey key(options.seed);
  std::atomic<std::uint64_t> read = 0;
  RunWatch watch(options.progress, options.runs);
  parallel_for(options.runs, {.threads = options.threads}, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Run run{key.stream("route", i), key.stream("labels", i), watch.within_run()};
      if (succeeds(run)) ++read;
      watch.finish_run();
    }
  });
  Success found{.runs = options.runs, .read = read};
  found.share = static_cast<double>(read) / static_cast<double>(options.runs);
  found.standard_error = std::sqrt(found.share * (1 - found.share) / static_cast<double>(options.runs - 1));
  return found;
}

/// The heaviest for random weights of the roads, so that no route is drawn because the reader prefers it.
Route fitting_route(const RouteMap& map, const PathOptions& labels, Run& run) {
  constexpr std::uint64_t weights = 1'000, enough_nodes = 1'000;
  const Decoded drawn = heaviest_path(
      map.roads, [&](StopId, StopId) { return static_cast<std::int64_t>(run.choice.below(weights)); },
      {.ends = labels.ends, .second_best = false, .most_nodes = enough_nodes, .progress = run.progress});
  if (drawn.path.empty())
    throw InvalidOption("every-vertex",
                        drawn.proved
                            ? "is not possible: no route visits every vertex of this network"
                            : "cannot be tried: no route through every vertex of this network was found");
  return drawn.path;
}

Route short_route(const RouteMap& map, const PathOptions& labels, random::Stream& choice) {
  std::vector<graph::Edge> edges;
  for (VertexId u = 0; u < map.vertex_count(); ++u)
    graph::for_each_bit(map.roads.row(u), [&](VertexId v) {
      if (u < v) edges.push_back({u, v, static_cast<graph::LengthMm>(1 + choice.below(1'000))});
    });
  auto ends = labels.ends;
  if (!ends) {
    const auto from = static_cast<VertexId>(choice.below(map.vertex_count()));
    const auto apart = static_cast<VertexId>(1 + choice.below(map.vertex_count() - 1));
    ends = {from, static_cast<VertexId>((from + apart) % map.vertex_count())};
  }
  return shortest_route(graph::Graph::from_edges(map.vertex_count(), edges), ends->first, ends->second);
}

}  // namespace

Success expected_success(const SampleRouteOptions& network, const SuccessOptions& options) {
  if (network.cyclic) throw InvalidOption("cyclic", "routes are not tried");
  if (options.labels.ends)
    throw InvalidOption("from", "and `to` need `network`: invented networks have no such vertices");
  const PathLabels labels(options.labels);
  return repeat(options, [&](Run& run) {
    const SampleRoute made = sample_route(network, run.choice);
    return reads_the_route(made.map, made.route, labels, run);
  });
}

Success expected_success(const RouteMap& map, const SuccessOptions& options) {
  if (map.vertex_count() < 2) throw InvalidOption("map", "must have at least two vertices");
  const PathLabels labels(options.labels);
  return repeat(options, [&](Run& run) {
    const Route route = options.labels.every_vertex ? fitting_route(map, options.labels, run)
                                                    : short_route(map, options.labels, run.choice);
    return reads_the_route(map, route, labels, run);
  });
}

}  // namespace fogline::path
