// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/warnings.hpp"
#include "geometry/coordinates.hpp"
#include "graph/graph.hpp"

namespace fogline::roads {

/// Street hierarchy, widest first; `path` is for people on foot only.
enum class RoadClass : std::uint8_t {
  motorway,
  trunk,
  primary,
  secondary,
  tertiary,
  unclassified,
  residential,
  living_street,
  service,
  track,
  path,
  other
};
std::string_view to_string(RoadClass road_class);

/// Which way traffic may go along an edge, seen from its tail.
enum class Direction : std::uint8_t { both, forward, backward };

/// One road between two vertices, with what drawing and routing need beyond its length.
struct Road {
  graph::VertexId tail = 0;
  graph::VertexId head = 0;
  graph::LengthMm length_mm = 1;
  RoadClass road_class = RoadClass::other;
  Direction direction = Direction::both;
  std::vector<geometry::LonLat> shape = {};  ///< points strictly between tail and head, from tail to head
};

/// A road network: vertices with positions, roads with lengths, and the undirected graph that distances are
/// taken on. Public data throughout.
///
///     roads::RoadNetwork city = roads::read_network("porto.osm.pbf");     // roads/read_network.hpp
///     graph::Dijkstra search(city.graph);
///
/// Vertices are numbered from 0; `vertex_name` holds the file's own id where it has one (OSM node, DIMACS
/// number), and is empty where number and name are the same. A CSV file may call its vertices by words; then
/// `vertex_label` holds them and `vertex_name` is empty. name_of() knows which.
struct RoadNetwork {
  graph::Graph graph;
  std::vector<geometry::LonLat> position;  ///< per vertex
  std::vector<std::int64_t> vertex_name;   ///< per vertex, or empty
  std::vector<std::string> vertex_label;   ///< per vertex, or empty
  std::vector<Road> roads;                 ///< one per edge of the graph, sorted by its ends, lower first
  std::string source;                      ///< file name or specification it came from
  std::uint64_t component_count = 1;       ///< connected components before any was dropped
  std::vector<std::string> dropped;        ///< one sentence per thing left out, with counts
  Warnings warnings;

  std::size_t vertex_count() const { return position.size(); }
};

/// What the source calls a vertex: its label, its name or its number.
std::string name_of(const RoadNetwork& network, graph::VertexId vertex);

}  // namespace fogline::roads
