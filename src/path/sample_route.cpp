// SPDX-License-Identifier: Apache-2.0
#include "path/sample_route.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "base/error.hpp"
#include "graph/dijkstra.hpp"

namespace fogline::path {
namespace {

std::uint64_t pairs_of(std::uint64_t vertices) {
  return vertices * (vertices - 1) / 2;
}

void require_options(const SampleRouteOptions& options) {
  const std::uint32_t least = options.cyclic ? 3 : 2;
  if (options.vertices < least || options.vertices > most_map_vertices) {
    throw InvalidOption("vertices", fmt::format("must be {} to {}", least, most_map_vertices));
  }
  const std::uint64_t steps = options.cyclic ? options.vertices : options.vertices - 1;
  const std::uint64_t pairs = pairs_of(options.vertices);
  if (options.roads < steps || options.roads > pairs) {
    throw InvalidOption(
        "roads", fmt::format("must be {} (the steps of the route) to {} (all pairs of {} vertices)", steps,
                             pairs, options.vertices));
  }
}

void shuffle(std::vector<VertexId>& order, random::Stream& choice) {
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[choice.below(i)]);
}

std::vector<VertexId> random_order(std::size_t count, random::Stream& choice) {
  std::vector<VertexId> order(count);
  std::iota(order.begin(), order.end(), VertexId{0});
  shuffle(order, choice);
  return order;
}

// After its visit number k the route goes back to number j, two or more visits earlier, and on from there.
void go_back_once(Route& route, random::Stream& choice) {
  const std::uint64_t k = 2 + choice.below(route.size() - 2);
  const std::uint64_t j = choice.below(k - 1);
  route.insert(route.begin() + static_cast<std::ptrdiff_t>(k) + 1, route[j]);
}

// Renumbers the vertices so that one step of the route, whichever, joins the second to the third.
void name_a_step(Route& route, std::size_t vertices, random::Stream& choice) {
  if (vertices < 3) return;
  std::vector<VertexId> number = random_order(vertices, choice);
  const std::size_t step = choice.below(route.size() - 1);
  const auto give = [&](VertexId vertex, VertexId wanted) {
    std::swap(number[vertex], *std::find(number.begin(), number.end(), wanted));
  };
  give(route[step], 1);
  give(route[step + 1], 2);
  for (VertexId& vertex : route) vertex = number[vertex];
}

graph::BitGraph steps_of(const Route& route, std::size_t vertices) {
  graph::BitGraph steps(vertices);
  for (std::size_t i = 1; i < route.size(); ++i) steps.join(route[i - 1], route[i]);
  return steps;
}

// `count` pairs more, evenly drawn from those that are not joined in `full`; both get them.
void join_more(graph::BitGraph& drawn, graph::BitGraph& full, std::uint64_t count, random::Stream& choice) {
  while (count > 0) {
    const auto u = static_cast<VertexId>(choice.below(full.size()));
    const auto v = static_cast<VertexId>(choice.below(full.size()));
    if (u == v || full.joined(u, v)) continue;
    full.join(u, v);
    drawn.join(u, v);
    --count;
  }
}

// Draws what there is less of, the roads beside the steps or the pairs without a road, so that few draws hit a pair again.
graph::BitGraph add_roads(const graph::BitGraph& steps, std::uint64_t roads, random::Stream& choice) {
  const std::uint64_t pairs = pairs_of(steps.size());
  graph::BitGraph full = steps;
  if (roads - steps.edge_count() <= pairs - roads) {
    graph::BitGraph all = steps;
    join_more(all, full, roads - steps.edge_count(), choice);
    return all;
  }
  graph::BitGraph without(steps.size());
  join_more(without, full, pairs - roads, choice);
  return without.complement();
}

std::vector<std::string> sample_names(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i)
    names.push_back(count <= 26 ? std::string(1, static_cast<char>('a' + i)) : std::to_string(i + 1));
  return names;
}

}  // namespace

SampleRoute sample_route(const SampleRouteOptions& options, random::Stream& choice) {
  require_options(options);
  SampleRoute made;
  made.route = random_order(options.vertices, choice);
  if (options.cyclic) go_back_once(made.route, choice);
  name_a_step(made.route, options.vertices, choice);
  made.map.names = sample_names(options.vertices);
  made.map.roads = add_roads(steps_of(made.route, options.vertices), options.roads, choice);
  return made;
}

std::vector<graph::VertexId> shortest_route(const graph::Graph& graph, graph::VertexId from,
                                            graph::VertexId to) {
  if (from == to) throw InvalidOption("to", "must be another vertex than the one the route starts from");
  graph::Dijkstra search(graph);
  const auto left_mm = search.one_to_all(to);
  if (left_mm[from] == graph::unreachable) throw InvalidOption("to", "cannot be reached from the start");
  std::vector<graph::VertexId> route = {from};
  while (route.back() != to) {
    const auto arcs = graph.arcs(route.back());
    const auto is_next = [&](const graph::Arc& arc) {
      return left_mm[arc.head] + arc.length_mm == left_mm[route.back()];
    };
    route.push_back(std::find_if(arcs.begin(), arcs.end(), is_next)->head);
  }
  return route;
}

}  // namespace fogline::path
