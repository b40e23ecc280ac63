// SPDX-License-Identifier: Apache-2.0
#include "roads/draft.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "graph/components.hpp"

namespace fogline::roads {
namespace {

using graph::VertexId;

graph::Graph graph_of(const Draft& draft) {
  std::vector<graph::Edge> edges;
  edges.reserve(draft.roads.size());
  for (const Road& road : draft.roads) edges.push_back({road.tail, road.head, road.length_mm});
  return graph::Graph::from_edges(draft.position.size(), edges);
}

void turn(Road& road) {
  std::swap(road.tail, road.head);
  road.direction = reversed(road.direction);
  std::reverse(road.shape.begin(), road.shape.end());
}

template <class Column>
void keep_rows(Column& column, const std::vector<VertexId>& kept) {
  if (column.empty()) return;
  // `kept` rises, so a row never moves onto one still needed.
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i] != i) column[i] = std::move(column[kept[i]]);
  }
  column.resize(kept.size());
}

void keep_largest_component(Draft& draft, const graph::Components& parts) {
  const std::size_t before = draft.position.size();
  const std::vector<VertexId> kept = parts.members(parts.largest());
  keep_vertices(draft, kept);
  const std::size_t gone = before - kept.size();
  const std::size_t components = parts.count() - 1;
  draft.dropped.push_back(fmt::format("{} {} not connected with the largest component ({} {})", components,
                                      components == 1 ? "component" : "components", gone,
                                      gone == 1 ? "vertex" : "vertices"));
}

}  // namespace

Direction united(Direction a, Direction b) {
  return a == b ? a : Direction::both;
}

Direction reversed(Direction direction) {
  if (direction == Direction::both) return direction;
  return direction == Direction::forward ? Direction::backward : Direction::forward;
}

Simplified simplify(std::vector<Road>& roads) {
  Simplified result;
  result.self_loops = std::erase_if(roads, [](const Road& road) { return road.tail == road.head; });
  for (Road& road : roads) {
    if (road.tail > road.head) turn(road);
  }
  std::stable_sort(roads.begin(), roads.end(), [](const Road& a, const Road& b) {
    return std::tie(a.tail, a.head, a.length_mm) < std::tie(b.tail, b.head, b.length_mm);
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < roads.size(); ++i) {
    if (kept > 0 && roads[kept - 1].tail == roads[i].tail && roads[kept - 1].head == roads[i].head) {
      roads[kept - 1].direction = united(roads[kept - 1].direction, roads[i].direction);
      ++result.parallel_roads;
      if (roads[kept - 1].length_mm != roads[i].length_mm) ++result.of_other_length;
      continue;
    }
    if (kept != i) roads[kept] = std::move(roads[i]);
    ++kept;
  }
  roads.resize(kept);
  return result;
}

void keep_vertices(Draft& draft, const std::vector<VertexId>& kept) {
  constexpr VertexId gone = std::numeric_limits<VertexId>::max();
  std::vector<VertexId> renumbered(draft.position.size(), gone);
  for (std::size_t i = 0; i < kept.size(); ++i) renumbered[kept[i]] = static_cast<VertexId>(i);
  std::erase_if(draft.roads, [&](const Road& road) {
    return renumbered[road.tail] == gone || renumbered[road.head] == gone;
  });
  for (Road& road : draft.roads) {
    road.tail = renumbered[road.tail];
    road.head = renumbered[road.head];
  }
  keep_rows(draft.position, kept);
  keep_rows(draft.vertex_name, kept);
  keep_rows(draft.vertex_label, kept);
}

std::uint64_t drop_isolated(Draft& draft) {
  std::vector<bool> used(draft.position.size());
  for (const Road& road : draft.roads) used[road.tail] = used[road.head] = true;
  std::vector<VertexId> kept;
  for (VertexId v = 0; v < used.size(); ++v) {
    if (used[v]) kept.push_back(v);
  }
  const std::uint64_t isolated = used.size() - kept.size();
  if (isolated > 0) keep_vertices(draft, kept);
  return isolated;
}

void note_dropped(Draft& draft, std::uint64_t count, std::string_view one, std::string_view what) {
  if (count > 0) draft.dropped.push_back(fmt::format("{} {}", count, count == 1 ? one : what));
}

RoadNetwork finish(Draft draft, const FinishOptions& options) {
  const Simplified simplified = simplify(draft.roads);
  note_dropped(draft, simplified.self_loops, "road that ends where it begins",
               "roads that end where they begin");
  note_dropped(draft, simplified.parallel_roads, "road parallel to a shorter or equal one",
               "roads parallel to a shorter or equal one");
  if (draft.roads.empty()) {
    throw DataError({draft.source}, "holds no road between two places",
                    "check that it is a road network, and the travel mode if it is an OSM file");
  }
  RoadNetwork network;
  network.graph = graph_of(draft);
  const graph::Components parts = graph::components(network.graph);
  network.component_count = parts.count();
  if (options.largest_component && parts.count() > 1) {
    keep_largest_component(draft, parts);
    network.graph = graph_of(draft);
  }
  network.position = std::move(draft.position);
  network.vertex_name = std::move(draft.vertex_name);
  network.vertex_label = std::move(draft.vertex_label);
  network.roads = std::move(draft.roads);
  network.source = std::move(draft.source);
  network.dropped = std::move(draft.dropped);
  network.warnings = std::move(draft.warnings);
  return network;
}

}  // namespace fogline::roads
