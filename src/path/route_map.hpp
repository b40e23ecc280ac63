// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "geometry/coordinates.hpp"
#include "graph/bit_graph.hpp"

namespace fogline::path {

using VertexId = graph::VertexId;

inline constexpr std::size_t most_map_vertices = 10'000;  ///< as many as a published file takes

/// The network that a route runs in. The names of its vertices and their positions are public by declaration. Its roads are what an
/// outsider does not know, so nothing about them, not even how many there are or their order in a file, goes into a release.
struct RouteMap {
  std::vector<std::string>
      names;  ///< per vertex, distinct, in the order of `name_before`: no order of a file shows through
  graph::BitGraph roads;                        ///< between vertices
  std::vector<geometry::LonLat> position = {};  ///< per vertex, or empty

  std::vector<std::string> left_out =
      {};  ///< one sentence per thing of the file that is not in the map, with counts

  std::size_t vertex_count() const { return names.size(); }
  /// Throws InvalidOption(option, ...) if there is no such vertex.
  VertexId vertex(std::string_view name, std::string_view option = "vertex") const;
};

/// Whole numbers by value and before words, words by their bytes.
bool name_before(std::string_view a, std::string_view b);

/// The map of these roads, in any order and with any names.
RouteMap make_map(std::vector<std::string> names, const std::vector<std::pair<VertexId, VertexId>>& roads,
                  std::vector<geometry::LonLat> position = {});

/// A route, as the vertices it visits in order. Two visits in a row are joined by a road.
using Route = std::vector<VertexId>;

/// Thrown for a route that cannot be published. It says what is wrong with it as a whole.
class InvalidRoute : public Error {
 public:
  explicit InvalidRoute(std::string_view problem) : Error("the route " + std::string(problem)) {}
};

/// Throws InvalidRoute, saying what is wrong and nothing about where: fewer than two vertices, a step that is no road, a road taken twice in either
/// direction, a vertex visited more than `most_visits` times.
void require_route(const RouteMap& map, const Route& route, std::uint32_t most_visits);

}  // namespace fogline::path
