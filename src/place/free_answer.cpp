// SPDX-License-Identifier: Apache-2.0
#include "place/free_answer.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/geodesic.hpp"
#include "graph/dijkstra.hpp"

namespace fogline::place {
namespace {

/// Steps to neighbours are tried so often; a city's middle is some ten junctions from its point of least distance.
constexpr int most_searches = 64;

/// An error below this part of the first guess's is below that of every other guess too, as far as anybody will meet: the guess would
/// have to be twice as near to everybody as the middle of the map.
constexpr double worth_by_far = 0.5;

/// The mean distance from one vertex to everybody.
class MeanDistance {
 public:
  MeanDistance(const roads::RoadNetwork& map, std::span<const double> prior, bool straight)
      : map_(map), prior_(prior), straight_(straight), search_(map.graph) {}

  /// In metres; nothing if somebody cannot be reached.
  std::optional<double> from(graph::VertexId vertex) {
    double sum = 0, weight = 0;
    const auto distance = straight_ ? std::span<const graph::DistanceMm>() : search_.one_to_all(vertex);
    for (std::size_t v = 0; v < map_.vertex_count(); ++v) {
      const double p = share(v);
      if (p == 0) continue;
      if (!straight_ && distance[v] == graph::unreachable) return std::nullopt;
      sum += p * (straight_ ? geometry::geodesic_m(map_.position[vertex], map_.position[v])
                            : static_cast<double>(distance[v]) / 1000);
      weight += p;
    }
    return sum / weight;
  }

  /// The vertex nearest to the mean position.
  graph::VertexId middle() const {
    double lon = 0, lat = 0, weight = 0;
    for (std::size_t v = 0; v < map_.vertex_count(); ++v) {
      lon += share(v) * map_.position[v].lon;
      lat += share(v) * map_.position[v].lat;
      weight += share(v);
    }
    lon /= weight;
    lat /= weight;
    const auto off = [&](const geometry::LonLat& at) {
      return (at.lon - lon) * (at.lon - lon) + (at.lat - lat) * (at.lat - lat);
    };
    const auto nearest = std::ranges::min_element(map_.position, {}, off);
    return static_cast<graph::VertexId>(nearest - map_.position.begin());
  }

 private:
  double share(std::size_t vertex) const { return prior_.empty() ? 1 : prior_[vertex]; }

  const roads::RoadNetwork& map_;
  std::span<const double> prior_;
  bool straight_;
  graph::Dijkstra search_;
};

}  // namespace

std::optional<double> free_error_m(const roads::RoadNetwork& map, std::span<const double> prior,
                                   const ExpectedError& error) {
  if (map.position.empty()) return std::nullopt;
  MeanDistance mean(map, prior, error.straight);
  graph::VertexId at = mean.middle();
  std::optional<double> least = mean.from(at);
  int searches = 1;
  for (bool moved = true; moved && least && error.q_loss_m > worth_by_far * *least;) {
    moved = false;
    for (const graph::Arc& arc : map.graph.arcs(at)) {
      if (++searches > most_searches) return least;
      const std::optional<double> there = mean.from(arc.head);
      if (!there || *there >= *least) continue;
      least = there;
      at = arc.head;
      moved = true;
      break;
    }
  }
  return least;
}

}  // namespace fogline::place
