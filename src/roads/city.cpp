// SPDX-License-Identifier: Apache-2.0
#include "roads/city.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "geometry/geodesic.hpp"
#include "random/key.hpp"
#include "roads/city_blocks.hpp"
#include "roads/city_ground.hpp"
#include "roads/city_one_way.hpp"
#include "roads/city_streets.hpp"

namespace fogline::roads {
namespace {

using namespace sketch;

constexpr geometry::LonLat origin{-30, 45};
constexpr double metres_per_degree_east = 78846.8;  // at 45 N on WGS84
constexpr double metres_per_degree_north = 111131.8;

/// To seven decimals, which is what OSM files hold, so that a written city reads back in the same place.
geometry::LonLat to_lon_lat(Point p) {
  const auto rounded = [](double degrees) { return std::round(degrees * 1e7) / 1e7; };
  return {rounded(origin.lon + p.x_m / metres_per_degree_east),
          rounded(origin.lat + p.y_m / metres_per_degree_north)};
}

std::vector<geometry::LonLat> to_lon_lat(const Line& line) {
  std::vector<geometry::LonLat> points;
  points.reserve(line.size());
  for (const Point p : line) points.push_back(to_lon_lat(p));
  return points;
}

/// From the lower vertex to the higher, and with the length of its segments in whole millimetres: as the
/// reader of OSM files has it.
Road to_road(const Piece& piece) {
  auto points = to_lon_lat(simplify(piece.line, 1.2));
  Road road;
  road.tail = piece.tail;
  road.head = piece.head;
  road.road_class = piece.road_class;
  if (piece.one_way) road.direction = Direction::forward;
  if (road.tail > road.head) {
    std::swap(road.tail, road.head);
    std::reverse(points.begin(), points.end());
    if (piece.one_way) road.direction = Direction::backward;
  }
  std::uint64_t length_mm = 0;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    length_mm += geometry::geodesic_mm(points[i], points[i + 1]);
  }
  road.length_mm = static_cast<graph::LengthMm>(length_mm);
  road.shape.assign(points.begin() + 1, points.end() - 1);
  return road;
}

RoadNetwork to_network(const StreetGraph& streets, std::uint64_t seed) {
  RoadNetwork network;
  network.position = to_lon_lat(streets.nodes);
  for (const Piece& piece : streets.pieces) network.roads.push_back(to_road(piece));
  std::sort(network.roads.begin(), network.roads.end(),
            [](const Road& a, const Road& b) { return std::tie(a.tail, a.head) < std::tie(b.tail, b.head); });
  std::vector<graph::Edge> edges;
  for (const Road& road : network.roads) edges.push_back({road.tail, road.head, road.length_mm});
  network.graph = graph::Graph::from_edges(network.position.size(), edges);
  network.source = fmt::format("sample city {}", seed);
  return network;
}

}  // namespace

std::string_view to_string(AreaKind kind) {
  switch (kind) {
    case AreaKind::built_up:
      return "built_up";
    case AreaKind::industry:
      return "industry";
    case AreaKind::campus:
      return "campus";
    case AreaKind::wood:
      return "wood";
    case AreaKind::park:
      return "park";
    case AreaKind::water:
      return "water";
  }
  return "";
}

City make_city(std::uint64_t seed) {
  const random::SeededKey key(seed);
  const Plan plan(key);
  const StreetField field(plan, key);
  std::vector<Stroke> strokes = draw_streets(plan, field, key);
  const std::vector<Patch> parks = choose_parks(plan, strokes, key);
  for (Stroke& stroke : plan.carriageways_and_ramps()) strokes.push_back(std::move(stroke));
  StreetGraph streets = cut_at_junctions(strokes);
  thin_out(streets, plan, parks, key);
  tidy(streets);
  choose_one_ways(streets, plan);

  City city;
  city.seed = seed;
  city.network = to_network(streets, seed);
  city.centre = to_lon_lat(plan.centre());
  city.home_weight = home_weights(streets, plan);
  city.work_weight = work_weights(streets, plan);
  const Ground ground = lay_ground(streets, plan, parks, key);
  for (const GroundArea& area : ground.areas) {
    city.areas.push_back({area.kind, to_lon_lat(area.outer), {}});
    for (const Line& hole : area.holes) city.areas.back().holes.push_back(to_lon_lat(hole));
  }
  for (const Line& path : ground.footpaths) city.footpaths.push_back(to_lon_lat(path));
  return city;
}

}  // namespace fogline::roads
