// SPDX-License-Identifier: Apache-2.0
#include "roads/cut.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "geometry/bounding_box.hpp"
#include "geometry/projection.hpp"
#include "graph/dijkstra.hpp"
#include "roads/contract.hpp"

namespace fogline::roads {
namespace {

using graph::VertexId;

/// A place beyond the map is most likely a slip, of sign or order; one on its shore is not.
constexpr double farthest_beyond_m = 1'000;

/// Throws InvalidOption if the place is so far from a map that it is none of it.
void require_on_map(const Draft& map, const geometry::LonLat& place, double nearest_m) {
  const geometry::BoundingBox box = geometry::bounding_box(map.position);
  if (box.contains(place) || nearest_m <= farthest_beyond_m) return;
  const geometry::LonLat low = box.south_west;
  const geometry::LonLat high = box.north_east;
  throw InvalidOption(
      "around", fmt::format("is {:.0f} km from the nearest vertex; the map lies between {:.4f},{:.4f} and "
                            "{:.4f},{:.4f}; longitude stands before latitude",
                            nearest_m / 1000, low.lon, low.lat, high.lon, high.lat));
}

std::vector<VertexId> within(const std::vector<geometry::LonLat>& positions, const Circle& circle) {
  const geometry::LocalProjection plane(circle.centre);
  std::vector<VertexId> kept;
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const geometry::PointXY at = plane.forward(positions[v]);
    if (std::hypot(at.x_m, at.y_m) <= circle.radius_m) kept.push_back(static_cast<VertexId>(v));
  }
  return kept;
}

template <class Holds>
std::vector<VertexId> where(const std::vector<geometry::LonLat>& positions, Holds&& holds) {
  std::vector<VertexId> kept;
  for (std::size_t v = 0; v < positions.size(); ++v)
    if (holds(positions[v])) kept.push_back(static_cast<VertexId>(v));
  return kept;
}

/// Vertices in the order of their distance by road from the one nearest to a place, as many of them as make a part of so many vertices.
class Growth {
 public:
  Growth(const Draft& map, const Around& around, bool contracts)
      : map_(map), around_(around), contracts_(contracts) {}

  std::vector<VertexId> run() {
    std::vector<VertexId> order = by_distance();
    order.resize(contracts_ ? longest_beginning(order)
                            : std::min<std::size_t>(order.size(), around_.vertices));
    std::ranges::sort(order);
    return order;
  }

 private:
  VertexId nearest() const {
    const geometry::LocalProjection plane(around_.centre);
    VertexId best = 0;
    double least_m = std::numeric_limits<double>::infinity();
    for (std::size_t v = 0; v < map_.position.size(); ++v) {
      const geometry::PointXY at = plane.forward(map_.position[v]);
      const double apart_m = std::hypot(at.x_m, at.y_m);
      if (!(apart_m < least_m)) continue;
      least_m = apart_m;
      best = static_cast<VertexId>(v);
    }
    require_on_map(map_, around_.centre, least_m);
    return best;
  }

  std::vector<VertexId> by_distance() const {
    Draft simple{.source = map_.source, .position = map_.position};
    for (const Road& road : map_.roads)
      simple.roads.push_back({.tail = road.tail, .head = road.head, .length_mm = road.length_mm});
    const graph::Graph graph = finish(std::move(simple), {.largest_component = false}).graph;
    graph::Dijkstra search(graph);
    const auto distance = search.one_to_all(nearest());
    std::vector<VertexId> order;
    for (std::size_t v = 0; v < map_.position.size(); ++v)
      if (distance[v] != graph::unreachable) order.push_back(static_cast<VertexId>(v));
    std::ranges::stable_sort(order, {}, [&](VertexId v) { return distance[v]; });
    return order;
  }

  /// How many of the first have at most so many among them that stay vertices: those with any number of roads but two within the part.
  std::size_t longest_beginning(const std::vector<VertexId>& order) const {
    std::vector<std::vector<VertexId>> neighbours(map_.position.size());
    for (const Road& road : map_.roads) {
      neighbours[road.tail].push_back(road.head);
      if (road.tail != road.head) neighbours[road.head].push_back(road.tail);
    }
    std::vector<bool> in(map_.position.size());
    std::vector<std::uint32_t> roads(map_.position.size());
    std::uint64_t vertices = 0;
    std::size_t longest = 0;
    const auto add_roads = [&](VertexId v, std::uint32_t more) {
      vertices -= roads[v] != 2 ? 1U : 0U;
      roads[v] += more;
      vertices += roads[v] != 2 ? 1U : 0U;
    };
    for (std::size_t i = 0; i < order.size(); ++i) {
      const VertexId v = order[i];
      in[v] = true;
      ++vertices;
      for (const VertexId other : neighbours[v]) {
        if (!in[other]) continue;
        add_roads(v, other == v ? 2 : 1);
        if (other != v) add_roads(other, 1);
      }
      if (vertices <= around_.vertices) longest = i + 1;
    }
    return longest;
  }

  const Draft& map_;
  const Around& around_;
  bool contracts_;
};

std::vector<VertexId> vertices_in(const Draft& map, const Region& region, bool contracts) {
  if (const auto* box = std::get_if<geometry::BoundingBox>(&region))
    return where(map.position, [&](const geometry::LonLat& at) { return box->contains(at); });
  if (const auto* circle = std::get_if<Circle>(&region)) return within(map.position, *circle);
  if (const auto* outline = std::get_if<Outline>(&region))
    return where(map.position, [&](const geometry::LonLat& at) { return contains(*outline, at); });
  return Growth(map, std::get<Around>(region), contracts).run();
}

void require_roads(const Draft& part) {
  if (part.roads.empty())
    throw DataError({part.source}, "has no road between two junctions there",
                    "give longitude before latitude, or a larger region, where the map lies");
}

}  // namespace

RoadNetwork cut_around(const RoadNetwork& network, const geometry::LonLat& centre, double radius_m) {
  if (!(radius_m > 0 && std::isfinite(radius_m)))
    throw InvalidOption("radius_m", "must be above 0 metres and finite");
  Draft draft = draft_of(network);
  draft.source = fmt::format("{}, {:g} m around", network.source, radius_m);
  draft.dropped.clear();
  draft.warnings = {};
  keep_vertices(draft, within(network.position, {centre, radius_m}));
  return finish(std::move(draft), {.largest_component = true});
}

Draft cut(Draft map, const Region& region, const CutOptions& options) {
  require_roads(map);
  map.dropped.clear();  // what the map left out is no news of its part
  // So that a place beside a loose piece of the map does not give that piece.
  if (options.largest_piece && std::holds_alternative<Around>(region)) keep_largest_piece(map);
  map.dropped.clear();
  keep_vertices(map, vertices_in(map, region, options.contracts));
  require_roads(map);
  drop_isolated(map);
  if (options.largest_piece) keep_largest_piece(map);
  if (options.contracts) contract_to_junctions(map);
  require_roads(map);
  return map;
}

}  // namespace fogline::roads
