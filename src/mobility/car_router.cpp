// SPDX-License-Identifier: Apache-2.0
#include "mobility/car_router.hpp"

#include <algorithm>
#include <functional>
#include <queue>

namespace fogline::mobility {

using graph::VertexId;
using roads::Direction;
using roads::RoadClass;

std::uint32_t free_speed_km_h(RoadClass road_class) {
  switch (road_class) {
    case RoadClass::motorway:
      return 100;
    case RoadClass::trunk:
      return 70;
    case RoadClass::primary:
      return 50;
    case RoadClass::secondary:
      return 46;
    case RoadClass::tertiary:
      return 40;
    case RoadClass::unclassified:
      return 36;
    case RoadClass::residential:
      return 27;
    case RoadClass::living_street:
      return 12;
    case RoadClass::service:
      return 16;
    case RoadClass::track:
      return 14;
    case RoadClass::path:
      return 5;
    case RoadClass::other:
      return 25;
  }
  return 25;
}

CarRouter::CarRouter(const roads::RoadNetwork& network)
    : network_(&network), exits_(network.vertex_count()), labels_(network.vertex_count()) {
  for (std::uint32_t i = 0; i < network.roads.size(); ++i) {
    const roads::Road& road = network.roads[i];
    if (road.direction != Direction::backward) exits_[road.tail].push_back({road.head, {i, true}});
    if (road.direction != Direction::forward) exits_[road.head].push_back({road.tail, {i, false}});
  }
}

std::uint64_t CarRouter::time_ms(std::uint32_t road, std::uint64_t taste_seed) const {
  const roads::Road& r = network_->roads[road];
  // Millimetres over metres a second are milliseconds; 36 / 10 turns km/h into m/s.
  const std::uint64_t exact = std::uint64_t{r.length_mm} * 36 / (10 * free_speed_km_h(r.road_class));
  if (taste_seed == 0) return exact + 1;
  std::uint64_t h = (taste_seed ^ (road * 0x9E3779B97F4A7C15u)) * 0xBF58476D1CE4E5B9u;
  h = (h ^ (h >> 31)) * 0x94D049BB133111EBu;
  return exact * (85 + (h >> 40) % 31) / 100 + 1;
}

std::vector<RouteStep> CarRouter::route(VertexId start, VertexId goal, const Options& options) {
  using Entry = std::pair<std::uint64_t, VertexId>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  ++search_;
  labels_[start] = {0, search_, start, {}};
  open.emplace(0, start);
  while (!open.empty()) {
    const auto [time, vertex] = open.top();
    open.pop();
    if (vertex == goal) return trace_back(start, goal);
    if (time > labels_[vertex].time_ms) continue;
    for (const Exit& exit : exits_[vertex]) {
      const std::uint64_t arrival = time + time_ms(exit.step.road, options.taste_seed);
      Label& label = labels_[exit.to];
      if (label.search == search_ && label.time_ms <= arrival) continue;
      label = {arrival, search_, vertex, exit.step};
      open.emplace(arrival, exit.to);
    }
  }
  return {};
}

std::vector<RouteStep> CarRouter::trace_back(VertexId start, VertexId goal) const {
  std::vector<RouteStep> steps;
  for (VertexId at = goal; at != start; at = labels_[at].from) steps.push_back(labels_[at].step);
  std::reverse(steps.begin(), steps.end());
  return steps;
}

}  // namespace fogline::mobility
