// SPDX-License-Identifier: Apache-2.0
#include "path/corridor.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "base/error.hpp"
#include "geometry/projection.hpp"
#include "io/numbers.hpp"

namespace fogline::path {
namespace {

using geometry::BoundingBox;
using geometry::LonLat;
using geometry::PointXY;
using graph::VertexId;
using Names = std::span<const std::string>;
using Positions = std::span<const LonLat>;

void require_area(const BoundingBox& area) {
  if (!geometry::is_valid(area.south_west) || !geometry::is_valid(area.north_east)) {
    throw InvalidOption("area", "must be in degrees, longitude -180 to 180 and latitude -90 to 90");
  }
  if (!(area.south_west.lon < area.north_east.lon && area.south_west.lat < area.north_east.lat)) {
    throw InvalidOption(
        "area", "must be written as WEST,SOUTH,EAST,NORTH with west below east and south below north");
  }
}

VertexId end_of(std::string_view option, const std::string& name, Names names) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw InvalidOption(option, "is not a vertex of the network");
  return static_cast<VertexId>(found - names.begin());
}

// Says which vertices lie in the ellipse. The plane is laid between the ends, so that it does not depend on the rest of the network.
std::function<bool(VertexId)> near_ends(const Corridor& corridor, Names names, Positions position) {
  const Corridor::Between& between = *corridor.between;
  if (!(between.stretch >= 1 && between.stretch <= 100)) throw InvalidOption("stretch", "must be 1 to 100");
  const LonLat from = position[end_of("from", between.from, names)];
  const LonLat to = position[end_of("to", between.to, names)];
  if (from == to) throw InvalidOption("to", "must lie at another place than the other end of the corridor");
  if (corridor.area && !(corridor.area->contains(from) && corridor.area->contains(to))) {
    throw InvalidOption("area", "must hold both ends of the corridor");
  }
  const geometry::LocalProjection plane(geometry::bounding_box(std::array{from, to}).centre());
  const PointXY a = plane.forward(from);
  const PointXY b = plane.forward(to);
  // A millimetre more, so that the ends themselves are in whatever the rounding.
  const double reach_m = between.stretch * distance_m(a, b) + 0.001;
  return [=](VertexId v) {
    const PointXY here = plane.forward(position[v]);
    return distance_m(a, here) + distance_m(here, b) <= reach_m;
  };
}

}  // namespace

BoundingBox area_from(std::string_view text) {
  std::array<double, 4> side{};
  std::size_t found = 0;
  for (std::size_t begin = 0; begin <= text.size() && found <= side.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const auto number = io::parse_double(io::trim(text.substr(begin, comma - begin)));
    if (!number) break;
    if (found < side.size()) side[found] = *number;
    ++found;
    begin = comma + 1;
  }
  if (found != side.size() || std::count(text.begin(), text.end(), ',') != 3) {
    throw InvalidOption(
        "area", "must be four numbers WEST,SOUTH,EAST,NORTH in degrees, as in -8.63,41.14,-8.60,41.16");
  }
  const BoundingBox area{{side[0], side[1]}, {side[2], side[3]}};
  require_area(area);
  return area;
}

std::vector<VertexId> vertices_in(const Corridor& corridor, Names names, Positions position) {
  if (corridor.area) require_area(*corridor.area);
  std::vector<VertexId> inside(position.size());
  std::iota(inside.begin(), inside.end(), VertexId{0});
  const auto keep = [&](const auto& wanted) {
    std::erase_if(inside, [&](VertexId v) { return !wanted(v); });
  };
  if (corridor.area) keep([&](VertexId v) { return corridor.area->contains(position[v]); });
  if (corridor.between) keep(near_ends(corridor, names, position));
  return inside;
}

}  // namespace fogline::path
