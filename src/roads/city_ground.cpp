// SPDX-License-Identifier: Apache-2.0
#include "roads/city_ground.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "roads/city_cells.hpp"
#include "roads/city_outline.hpp"

namespace fogline::roads::sketch {
namespace {

constexpr double park_radii_m[] = {300, 190, 170, 130, 115, 105, 95, 90, 80, 75};

bool is_small(RoadClass road_class) {
  return road_class >= RoadClass::unclassified;
}

bool free_for_park(Point p, double radius_m, const Plan& plan, const Cells<int>& main_roads,
                   const std::vector<Patch>& parks) {
  if (plan.density(p) < 0.18 || plan.bank_distance_m(p) < radius_m + 90) return false;
  if (plan.industry().reach(p) < 1.5 || plan.campus().reach(p) < 1.6) return false;
  if (main_roads.any_within(p, radius_m * 1.05)) return false;
  return std::none_of(parks.begin(), parks.end(), [&](const Patch& park) {
    return norm(park.centre - p) < 2.2 * (park.radius_m + radius_m);
  });
}

}  // namespace

std::vector<Patch> choose_parks(const Plan& plan, const std::vector<Stroke>& strokes,
                                const random::Key& key) {
  Dice dice(key.stream("city parks"));
  Cells<int> main_roads(100);
  for (const Stroke& stroke : strokes) {
    if (stroke.road_class > RoadClass::secondary) continue;
    for (const Point p : stroke.line) main_roads.add(p, 0);
  }
  for (const Point p : plan.motorway()) main_roads.add(p, 0);
  std::vector<Patch> parks;
  for (const double radius_m : park_radii_m) {
    constexpr int tries = 600;
    for (int i = 0; i < tries; ++i) {
      const Point p{dice.in(-half_width_m, half_width_m), dice.in(-half_height_m, half_height_m)};
      if (!free_for_park(p, radius_m, plan, main_roads, parks)) continue;
      parks.push_back({p, radius_m, dice.in(0.85, 1.2), Turn::half_tangent(dice.in(-0.4, 0.4)), dice.word()});
      break;
    }
  }
  return parks;
}

void thin_out(StreetGraph& graph, const Plan& plan, const std::vector<Patch>& parks, const random::Key& key) {
  Dice dice(key.stream("city gaps"));
  std::erase_if(graph.pieces, [&](const Piece& piece) {
    // Drawn for every piece, so that one decision does not shift the others.
    const double draw = dice.in(0, 1);
    if (piece.raised || piece.road_class <= RoadClass::secondary) return false;
    const Point middle = piece.line[piece.line.size() / 2];
    for (const Patch& park : parks) {
      if (park.reach(middle) < 1) return true;
    }
    if (piece.road_class == RoadClass::tertiary) return false;
    const double share = plan.off_centre_m(middle) < 700 ? 0.05 : 0.09;
    return draw < share;
  });
}

namespace {

void add_parks(const std::vector<Line>& rings, const std::vector<Patch>& parks, Dice& dice, Ground& ground) {
  for (const Patch& park : parks) {
    const auto block =
        std::find_if(rings.begin(), rings.end(), [&](const Line& ring) { return inside(ring, park.centre); });
    const double fitting_m2 = 9 * park.radius_m * park.radius_m;
    const bool fits = block != rings.end() && signed_area_m2(*block) < fitting_m2;
    const Line outline = fits ? simplify(*block, 1) : park.outline();
    ground.areas.push_back({AreaKind::park, outline, {}});
    if (park.radius_m < 100) continue;
    Patch walk = park;
    walk.radius_m *= 0.55;
    Line loop = walk.outline();
    loop.push_back(loop.front());
    ground.footpaths.push_back(std::move(loop));
    const std::size_t corners = outline.size();
    for (int path = 0; path < 3; ++path) {
      const std::size_t start = dice.below(corners);
      const Point from = outline[start];
      const Point to = outline[(start + corners / 3 + dice.below(corners / 3 + 1)) % corners];
      const double sway = park.radius_m * 0.4;
      const Point via = park.centre + Point{dice.around(0, sway), dice.around(0, sway)};
      ground.footpaths.push_back(simplify(spline({from, via, to}, line_step_m), 1));
    }
  }
}

void add_blocks_of(const Patch& patch, AreaKind kind, const std::vector<Line>& rings, Ground& ground) {
  for (const Line& ring : rings) {
    Point middle;
    for (const Point p : ring) middle = middle + p * (1 / static_cast<double>(ring.size()));
    if (patch.reach(middle) < 1.02 && signed_area_m2(ring) < 250'000) {
      ground.areas.push_back({kind, simplify(ring, 1), {}});
    }
  }
}

void add_built_up(const StreetGraph& graph, const Plan& plan, Ground& ground) {
  Cells<int> streets(60);
  for (const Piece& piece : graph.pieces) {
    if (piece.road_class < RoadClass::secondary) continue;
    for (const Point p : resample(piece.line, 20)) {
      if (piece.road_class > RoadClass::secondary || plan.density(p) > 0.1) streets.add(p, 0);
    }
  }
  // Every twenty metres of street spread a little town around them; where enough of it adds up, land is built
  // on.
  constexpr double reach_m = 130;
  const auto height = [&](Point p) {
    double sum = 0;
    streets.each(p, reach_m, [&](Point at, int) {
      const double near = 1 - dot(at - p, at - p) / (reach_m * reach_m);
      sum += near * near;
    });
    return std::min(sum - 3.2, (plan.bank_distance_m(p) - 4) / 10);
  };
  std::vector<Line> holes;
  const std::size_t first = ground.areas.size();
  for (const Line& ring : outlines(height, 25)) {
    const double area = signed_area_m2(ring);
    if (area > 0) ground.areas.push_back({AreaKind::built_up, simplify(ring, 3), {}});
    if (area < -25'000) holes.push_back(simplify(ring, 3));
  }
  for (Line& hole : holes) {
    for (std::size_t i = first; i < ground.areas.size(); ++i) {
      if (inside(ground.areas[i].outer, hole.front())) {
        ground.areas[i].holes.push_back(std::move(hole));
        break;
      }
    }
  }
}

void add_woods(const Plan& plan, Dice& dice, Ground& ground) {
  constexpr int tries = 60;
  constexpr std::size_t most = 9;
  std::vector<Patch> woods;
  for (int i = 0; i < tries && woods.size() < most; ++i) {
    const Point p{dice.in(-half_width_m, half_width_m), dice.in(-half_height_m, half_height_m)};
    const Patch wood{p, dice.in(180, 480), dice.in(0.8, 1.4), Turn::half_tangent(dice.in(-0.6, 0.6)),
                     dice.word()};
    const bool apart = std::none_of(woods.begin(), woods.end(), [&](const Patch& other) {
      return norm(other.centre - p) < 1.2 * (other.radius_m + wood.radius_m);
    });
    if (apart && plan.density(p) < -0.05 && plan.bank_distance_m(p) > 150) woods.push_back(wood);
  }
  for (const Patch& wood : woods) ground.areas.push_back({AreaKind::wood, wood.outline(), {}});
}

}  // namespace

Ground lay_ground(const StreetGraph& graph, const Plan& plan, const std::vector<Patch>& parks,
                  const random::Key& key) {
  Dice dice(key.stream("city ground"));
  Ground ground;
  const std::vector<Line> rings = blocks(graph);
  add_woods(plan, dice, ground);
  add_built_up(graph, plan, ground);
  add_blocks_of(plan.industry(), AreaKind::industry, rings, ground);
  add_blocks_of(plan.campus(), AreaKind::campus, rings, ground);
  add_parks(rings, parks, dice, ground);
  ground.areas.push_back({AreaKind::water, simplify(plan.river_outline(), 0.5), {}});
  return ground;
}

std::vector<std::uint32_t> home_weights(const StreetGraph& graph, const Plan& plan) {
  std::vector<double> metres(graph.nodes.size(), 0);
  for (const Piece& piece : graph.pieces) {
    if (!is_small(piece.road_class) && piece.road_class != RoadClass::tertiary) continue;
    const double half = std::min(length_m(piece.line), 250.0) / 2;
    metres[piece.tail] += half;
    metres[piece.head] += half;
  }
  std::vector<std::uint32_t> weights;
  for (std::size_t v = 0; v < graph.nodes.size(); ++v) {
    const Point p = graph.nodes[v];
    const bool lived_in = plan.industry().reach(p) > 1 && plan.campus().reach(p) > 1;
    const double crowding = 0.6 + std::clamp(plan.density(p), 0.0, 1.0);
    weights.push_back(lived_in ? static_cast<std::uint32_t>(metres[v] * crowding) : 0);
  }
  return weights;
}

std::vector<std::uint32_t> work_weights(const StreetGraph& graph, const Plan& plan) {
  std::vector<bool> on_main_road(graph.nodes.size(), false);
  std::vector<bool> on_motorway(graph.nodes.size(), false);
  for (const Piece& piece : graph.pieces) {
    const bool main = piece.road_class <= RoadClass::secondary;
    for (const std::uint32_t v : {piece.tail, piece.head}) {
      on_main_road[v] = on_main_road[v] || main;
      on_motorway[v] = on_motorway[v] || piece.road_class == RoadClass::motorway;
    }
  }
  std::vector<std::uint32_t> weights;
  for (std::size_t v = 0; v < graph.nodes.size(); ++v) {
    const Point p = graph.nodes[v];
    const double off = norm(p - plan.centre()) / 420;
    double weight = 100 / (1 + off * off * off);
    if (plan.industry().reach(p) < 1) weight += 140;
    if (plan.campus().reach(p) < 1) weight += 160;
    if (on_main_road[v] && plan.density(p) > 0) weight += 8;
    weights.push_back(on_motorway[v] ? 0 : static_cast<std::uint32_t>(weight));
  }
  return weights;
}

}  // namespace fogline::roads::sketch
