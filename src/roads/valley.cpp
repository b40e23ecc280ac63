// SPDX-License-Identifier: Apache-2.0
#include "roads/valley.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "geometry/geodesic.hpp"
#include "geometry/projection.hpp"
#include "random/key.hpp"
#include "roads/draft.hpp"

namespace fogline::roads {
namespace {

using geometry::PointXY;
using graph::VertexId;

constexpr int village_count = 16;
constexpr double between_villages_m = 2000;
constexpr double step_m = 25;  ///< between points of a shape: what mappers draw a bend with

/// How a road winds: waves to both sides of the straight line.
struct Bends {
  double half_wave_m;
  double to_the_side_m;
};
constexpr Bends of_the_valley{.half_wave_m = 400, .to_the_side_m = 120};
constexpr Bends of_serpentines{.half_wave_m = 180, .to_the_side_m = 160};

/// To seven decimals, which is what OSM files hold.
geometry::LonLat rounded(const geometry::LonLat& at) {
  constexpr double per_degree = 1e7;
  return {std::round(at.lon * per_degree) / per_degree, std::round(at.lat * per_degree) / per_degree};
}

class Valley {
 public:
  explicit Valley(std::uint64_t seed)
      : dice_(random::SeededKey(seed).stream("valley")), draft_{.source = fmt::format("valley:{}", seed)} {}

  RoadNetwork build() {
    std::optional<VertexId> last_village;
    for (int i = 0; i < village_count; ++i) {
      const VertexId village =
          add_vertex({(i - village_count / 2) * between_villages_m + uniform(-400, 400), uniform(-700, 700)});
      if (last_village) join(*last_village, village, of_the_valley, RoadClass::primary);
      add_lanes(village, 3, 6);
      climb(village, 0, 1);
      climb(village, 1, -1);
      last_village = village;
    }
    return finish(std::move(draft_), {});
  }

 private:
  double uniform(double low, double high) {
    constexpr std::uint64_t steps = 1'000'000;
    return low + (high - low) * static_cast<double>(dice_.below(steps)) / steps;
  }

  bool happens(std::uint64_t times, std::uint64_t of) { return dice_.below(of) < times; }

  VertexId add_vertex(const PointXY& at) {
    place_.push_back(at);
    draft_.position.push_back(rounded(plane_.inverse(at)));
    return static_cast<VertexId>(place_.size() - 1);
  }

  /// Dead ends of a village or hamlet. Every other one forks, so that no vertex has two roads.
  void add_lanes(VertexId at, std::uint64_t least, std::uint64_t most) {
    const std::uint64_t lanes = least + dice_.below(most - least + 1);
    for (std::uint64_t i = 0; i < lanes; ++i) {
      const VertexId end = add_lane(at);
      if (happens(1, 2)) continue;
      add_lane(end);
      add_lane(end);
    }
  }

  VertexId add_lane(VertexId from) {
    const double bearing = uniform(0, 2 * std::numbers::pi);
    const double length_m = uniform(60, 280);
    const VertexId end = add_vertex(
        {place_[from].x_m + length_m * std::cos(bearing), place_[from].y_m + length_m * std::sin(bearing)});
    add_road(from, end, {}, RoadClass::residential);
    return end;
  }

  /// A road up to a hamlet, and perhaps over a pass to the last hamlet on that side.
  void climb(VertexId village, std::size_t side, double north) {
    if (!happens(3, 4)) return;
    const VertexId hamlet = add_vertex(
        {place_[village].x_m + uniform(-600, 600), place_[village].y_m + north * uniform(1500, 5000)});
    join(village, hamlet, of_serpentines, RoadClass::tertiary);
    add_lanes(hamlet, 2, 3);
    if (last_hamlet_[side] && happens(1, 3))
      join(*last_hamlet_[side], hamlet, of_serpentines, RoadClass::unclassified);
    last_hamlet_[side] = hamlet;
  }

  /// A road in waves that are 0 at both ends.
  void join(VertexId from, VertexId to, const Bends& bends, RoadClass road_class) {
    const PointXY a = place_[from];
    const PointXY b = place_[to];
    const double straight_m = distance_m(a, b);
    const double waves = std::max(1.0, std::round(straight_m / bends.half_wave_m));
    const double side_m = bends.to_the_side_m * uniform(0.7, 1.3);
    const auto steps = static_cast<int>(straight_m / step_m * 2);  // a winding road is about twice as long
    std::vector<PointXY> shape;
    for (int i = 1; i < steps; ++i) {
      const double share = static_cast<double>(i) / steps;
      const double aside = side_m * std::sin(std::numbers::pi * waves * share) / straight_m;
      shape.push_back({a.x_m + share * (b.x_m - a.x_m) - aside * (b.y_m - a.y_m),
                       a.y_m + share * (b.y_m - a.y_m) + aside * (b.x_m - a.x_m)});
    }
    add_road(from, to, shape, road_class);
  }

  /// As long as its segments, in whole millimetres each: as the reader of OSM files has it.
  void add_road(VertexId from, VertexId to, const std::vector<PointXY>& shape, RoadClass road_class) {
    Road road{.tail = from, .head = to, .road_class = road_class};
    for (const PointXY& point : shape) road.shape.push_back(rounded(plane_.inverse(point)));
    std::uint64_t length_mm = 0;
    geometry::LonLat last = draft_.position[from];
    for (const geometry::LonLat& next : road.shape) {
      length_mm += geometry::geodesic_mm(last, next);
      last = next;
    }
    length_mm += geometry::geodesic_mm(last, draft_.position[to]);
    road.length_mm = static_cast<graph::LengthMm>(length_mm);
    draft_.roads.push_back(std::move(road));
  }

  random::Stream dice_;
  Draft draft_;
  geometry::LocalProjection plane_{{0, 0}};
  std::vector<PointXY> place_;  // of each vertex
  std::array<std::optional<VertexId>, 2> last_hamlet_;
};

}  // namespace

RoadNetwork make_valley(std::uint64_t seed) {
  return Valley(seed).build();
}

}  // namespace fogline::roads
