// SPDX-License-Identifier: Apache-2.0
#include "mobility/sample_walks.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "graph/dijkstra.hpp"
#include "mobility/sample_day.hpp"
#include "random/key.hpp"

namespace fogline::mobility {
namespace {

constexpr std::uint64_t walking_mm_s = 1400;
constexpr std::int64_t begin_s = sample_day_start + 8 * 3600;

void check(const roads::RoadNetwork& network, const SampleWalkOptions& options) {
  const auto range = [](const char* option, std::uint32_t value, std::uint32_t least, std::uint32_t most) {
    if (value < least || value > most)
      throw InvalidOption(option, fmt::format("must lie between {} and {}", least, most));
  };
  range("walkers", options.walkers, 1, 1'000'000);
  range("steps", options.steps, 2, 1'000'000);
  range("interval", options.interval_s, 1, 86'400);
  range("places", options.places, 2, 10'000);
  if (network.vertex_count() < 2) throw InvalidOption("network", "needs two vertices or more");
}

/// A favourite place, and the way to it from everywhere.
struct Goal {
  graph::VertexId vertex = 0;
  std::vector<graph::DistanceMm> distance_mm = {};
};

class Town {
 public:
  Town(const roads::RoadNetwork& network, const SampleWalkOptions& options)
      : network_(network), options_(options), key_(options.seed) {
    graph::Dijkstra search(network.graph);
    random::Stream choice = key_.stream("places");
    for (std::uint32_t i = 0; i < options.places; ++i) {
      const auto vertex = static_cast<graph::VertexId>(choice.below(network.vertex_count()));
      const auto distances = search.one_to_all(vertex);
      goals_.push_back({vertex, {distances.begin(), distances.end()}});
    }
  }

  /// Appends one walk to the columns of a table.
  void walk(std::string_view name, std::uint64_t number, io::PointTable& into) const {
    random::Stream choice = key_.stream(name, number);
    const Goal* goal = &goals_[choice.below(goals_.size())];
    graph::VertexId at = goal->vertex, next = at;
    std::uint64_t edge_mm = 0, walked_mm = 0;  // of the edge at hand
    std::uint64_t rest_s = 0;
    for (std::uint32_t step = 0; step < options_.steps; ++step) {
      add(at, next, edge_mm == 0 ? 0 : static_cast<double>(walked_mm) / static_cast<double>(edge_mm), step,
          into);
      const std::uint64_t idle_s = std::min<std::uint64_t>(rest_s, options_.interval_s);
      rest_s -= idle_s;
      std::uint64_t left_mm = (options_.interval_s - idle_s) * walking_mm_s;
      while (left_mm >= edge_mm - walked_mm) {
        left_mm -= edge_mm - walked_mm;
        at = next;
        if (at == goal->vertex) {
          const Goal& other = next_goal(at, choice);
          if (other.distance_mm[at] != graph::unreachable) goal = &other;
          rest_s = choice.below(3) * options_.interval_s;
          edge_mm = walked_mm = left_mm = 0;
          if (goal->vertex == at) break;
        }
        std::tie(next, edge_mm) = onward(*goal, at);
        walked_mm = 0;
      }
      if (edge_mm > 0) walked_mm += left_mm;
    }
  }

 private:
  /// Of three places the nearest: people mostly go somewhere near.
  const Goal& next_goal(graph::VertexId from, random::Stream& choice) const {
    const Goal* best = nullptr;
    for (int i = 0; i < 3; ++i) {
      const Goal& one = goals_[choice.below(goals_.size())];
      if (one.vertex == from) continue;
      if (best == nullptr || one.distance_mm[from] < best->distance_mm[from]) best = &one;
    }
    return best == nullptr ? goals_.front() : *best;
  }

  /// The next vertex on the way, and how far it is.
  std::pair<graph::VertexId, std::uint64_t> onward(const Goal& goal, graph::VertexId from) const {
    for (const graph::Arc& arc : network_.graph.arcs(from))
      if (goal.distance_mm[arc.head] + arc.length_mm == goal.distance_mm[from])
        return {arc.head, arc.length_mm};
    return {from, 0};
  }

  void add(graph::VertexId from, graph::VertexId to, double share, std::uint32_t step,
           io::PointTable& into) const {
    const geometry::LonLat &a = network_.position[from], &b = network_.position[to];
    into.lon.push_back(a.lon + share * (b.lon - a.lon));
    into.lat.push_back(a.lat + share * (b.lat - a.lat));
    into.t.push_back(begin_s + std::int64_t{step} * options_.interval_s);
    into.line.push_back(into.lon.size() + 1);
  }

  const roads::RoadNetwork& network_;
  const SampleWalkOptions& options_;
  random::SeededKey key_;
  std::vector<Goal> goals_;
};

}  // namespace

SampleWalks make_sample_walks(const roads::RoadNetwork& network, const SampleWalkOptions& options) {
  check(network, options);
  const Town town(network, options);
  SampleWalks walks;
  walks.history.has_time = walks.walker.has_time = true;
  for (std::uint32_t i = 0; i < options.walkers; ++i) {
    const std::uint32_t name = walks.history.traj_names.intern(fmt::format("w{}", i + 1));
    town.walk("history", i, walks.history);
    walks.history.traj.resize(walks.history.lon.size(), name);
  }
  town.walk("walker", 0, walks.walker);
  return walks;
}

}  // namespace fogline::mobility
