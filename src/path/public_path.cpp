// SPDX-License-Identifier: Apache-2.0
#include "path/public_path.hpp"

#include "base/error.hpp"

namespace fogline::path {

Stops::Stops(std::vector<std::uint32_t> of_vertex) : of_vertex_(std::move(of_vertex)) {
  for (VertexId v = 0; v < of_vertex_.size(); ++v) {
    if (of_vertex_[v] == 0) throw InvalidOption("stops", "must be at least one for every vertex");
    first_.push_back(static_cast<StopId>(vertex_.size()));
    if (vertex_.size() + of_vertex_[v] > graph::BitGraph::most_vertices)
      throw InvalidOption("stops", "must be at most 20,000 in all: take fewer vertices, or fewer `visits`");
    vertex_.insert(vertex_.end(), of_vertex_[v], v);
  }
}

std::string_view to_string(PathForm form) {
  switch (form) {
    case PathForm::one_sided:
      return "one-sided";
    case PathForm::two_sided:
      return "two-sided";
    case PathForm::published:
      return "published";
  }
  throw InvalidOption("form", "is none that there is");
}

PathForm form_from(std::string_view text) {
  for (const PathForm form : {PathForm::one_sided, PathForm::two_sided, PathForm::published})
    if (text == to_string(form)) return form;
  throw InvalidOption("form", "is one-sided, two-sided or published");
}

bool starts_low(std::span<const VertexId> route) {
  if (route.size() < 2) return true;
  if (route.front() != route.back()) return route.front() < route.back();
  return route[1] <= route[route.size() - 2];
}

graph::BitGraph roads_between_stops(const RouteMap& map, const Stops& stops) {
  if (map.vertex_count() != stops.vertex_count())
    throw InvalidOption("stops", "must be those of the network's vertices");
  graph::BitGraph roads(stops.size());
  for (VertexId u = 0; u < map.vertex_count(); ++u)
    graph::for_each_bit(map.roads.row(u), [&](VertexId v) {
      if (v < u) return;
      for (std::uint32_t i = 0; i < stops.of_vertex(u); ++i)
        for (std::uint32_t j = 0; j < stops.of_vertex(v); ++j)
          roads.join(stops.first(u) + i, stops.first(v) + j);
    });
  return roads;
}

}  // namespace fogline::path
