// SPDX-License-Identifier: Apache-2.0
#include "roads/network.hpp"

#include <array>

namespace fogline::roads {

std::string_view to_string(RoadClass road_class) {
  static constexpr std::array<std::string_view, 12> names = {
      "motorway",    "trunk",         "primary", "secondary", "tertiary", "unclassified",
      "residential", "living_street", "service", "track",     "path",     "other"};
  return names[static_cast<std::size_t>(road_class)];
}

std::string name_of(const RoadNetwork& network, graph::VertexId vertex) {
  if (!network.vertex_label.empty()) return network.vertex_label.at(vertex);
  return std::to_string(network.vertex_name.empty() ? std::int64_t{vertex} : network.vertex_name.at(vertex));
}

}  // namespace fogline::roads
