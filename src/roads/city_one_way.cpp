// SPDX-License-Identifier: Apache-2.0
#include "roads/city_one_way.hpp"

#include <algorithm>

namespace fogline::roads::sketch {
namespace {

constexpr double one_way_zone_m = 1050;

/// Marks every node that can be reached from `start`, or from which `start` can be reached.
std::vector<bool> reach(const StreetGraph& graph, std::uint32_t start, bool against_traffic) {
  std::vector<std::vector<std::uint32_t>> next(graph.nodes.size());
  for (const Piece& piece : graph.pieces) {
    if (!piece.one_way || !against_traffic) next[piece.tail].push_back(piece.head);
    if (!piece.one_way || against_traffic) next[piece.head].push_back(piece.tail);
  }
  std::vector<bool> seen(graph.nodes.size(), false);
  std::vector<std::uint32_t> open{start};
  seen[start] = true;
  while (!open.empty()) {
    const std::uint32_t node = open.back();
    open.pop_back();
    for (const std::uint32_t other : next[node]) {
      if (!seen[other]) {
        seen[other] = true;
        open.push_back(other);
      }
    }
  }
  return seen;
}

std::uint32_t nearest_node(const StreetGraph& graph, Point p) {
  const auto closer = [&](Point a, Point b) { return dot(a - p, a - p) < dot(b - p, b - p); };
  const auto found = std::min_element(graph.nodes.begin(), graph.nodes.end(), closer);
  return static_cast<std::uint32_t>(found - graph.nodes.begin());
}

/// Gives back both directions around nodes that traffic cannot enter or leave; true if there were any.
bool relieve(StreetGraph& graph, std::uint32_t centre) {
  const std::vector<bool> entered = reach(graph, centre, false);
  const std::vector<bool> left = reach(graph, centre, true);
  bool changed = false;
  for (Piece& piece : graph.pieces) {
    const bool cut_off =
        !entered[piece.tail] || !entered[piece.head] || !left[piece.tail] || !left[piece.head];
    if (piece.one_way && cut_off && piece.road_class != RoadClass::motorway) {
      piece.one_way = false;
      changed = true;
    }
  }
  return changed;
}

}  // namespace

void choose_one_ways(StreetGraph& graph, const Plan& plan) {
  for (Piece& piece : graph.pieces) {
    const bool small =
        piece.road_class == RoadClass::residential || piece.road_class == RoadClass::living_street;
    const Point middle = piece.line[piece.line.size() / 2];
    // All parts of one street go the same way; odd streets against even ones.
    if (!small || piece.stroke % 5 < 2 || plan.off_centre_m(middle) > one_way_zone_m) continue;
    piece.one_way = true;
    const bool eastward = piece.line.back().x_m > piece.line.front().x_m;
    if (eastward != (piece.stroke % 2 == 0)) {
      std::swap(piece.tail, piece.head);
      std::reverse(piece.line.begin(), piece.line.end());
    }
  }
  const std::uint32_t centre = nearest_node(graph, plan.centre());
  while (relieve(graph, centre)) {
  }
}

}  // namespace fogline::roads::sketch
