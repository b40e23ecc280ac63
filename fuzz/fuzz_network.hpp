// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fuzz_reader.hpp"
#include "geometry/coordinates.hpp"
#include "roads/network.hpp"

namespace fogline::fuzz {

/// Two files in one input: what comes before the first line "---", and what comes after it.
inline Files two_files(const std::uint8_t* data, std::size_t size) {
  constexpr std::string_view mark = "\n---\n";
  const std::string all(data, data + size);
  const std::size_t cut = all.find(mark);
  if (cut == std::string::npos) return {all, ""};
  return {all.substr(0, cut + 1), all.substr(cut + mark.size())};
}

/// Ends the program if a network breaks what roads/network.hpp says of it.
inline void check_network(const roads::RoadNetwork& network) {
  const std::size_t vertices = network.vertex_count();
  bool sound = vertices >= 2 && network.graph.vertex_count() == vertices &&
               network.roads.size() == network.graph.edge_count() && network.component_count >= 1 &&
               (network.vertex_name.empty() || network.vertex_name.size() == vertices) &&
               (network.vertex_label.empty() || network.vertex_label.size() == vertices);
  for (const roads::Road& road : network.roads) {
    sound = sound && road.tail < road.head && road.head < vertices && road.length_mm >= 1;
  }
  for (const geometry::LonLat& position : network.position) sound = sound && geometry::is_valid(position);
  if (!sound) std::abort();
}

/// As run_files() of fuzz_reader.hpp, for a reader of road networks.
template <class Read>
int run_network(const io::testing_limits::Input& input, Read read) {
  return run_files(input, [&](const Files& files) {
    const roads::RoadNetwork network = read(files);
    check_network(network);
    return network.vertex_count();
  });
}

}  // namespace fogline::fuzz
