// SPDX-License-Identifier: Apache-2.0
#include "place/range_file.hpp"

#include "base/error.hpp"
#include "io/path_file.hpp"
#include "place/vertex_lookup.hpp"

namespace fogline::place {

std::vector<graph::VertexId> read_range(const std::string& file, const roads::RoadNetwork& map) {
  const io::VertexLookup lookup = vertex_lookup(map);
  std::vector<graph::VertexId> range;
  const io::PathFile listed = io::read_path(file);
  for (std::size_t i = 0; i < listed.vertex.size(); ++i) {
    const auto found = lookup(listed.vertex[i]);
    if (!found) {
      throw DataError({file, listed.line[i]}, "no vertex of the network has this name",
                      "the range must come from the same network");
    }
    range.push_back(*found);
  }
  return range;
}

}  // namespace fogline::place
