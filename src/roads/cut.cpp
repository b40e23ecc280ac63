// SPDX-License-Identifier: Apache-2.0
#include "roads/cut.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"
#include "geometry/projection.hpp"
#include "roads/draft.hpp"

namespace fogline::roads {
namespace {

/// Numbers are the names of a network that has no others; a part must keep them.
std::vector<std::int64_t> names_of(const RoadNetwork& network) {
  if (!network.vertex_name.empty() || !network.vertex_label.empty()) return network.vertex_name;
  std::vector<std::int64_t> names(network.vertex_count());
  for (std::size_t v = 0; v < names.size(); ++v) names[v] = static_cast<std::int64_t>(v);
  return names;
}

}  // namespace

RoadNetwork cut_around(const RoadNetwork& network, const geometry::LonLat& centre, double radius_m) {
  if (!(radius_m > 0 && std::isfinite(radius_m)))
    throw InvalidOption("radius_m", "must be above 0 metres and finite");
  const geometry::LocalProjection plane(centre);
  std::vector<graph::VertexId> kept;
  for (std::size_t v = 0; v < network.vertex_count(); ++v) {
    const geometry::PointXY at = plane.forward(network.position[v]);
    if (std::hypot(at.x_m, at.y_m) <= radius_m) kept.push_back(static_cast<graph::VertexId>(v));
  }
  Draft draft{.source = fmt::format("{}, {:g} m around", network.source, radius_m),
              .position = network.position,
              .vertex_name = names_of(network),
              .vertex_label = network.vertex_label,
              .roads = network.roads};
  keep_vertices(draft, kept);
  return finish(std::move(draft), {.largest_component = true});
}

}  // namespace fogline::roads
