// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/warnings.hpp"
#include "io/input_file.hpp"
#include "path/corridor.hpp"
#include "path/route_map.hpp"
#include "roads/read_options.hpp"

namespace fogline::path {

struct MapOptions {
  Corridor corridor = {};        ///< default: the whole network
  roads::ReadOptions read = {};  ///< for networks with positions; `largest_component` concerns OSM only
};

/// Reads the network of a route.
///
///     Warnings warnings;
///     RouteMap map = read_map("net.csv", {}, warnings);
///     Route route = read_route("route.csv", map, {});
///
/// `source` is a list of roads by the names of their ends, as io/graph_file.hpp reads it (`source,target` with a weight that is ignored, or
/// `u v` a line), without positions; or anything that roads::read_network takes, with positions. A CSV file whose header has a
/// longitude and a latitude is the second.
///
/// DataError with file and line: in a list of roads, a self-loop or a road given twice in either direction. (A TNTP file gives one link a
/// direction; there the second is the same road.) DataError: the whole network falls into parts. In OSM, where every extract has loose
/// pieces, what is not connected with most of the network is left out instead, and told in RouteMap::left_out. DataError also: a name that a route file cannot
/// hold. InvalidOption: a corridor in a network without positions, or with fewer than two vertices; more than 10,000 vertices (most_map_vertices), counted
/// inside of the corridor.
/// A corridor need not be connected. Cost: the file, and n^2 / 8 bytes for the n vertices of the corridor.
RouteMap read_map(const std::string& source, const MapOptions& options, Warnings& warnings);

/// The files that read_map may open, told without opening any; none for a specification. Of a table that is one of the roads beside it as well, if it is there.
std::vector<std::string> map_files(const std::string& source);

/// What a reader of a publication knows: the published vertices, in their order, and the roads between them that the network has. The network need not be complete
/// or connected, and may be far larger. Positions are kept if every published vertex has one.
RouteMap read_known_map(const std::string& source, const MapOptions& options,
                        const std::vector<std::string>& published, Warnings& warnings);

/// Reads a route, one vertex a line (io/path_file.hpp), as vertices of the map, which was read with the same options.
/// DataError with the line, and not the name, of a vertex that the map does not hold or that the line before gives too; with a corridor not even the line of the first, since
/// that would say where the route leaves it. Whether the vertices make a route: require_route.
Route read_route(const std::string& file, const RouteMap& map, const MapOptions& options);
Route read_route(io::TextSource& source, const RouteMap& map, const MapOptions& options);

}  // namespace fogline::path
