// SPDX-License-Identifier: Apache-2.0
#include "place/vertex_lookup.hpp"

#include <memory>
#include <string>
#include <unordered_map>

namespace fogline::place {

io::VertexLookup vertex_lookup(const roads::RoadNetwork& map) {
  const auto vertex_of = std::make_shared<std::unordered_map<std::string, graph::VertexId>>();
  vertex_of->reserve(map.vertex_count());
  for (graph::VertexId v = 0; v < map.vertex_count(); ++v) vertex_of->emplace(roads::name_of(map, v), v);
  return [vertex_of](std::string_view name) -> std::optional<graph::VertexId> {
    const auto found = vertex_of->find(std::string(name));
    return found == vertex_of->end() ? std::nullopt : std::optional(found->second);
  };
}

}  // namespace fogline::place
