// SPDX-License-Identifier: Apache-2.0
#include "path/route_map.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "base/error.hpp"

namespace fogline::path {
namespace {

bool is_whole(std::string_view name) {
  return !name.empty() && (name == "0" || name.front() != '0') &&
         std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

bool name_before(std::string_view a, std::string_view b) {
  const bool a_whole = is_whole(a), b_whole = is_whole(b);
  if (a_whole != b_whole) return a_whole;
  if (a_whole && a.size() != b.size()) return a.size() < b.size();
  return a < b;
}

VertexId RouteMap::vertex(std::string_view name, std::string_view option) const {
  const auto found = std::lower_bound(names.begin(), names.end(), name, name_before);
  if (found == names.end() || *found != name) throw InvalidOption(option, "is not a vertex of the network");
  return static_cast<VertexId>(found - names.begin());
}

RouteMap make_map(std::vector<std::string> names, const std::vector<std::pair<VertexId, VertexId>>& roads,
                  std::vector<geometry::LonLat> position) {
  if (!position.empty() && position.size() != names.size())
    throw InvalidOption("position", "must be given for every vertex, or for none");
  std::vector<VertexId> order(names.size());
  std::iota(order.begin(), order.end(), VertexId{0});
  std::sort(order.begin(), order.end(),
            [&](VertexId a, VertexId b) { return name_before(names[a], names[b]); });
  RouteMap map{.names = {}, .roads = graph::BitGraph(names.size())};
  std::vector<VertexId> place(names.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = static_cast<VertexId>(i);
    if (!position.empty()) map.position.push_back(position[order[i]]);
    map.names.push_back(std::move(names[order[i]]));
    if (i > 0 && map.names[i] == map.names[i - 1])
      throw InvalidOption("names", "must be distinct: two vertices have the same");
  }
  for (const auto& [u, v] : roads) {
    if (u >= place.size() || v >= place.size() || u == v)
      throw InvalidOption("roads", "must join two different vertices of the network");
    map.roads.join(place[u], place[v]);
  }
  return map;
}

void require_route(const RouteMap& map, const Route& route, std::uint32_t most_visits) {
  if (route.size() < 2) throw InvalidRoute("must visit at least two vertices");
  std::vector<std::uint32_t> visits(map.vertex_count(), 0);
  graph::BitGraph taken(map.vertex_count());
  for (std::size_t i = 0; i < route.size(); ++i) {
    if (route[i] >= map.vertex_count()) throw InvalidRoute("has a vertex that is not in the network");
    if (++visits[route[i]] > most_visits)
      throw InvalidRoute(
          fmt::format("visits a vertex more often than {}: raise `visits`, which is "
                      "public, or give `epsilon-vertices`",
                      most_visits == 1 ? "once" : fmt::format("{} times", most_visits)));
    if (i == 0) continue;
    if (!map.roads.joined(route[i - 1], route[i]))
      throw InvalidRoute("leaves the network: two vertices in a row that no road joins");
    if (taken.joined(route[i - 1], route[i]))
      throw InvalidRoute("takes a road twice: a road can be a step of the route once only");
    taken.join(route[i - 1], route[i]);
  }
}

}  // namespace fogline::path
