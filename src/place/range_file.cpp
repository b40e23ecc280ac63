// SPDX-License-Identifier: Apache-2.0
#include "place/range_file.hpp"

#include <unordered_map>

#include "base/error.hpp"
#include "io/path_file.hpp"

namespace fogline::place {

std::vector<graph::VertexId> read_range(const std::string& file, const roads::RoadNetwork& map) {
  std::unordered_map<std::string, graph::VertexId> vertex_of;
  for (graph::VertexId v = 0; v < map.vertex_count(); ++v) vertex_of.emplace(roads::name_of(map, v), v);
  std::vector<graph::VertexId> range;
  const io::PathFile listed = io::read_path(file);
  for (std::size_t i = 0; i < listed.vertex.size(); ++i) {
    const auto found = vertex_of.find(listed.vertex[i]);
    if (found == vertex_of.end()) {
      throw DataError({file, listed.line[i]}, "no vertex of the network has this name",
                      "the range must come from the same network");
    }
    range.push_back(found->second);
  }
  return range;
}

}  // namespace fogline::place
