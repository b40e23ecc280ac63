// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rational.hpp"
#include "graph/bit_graph.hpp"
#include "path/route_map.hpp"

namespace fogline::path {

/// A place where the route may pass a vertex once. Every vertex has one stop or more; a vertex visited twice uses two.
using StopId = graph::VertexId;

/// Which vertex each stop belongs to. Stops are numbered by vertex.
class Stops {
 public:
  Stops() = default;
  explicit Stops(std::vector<std::uint32_t> of_vertex);  ///< how many each vertex has, at least 1

  std::size_t size() const { return vertex_.size(); }
  std::size_t vertex_count() const { return of_vertex_.size(); }
  VertexId vertex(StopId stop) const { return vertex_[stop]; }
  StopId first(VertexId vertex) const { return first_[vertex]; }
  std::uint32_t of_vertex(VertexId vertex) const { return of_vertex_[vertex]; }
  const std::vector<std::uint32_t>& counts() const { return of_vertex_; }
  friend bool operator==(const Stops&, const Stops&) = default;

 private:
  std::vector<std::uint32_t> of_vertex_;
  std::vector<StopId> first_;
  std::vector<VertexId> vertex_;
};

enum class PathForm {
  one_sided,  ///< steps of the route are always candidates, other roads never, everything else by chance
  two_sided,  ///< every pair says whether it is a step of the route, and lies with a small probability
  published   ///< the paper's layered graph
};
std::string_view to_string(PathForm form);  ///< "one-sided", "two-sided", "published"
PathForm form_from(std::string_view text);  ///< throws InvalidOption

/// A vertex of the paper's layered graph: a stop, or a part of one that was split.
struct LayerPiece {
  StopId stop = 0;
  std::int32_t layer = 0;
  friend bool operator==(const LayerPiece&, const LayerPiece&) = default;
};

/// The layered graph as the paper publishes it. Roots are the pieces joined to nothing in a lower layer.
struct PublishedLayers {
  std::vector<LayerPiece> pieces;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  ///< between pieces, lower number first, sorted
  friend bool operator==(const PublishedLayers&, const PublishedLayers&) = default;
};

/// What is published of a route, and all that anybody may compute from. `candidates` is the paper's H: pairs of stops that may be steps of the route; the
/// other pairs are its G, and the layered graph is a function of them (path/layers.hpp).
///
///     PublicPath shown = read_public_path("public.json");       // path/public_path_file.hpp
///     shown.candidates.joined(a, b);
struct PublicPath {
  PathForm form = PathForm::one_sided;
  Rational epsilon_edges = {};     ///< the paper's eps_e, or eps2 of the two-sided form
  std::vector<std::string> names;  ///< per vertex, as in RouteMap
  Stops stops;
  graph::BitGraph candidates;                              ///< between stops
  bool every_vertex = false;                               ///< declared: the route visits every vertex
  std::optional<std::pair<VertexId, VertexId>> ends = {};  ///< declared: the route begins and ends there
  std::optional<bool> starts_low =
      {};  ///< the declared bit of direction: `starts_low` of the route. Empty: not published
  std::optional<PublishedLayers> layers = {};  ///< of the published form only
  friend bool operator==(const PublicPath&, const PublicPath&) = default;
};

/// The bit that tells the direction of a route: true if it begins at the lower of its two end vertices; of a closed route, if the second vertex is lower than the last but one. A
/// function of the vertices in order, and the other value for the route turned round.
bool starts_low(std::span<const VertexId> route);

/// The roads between stops: those of their vertices.
graph::BitGraph roads_between_stops(const RouteMap& map, const Stops& stops);

}  // namespace fogline::path
