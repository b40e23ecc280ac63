// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "graph/graph.hpp"
#include "path/route_map.hpp"
#include "random/stream.hpp"

namespace fogline::path {

struct SampleRouteOptions {
  std::uint32_t vertices = 8;  ///< 2 to 10,000
  std::uint64_t roads =
      12;               ///< from the steps of the route (vertices - 1, or vertices if cyclic) to all pairs
  bool cyclic = false;  ///< the route visits one vertex twice; needs 3 vertices
};

/// A network and a route in it.
struct SampleRoute {
  RouteMap map;  ///< without positions; vertices are called a, b, c, ..., beyond 26 of them 1, 2, 3, ...
  Route route;
};

/// An invented network with a route that visits all its vertices.
///
///     random::Stream choice = random::SeededKey(1).stream("sample path");
///     SampleRoute made = sample_route({.vertices = 10, .roads = 15}, choice);
///
/// Source  Lu and Shen 2020, section 5.1: a path through all vertices in random order, then roads drawn evenly from the other pairs. A cyclic route
///         leaves that path once, for a vertex visited before, and takes no road twice.
/// Limits  of three vertices or more, the second and the third are a step of the route, so that an example can name one. Throws InvalidOption for
///         options outside their ranges.
/// Cost    n^2 / 8 bytes and a few random words a road.
SampleRoute sample_route(const SampleRouteOptions& options, random::Stream& choice);

/// The shortest way between two vertices, both included; of equally short ones always the same. Throws InvalidOption("to", ...) if there is no way, or both
/// are one. Cost: one search.
std::vector<graph::VertexId> shortest_route(const graph::Graph& graph, graph::VertexId from,
                                            graph::VertexId to);

}  // namespace fogline::path
