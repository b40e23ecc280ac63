// SPDX-License-Identifier: Apache-2.0
#include "roads/draft.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "graph/components.hpp"
#include "roads/spacing.hpp"

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

Draft draft_of(RoadNetwork network) {
  if (network.vertex_name.empty() && network.vertex_label.empty()) {
    network.vertex_name.resize(network.vertex_count());
    std::iota(network.vertex_name.begin(), network.vertex_name.end(), 0);
  }
  return {.source = std::move(network.source),
          .position = std::move(network.position),
          .vertex_name = std::move(network.vertex_name),
          .vertex_label = std::move(network.vertex_label),
          .roads = std::move(network.roads),
          .dropped = std::move(network.dropped),
          .warnings = std::move(network.warnings)};
}

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

namespace {

/// What is joined with what, whatever runs beside it: loops and parallel roads join nothing else.
graph::Graph joined_ends(const Draft& draft) {
  std::vector<graph::Edge> edges;
  for (const Road& road : draft.roads) {
    if (road.tail != road.head)
      edges.push_back({std::min(road.tail, road.head), std::max(road.tail, road.head), 1});
  }
  const auto ends = [](const graph::Edge& edge) { return std::pair(edge.tail, edge.head); };
  std::ranges::sort(edges, {}, ends);
  const auto repeated = std::ranges::unique(edges, {}, ends);
  edges.erase(repeated.begin(), repeated.end());
  return graph::Graph::from_edges(draft.position.size(), edges);
}

void leave_out_repeated(Draft& draft) {
  const Simplified simplified = simplify(draft.roads);
  note_dropped(draft, simplified.self_loops, "road that ends where it begins",
               "roads that end where they begin");
  note_dropped(draft, simplified.parallel_roads, "road parallel to a shorter or equal one",
               "roads parallel to a shorter or equal one");
}

/// Simplifies, and keeps one component or all.
RoadNetwork finish_simple(Draft draft, bool largest_component) {
  leave_out_repeated(draft);
  if (draft.roads.empty()) {
    throw DataError({draft.source}, "holds no road between two places",
                    "check that it is a road network, and the travel mode if it is an OSM file");
  }
  RoadNetwork network;
  network.graph = graph_of(draft);
  const graph::Components parts = graph::components(network.graph);
  network.component_count = parts.count();
  if (largest_component && parts.count() > 1) {
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

/// Vertices on a road tell it from one beside it, so parallel roads and loops stay where they have a shape of their own.
RoadNetwork finish_spaced(Draft draft, const FinishOptions& options) {
  if (std::ranges::all_of(draft.roads, [](const Road& road) { return road.shape.empty(); }))
    leave_out_repeated(draft);
  // By its junctions, before any road is cut: were it by vertices, long roads would decide, and two spacings could keep two
  // different pieces of one map under one name.
  const std::uint64_t pieces =
      options.largest_component ? keep_largest_piece(draft) : graph::components(joined_ends(draft)).count();
  space_roads(draft, options.spacing_mm);
  RoadNetwork network = finish_simple(std::move(draft), false);
  network.component_count = pieces;
  return network;
}

}  // namespace

std::uint64_t keep_largest_piece(Draft& draft) {
  const graph::Components parts = graph::components(joined_ends(draft));
  if (parts.count() > 1) keep_largest_component(draft, parts);
  return parts.count();
}

RoadNetwork finish(Draft draft, const FinishOptions& options) {
  return options.spacing_mm == 0 ? finish_simple(std::move(draft), options.largest_component)
                                 : finish_spaced(std::move(draft), options);
}

}  // namespace fogline::roads
