// SPDX-License-Identifier: Apache-2.0
#include "traces/roads/driving_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <queue>

#include "base/error.hpp"
#include "graph/strong_components.hpp"
#include "mobility/car_router.hpp"

namespace fogline::traces {
namespace {

using geometry::distance_m;
using geometry::PointXY;
using roads::Direction;
using roads::RoadClass;

/// How far off a road may be drawn: below the metre within which a trip counts as legal. Fewer points are told and
/// asked.
constexpr double drawn_within_m = 0.5;

double distance_to_line(const PointXY& p, const PointXY& a, const PointXY& b) {
  const double dx = b.x_m - a.x_m, dy = b.y_m - a.y_m, square = dx * dx + dy * dy;
  const double along = (p.x_m - a.x_m) * dx + (p.y_m - a.y_m) * dy;
  const double share = square > 0 ? std::clamp(along / square, 0.0, 1.0) : 0;
  return distance_m(p, {a.x_m + share * dx, a.y_m + share * dy});
}

/// How much longer a road seems to a driver than it is. Of two ways about as long the one over larger roads is driven.
/// Chosen, not derived.
double reluctance(RoadClass road_class) {
  // Times their length.
  constexpr double in_housing = 1.15, at_walking_pace = 1.5, on_tracks = 2;
  switch (road_class) {
    case RoadClass::residential:
    case RoadClass::other:
      return in_housing;
    case RoadClass::living_street:
      return at_walking_pace;
    case RoadClass::service:
    case RoadClass::track:
    case RoadClass::path:
      return on_tracks;
    default:
      return 1;
  }
}

bool lies_in(std::span<const geometry::LonLat> shape, const Frame& frame) {
  return std::all_of(shape.begin(), shape.end(),
                     [&](const geometry::LonLat& p) { return frame.contains(p.lon, p.lat); });
}

bool stays_open(std::span<const PointXY> line, const Constraints& rules) {
  for (std::size_t i = 0; i < line.size(); ++i)
    if (!rules.ground().clear(line[i]) || (i > 0 && rules.ground().crosses(line[i - 1], line[i])))
      return false;
  return true;
}

bool obeys_one_way(std::span<const PointXY> line, bool forward, const Constraints& rules) {
  const auto at = [](const PointXY& p) {
    return PlanePoint{static_cast<float>(p.x_m), static_cast<float>(p.y_m)};
  };
  for (std::size_t i = 1; i < line.size(); ++i)
    if (rules.against_one_way(at(forward ? line[i - 1] : line[i]), at(forward ? line[i] : line[i - 1])))
      return false;
  return true;
}

PlaneRoads with_few_points(const PlaneRoads& drawn) {
  PlaneRoads few{{0}, {}};
  for (std::size_t r = 0; r + 1 < drawn.first.size(); ++r) {
    const auto line = drawn.road(r);
    for (const std::uint32_t i : points_to_keep(line, drawn_within_m)) few.point.push_back(line[i]);
    few.first.push_back(static_cast<std::uint32_t>(few.point.size()));
  }
  return few;
}

double length_of(std::span<const PointXY> line) {
  double length = 0;
  for (std::size_t i = 1; i < line.size(); ++i) length += distance_m(line[i - 1], line[i]);
  return length;
}

}  // namespace

std::vector<std::uint32_t> points_to_keep(std::span<const PointXY> line, double tolerance_m) {
  if (line.empty()) return {};
  std::vector<char> kept(line.size());
  kept.front() = kept.back() = 1;
  std::vector<std::pair<std::size_t, std::size_t>> open = {{0, line.size() - 1}};
  while (!open.empty()) {
    const auto [a, b] = open.back();
    open.pop_back();
    std::size_t farthest = a;
    double most = tolerance_m;
    for (std::size_t i = a + 1; i < b; ++i) {
      const double off = distance_to_line(line[i], line[a], line[b]);
      if (off > most) {
        most = off;
        farthest = i;
      }
    }
    if (farthest == a) continue;
    kept[farthest] = 1;
    open.push_back({a, farthest});
    open.push_back({farthest, b});
  }
  std::vector<std::uint32_t> result;
  for (std::uint32_t i = 0; i < kept.size(); ++i)
    if (kept[i] != 0) result.push_back(i);
  return result;
}

PlaneRoads plane_roads(const roads::RoadNetwork& network, const Frame& frame,
                       const ParallelOptions& parallel) {
  if (frame.unit() == Frame::Unit::metres)
    throw InvalidOption("network", "lies on the Earth, but the area is in metres; give the area in degrees");
  PlaneRoads result{{0}, {}};
  std::vector<geometry::LonLat> position;
  for (const roads::Road& road : network.roads) {
    position.push_back(network.position[road.tail]);
    position.insert(position.end(), road.shape.begin(), road.shape.end());
    position.push_back(network.position[road.head]);
    result.first.push_back(static_cast<std::uint32_t>(position.size()));
  }
  result.point.resize(position.size());
  constexpr std::size_t points_a_task = 1024;  // a projection takes less than handing it to a thread
  parallel_for(position.size(), {parallel.threads, points_a_task}, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) result.point[i] = frame.project(position[i]);
  });
  return result;
}

