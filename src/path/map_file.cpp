// SPDX-License-Identifier: Apache-2.0
#include "path/map_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "base/error.hpp"
#include "graph/components.hpp"
#include "io/csv.hpp"
#include "io/graph_file.hpp"
#include "io/numbers.hpp"
#include "io/path_file.hpp"
#include "roads/read_network.hpp"

namespace fogline::path {
namespace {

using Roads = std::vector<std::pair<VertexId, VertexId>>;

// A network of any size: what a corridor is cut from.
struct Whole {
  std::vector<std::string> names;
  Roads roads;
  std::vector<geometry::LonLat> position;
  std::vector<std::string> left_out = {};
};

bool ends_with_any(std::string_view name, std::initializer_list<std::string_view> suffixes) {
  return std::any_of(suffixes.begin(), suffixes.end(), [&](auto suffix) { return name.ends_with(suffix); });
}

bool is_osm(std::string_view source) {
  return ends_with_any(source, {".pbf", ".osm", ".osm.gz", ".osm.bz2"});
}

bool has_positions(const std::string& file) {
  constexpr std::array<std::string_view, 3> lon_names = {"lon", "longitude", "x"};
  constexpr std::array<std::string_view, 3> lat_names = {"lat", "latitude", "y"};
  io::TextSource text = io::TextSource::from_file(file);
  const io::CsvReader csv(text, {});
  return csv.find_column(lon_names) && csv.find_column(lat_names);
}

/// A table of roads, or one of vertices with their places: only what it holds tells.
bool is_table(const std::string& source) {
  std::error_code ignored;
  return ends_with_any(source, {".csv", ".csv.gz"}) && !roads::is_specification(source) &&
         !std::filesystem::is_directory(source, ignored);
}

bool is_road_network(const std::string& source) {
  if (is_table(source)) return has_positions(source);
  std::error_code ignored;
  return roads::is_specification(source) || std::filesystem::is_directory(source, ignored) ||
         is_osm(source) || ends_with_any(source, {".gr", ".gr.gz"});
}

Whole read_list(const std::string& source) {
  const bool two_links_a_road = io::graph_format_of(source) == io::GraphFormat::tntp;
  // Weights mean nothing here, and nothing else is let pass: what the reader noticed is not worth a warning.
  io::GraphTable table =
      io::read_graph(source, {.directed = false,
                              .self_loops = io::OddEdge::refuse,
                              .repeats = two_links_a_road ? io::RepeatedEdge::drop : io::RepeatedEdge::refuse,
                              .negative_weights = io::OddEdge::keep});
  Whole whole;
  whole.names = table.vertices.names();
  for (std::size_t e = 0; e < table.edge_count(); ++e)
    whole.roads.emplace_back(table.source[e], table.target[e]);
  return whole;
}

Whole read_network(const std::string& source, const MapOptions& options, Warnings& warnings) {
  roads::ReadOptions read = options.read;
  read.largest_component = read.largest_component && is_osm(source);
  const roads::RoadNetwork network = roads::read_network(source, read);
  warnings.append(network.warnings);
  Whole whole;
  for (VertexId v = 0; v < network.vertex_count(); ++v) whole.names.push_back(roads::name_of(network, v));
  for (const graph::Edge& edge : network.graph.edges()) whole.roads.emplace_back(edge.tail, edge.head);
  whole.position = network.position;
  whole.left_out = network.dropped;
  return whole;
}

std::string_view fault_of(std::string_view name) {
  if (name.empty()) return "is empty";
  if (std::any_of(name.begin(), name.end(),
                  [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; }))
    return "holds a tab, a line break or another control character";
  if (name.find_first_of(",;") != std::string_view::npos) return "holds a comma or a semicolon";
  if (name.front() == '#') return "begins with #, as a comment does";
  if (io::trim(name) != name) return "begins or ends with a blank";
  return name == "vertex" ? "is that of the column, vertex" : "";
}

// Names are public, but one of these may not print.
void require_names(const Whole& whole, const std::string& source) {
  for (const std::string& name : whole.names)
    if (const std::string_view fault = fault_of(name); !fault.empty())
      throw DataError({source}, fmt::format("a vertex has a name that no route file can give: it {}", fault),
                      "call it otherwise");
}

void require_connected(const Whole& whole, const std::string& source) {
  std::vector<graph::Edge> edges;
  for (const auto& [u, v] : whole.roads) edges.push_back({u, v, 1});
  const std::size_t parts = graph::components(graph::Graph::from_edges(whole.names.size(), edges)).count();
  if (parts == 1) return;
  throw DataError({source}, fmt::format("the network falls into {} parts", parts),
                  "keep the part that the route is in");
}

std::string_view option_of(const Corridor& corridor) {
  return corridor.between && !corridor.area ? "stretch" : "area";
}

Whole cut(const Whole& whole, const Corridor& corridor) {
  if (whole.position.empty()) {
    throw InvalidOption(option_of(corridor),
                        "needs a network with positions, such as an OSM file or a folder with "
                        "nodes.csv and edges.csv");
  }
  constexpr VertexId outside = std::numeric_limits<VertexId>::max();
  std::vector<VertexId> number(whole.names.size(), outside);
  Whole part;
  for (const VertexId v : vertices_in(corridor, whole.names, whole.position)) {
    number[v] = static_cast<VertexId>(part.names.size());
    part.names.push_back(whole.names[v]);
    part.position.push_back(whole.position[v]);
  }
  if (part.names.empty() && corridor.area)
    throw InvalidOption("area",
                        "holds no vertex: it is WEST,SOUTH,EAST,NORTH; are longitude and latitude swapped?");
  if (part.names.size() < 2)
    throw InvalidOption(option_of(corridor), "must leave two vertices or more: take a wider corridor");
  part.left_out = whole.left_out;
  for (const auto& [u, v] : whole.roads) {
    if (number[u] != outside && number[v] != outside) part.roads.emplace_back(number[u], number[v]);
  }
  return part;
}

void require_size(const Whole& whole, const Corridor& corridor) {
  if (whole.names.size() <= most_map_vertices) return;
  throw InvalidOption(
      corridor.is_whole() ? "network" : option_of(corridor),
      fmt::format("{} {} vertices, and a route can be published among {} at most; take a smaller "
                  "corridor with `area`, or with `from`, `to` and `stretch`",
                  corridor.is_whole() ? "holds" : "leaves", whole.names.size(), most_map_vertices));
}

}  // namespace

RouteMap read_map(const std::string& source, const MapOptions& options, Warnings& warnings) {
  Whole whole = is_road_network(source) ? read_network(source, options, warnings) : read_list(source);
  if (!options.corridor.is_whole()) whole = cut(whole, options.corridor);
  require_size(whole, options.corridor);
  require_names(whole, source);
  if (options.corridor.is_whole()) require_connected(whole, source);
  RouteMap map = make_map(std::move(whole.names), whole.roads, std::move(whole.position));
  map.left_out = std::move(whole.left_out);
  return map;
}

std::vector<std::string> map_files(const std::string& source) {
  if (!is_table(source)) return is_road_network(source) ? roads::network_files(source) : std::vector{source};
  std::vector<std::string> files = roads::network_files(source);
  std::erase_if(files, [&](const std::string& file) {
    std::error_code ignored;
    return file != source && !std::filesystem::exists(file, ignored);
  });
  return files;
}

RouteMap read_known_map(const std::string& source, const MapOptions& options,
                        const std::vector<std::string>& published, Warnings& warnings) {
  const Whole whole = is_road_network(source) ? read_network(source, options, warnings) : read_list(source);
  io::NameTable names;
  for (const std::string& name : published) names.intern(name);
  RouteMap map{.names = published, .roads = graph::BitGraph(published.size()), .left_out = whole.left_out};
  std::vector<std::optional<VertexId>> number;
  std::size_t found = 0;
  for (const std::string& name : whole.names) {
    number.push_back(names.find(name));
    if (number.back()) ++found;
  }
  for (const auto& [u, v] : whole.roads)
    if (number[u] && number[v]) map.roads.join(*number[u], *number[v]);
  if (whole.position.empty() || found < published.size()) return map;
  map.position.resize(published.size());
  for (std::size_t v = 0; v < number.size(); ++v)
    if (number[v]) map.position[*number[v]] = whole.position[v];
  return map;
}

Route read_route(const std::string& file, const RouteMap& map, const MapOptions& options) {
  io::TextSource source = io::TextSource::from_file(file);
  return read_route(source, map, options);
}

Route read_route(io::TextSource& source, const RouteMap& map, const MapOptions& options) {
  io::NameTable names;
  for (const std::string& name : map.names) names.intern(name);
  const io::PathFile path = io::read_path(source);
  Route route;
  for (std::size_t i = 0; i < path.vertex.size(); ++i) {
    const auto vertex = names.find(path.vertex[i]);
    if (vertex && !route.empty() && route.back() == *vertex) {
      throw DataError({path.source, path.line[i]}, "gives the same vertex as the line before",
                      "a step joins two vertices: remove one of the lines");
    } else if (vertex) {
      route.push_back(*vertex);
    } else if (options.corridor.is_whole()) {
      throw DataError({path.source, path.line[i]}, "the name on this line is not a vertex of the network",
                      "check its spelling");
    } else {
      throw DataError({path.source}, "the route does not stay inside of the corridor",
                      "take a wider corridor");
    }
  }
  return route;
}

}  // namespace fogline::path
