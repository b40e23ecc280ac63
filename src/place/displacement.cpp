// SPDX-License-Identifier: Apache-2.0
#include "place/displacement.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "geometry/geodesic.hpp"
#include "graph/dijkstra.hpp"

namespace fogline::place {
namespace {

struct FromVertex {
  graph::VertexId truth = 0;
  std::vector<std::size_t> records;
};

/// The records, by their true vertex, so that each vertex is searched from once.
std::vector<FromVertex> grouped(std::span<const graph::VertexId> truth) {
  std::map<graph::VertexId, std::vector<std::size_t>> records;
  for (std::size_t i = 0; i < truth.size(); ++i) records[truth[i]].push_back(i);
  std::vector<FromVertex> groups;
  for (auto& [vertex, of_vertex] : records) groups.push_back({vertex, std::move(of_vertex)});
  return groups;
}

std::vector<double> road_moves_m(std::span<const graph::VertexId> truth,
                                 std::span<const graph::VertexId> released, const graph::Graph& graph,
                                 const DisplacementOptions& options) {
  std::vector<double> moved(truth.size());
  const std::vector<FromVertex> groups = grouped(truth);
  ProgressMeter meter(options.progress, "measuring the release", groups.size());
  parallel_for(groups.size(), {.threads = options.threads}, [&](std::size_t begin, std::size_t end) {
    graph::Dijkstra search(graph);
    for (std::size_t g = begin; g < end; ++g) {
      const auto distance = search.one_to_all(groups[g].truth);
      for (const std::size_t i : groups[g].records) {
        if (distance[released[i]] == graph::unreachable)
          throw InvalidOption("released", "holds a vertex that no road joins to the record's own");
        moved[i] = static_cast<double>(distance[released[i]]) / 1000;
      }
      meter.advance();
    }
  });
  meter.finish();
  return moved;
}

}  // namespace

Displacement summarise(std::vector<double> moved_m) {
  if (moved_m.empty()) throw InvalidOption("records", "there are none");
  std::sort(moved_m.begin(), moved_m.end());
  const auto rank = [&](double share) {
    const auto at = static_cast<std::size_t>(std::ceil(share * static_cast<double>(moved_m.size())));
    return moved_m[std::max<std::size_t>(at, 1) - 1];
  };
  const double sum = std::accumulate(moved_m.begin(), moved_m.end(), 0.0);
  return {sum / static_cast<double>(moved_m.size()), rank(0.5), rank(0.95)};
}

ReleaseDisplacement displacement(const io::PointTable& points, std::span<const graph::VertexId> truth,
                                 std::span<const graph::VertexId> released, const roads::RoadNetwork& map,
                                 const DisplacementOptions& options) {
  if (truth.size() != points.size() || released.size() != points.size())
    throw InvalidOption("released", "must have as many records as the original");
  std::vector<geometry::LonLat> at;
  for (const graph::VertexId vertex : released) at.push_back(map.position[vertex]);
  ReleaseDisplacement moved = displacement(points, at);
  moved.road = summarise(road_moves_m(truth, released, map.graph, options));
  return moved;
}

ReleaseDisplacement displacement(const io::PointTable& points, std::span<const geometry::LonLat> released) {
  if (released.size() != points.size())
    throw InvalidOption("released", "must have as many records as the original");
  std::vector<double> straight(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    straight[i] = geometry::geodesic_m({points.lon[i], points.lat[i]}, released[i]);
  return {.records = points.size(), .road = {}, .straight = summarise(std::move(straight))};
}

}  // namespace fogline::place