DrivingMap::DrivingMap(const roads::RoadNetwork& network, const Frame& frame, const Options& options)
    : roads_(with_few_points(plane_roads(network, frame, options.parallel))) {
  std::vector<Arc> arcs;
  for (std::uint32_t r = 0; r < network.roads.size(); ++r) {
    const roads::Road& road = network.roads[r];
    const std::array ends = {network.position[road.tail], network.position[road.head]};
    const auto line = roads_.road(r);
    if (!lies_in(road.shape, frame) || !lies_in(ends, frame)) continue;
    if (options.constraints != nullptr && !stays_open(line, *options.constraints)) continue;
    const double length = length_of(line);
    const double free_m_s = mobility::free_speed_km_h(road.road_class) / 3.6;
    const Arc arc{road.tail,
                  road.head,
                  r,
                  true,
                  static_cast<float>(length),
                  static_cast<float>(length * reluctance(road.road_class)),
                  static_cast<float>(length / free_m_s)};
    const auto may_go = [&](bool forward) {
      return road.direction != (forward ? Direction::backward : Direction::forward) &&
             (options.constraints == nullptr || obeys_one_way(line, forward, *options.constraints));
    };
    if (may_go(true)) arcs.push_back(arc);
    if (may_go(false)) {
      arcs.push_back(arc);
      arcs.back().forward = false;
      std::swap(arcs.back().tail, arcs.back().head);
    }
  }
  keep_largest(std::move(arcs), network.vertex_count(), network.source);
  for (std::uint32_t i = 0; i < arcs_.size(); ++i) {
    const auto line = roads_.road(arcs_[i].road);
    position_[arcs_[i].tail] = arcs_[i].forward ? line.front() : line.back();
  }
  index_ = std::make_unique<geometry::NearestIndex>(position_);
}

void DrivingMap::keep_largest(std::vector<Arc> arcs, std::size_t vertices, const std::string& source) {
  std::stable_sort(arcs.begin(), arcs.end(), [](const Arc& a, const Arc& b) { return a.tail < b.tail; });
  std::vector<std::uint32_t> first(vertices + 1);
  std::vector<graph::VertexId> heads;
  for (const Arc& arc : arcs) {
    ++first[arc.tail + 1];
    heads.push_back(arc.head);
  }
  for (std::size_t v = 0; v < vertices; ++v) first[v + 1] += first[v];
  const graph::Components parts = graph::strong_components(first, heads);
  const std::uint32_t kept = parts.largest();
  if (parts.count() == 0 || parts.vertex_count[kept] < 2)
    throw DataError(
        {source}, "no two junctions in the area can be reached from each other by open roads",
        "check that `area` and the network lie in the same place, and what the constraints close");
  std::vector<std::uint32_t> number(vertices);
  std::uint32_t next = 0;
  for (std::size_t v = 0; v < vertices; ++v)
    if (parts.of_vertex[v] == kept) number[v] = next++;
  position_.resize(next);
  first_.assign(next + 1, 0);
  for (Arc arc : arcs) {
    if (parts.of_vertex[arc.tail] != kept || parts.of_vertex[arc.head] != kept) continue;
    arc.tail = number[arc.tail];
    arc.head = number[arc.head];
    ++first_[arc.tail + 1];
    arcs_.push_back(arc);
  }
  for (std::uint32_t v = 0; v < next; ++v) first_[v + 1] += first_[v];
}

void DrivingMap::append_points(std::uint32_t arc, std::vector<PointXY>& points) const {
  const auto line = roads_.road(arcs_[arc].road);
  if (arcs_[arc].forward) {
    points.insert(points.end(), line.begin() + 1, line.end());
  } else {
    points.insert(points.end(), line.rbegin() + 1, line.rend());
  }
}

std::vector<std::uint32_t> DrivingRouter::route(std::uint32_t start, std::uint32_t goal) {
  using Entry = std::pair<double, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  const PointXY& end = map_->position(goal);
  // A hair less than the straight distance, so that rounding (costs are floats: 6e-8 each) never makes it too much.
  constexpr double hair = 1e-5;
  constexpr double rounding_m = 1e-9;  // of the sum of doubles that an estimate is
  const auto left = [&](std::uint32_t v) { return distance_m(map_->position(v), end) * (1 - hair); };
  ++search_;
  labels_[start] = {0, search_, 0};
  open.emplace(left(start), start);
  while (!open.empty()) {
    const auto [estimate, vertex] = open.top();
    open.pop();
    if (vertex == goal) break;
    const double cost = labels_[vertex].cost_m;
    if (estimate > cost + left(vertex) + rounding_m) continue;  // a better way was found since
    const auto [begin, last] = map_->exits(vertex);
    for (std::uint32_t a = begin; a < last; ++a) {
      const DrivingMap::Arc& arc = map_->arc(a);
      Label& label = labels_[arc.head];
      const double arrival = cost + arc.cost_m;
      if (label.search == search_ && label.cost_m <= arrival) continue;
      label = {arrival, search_, a};
      open.emplace(arrival + left(arc.head), arc.head);
    }
  }
  std::vector<std::uint32_t> arcs;
  for (std::uint32_t at = goal; at != start; at = map_->arc(labels_[at].by).tail)
    arcs.push_back(labels_[at].by);
  std::reverse(arcs.begin(), arcs.end());
  return arcs;
}

}  // namespace fogline::traces
