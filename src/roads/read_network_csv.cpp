// SPDX-License-Identifier: Apache-2.0
#include "roads/read_network_csv.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "geometry/geodesic.hpp"
#include "io/csv.hpp"
#include "io/name_table.hpp"
#include "io/numbers.hpp"
#include "roads/draft.hpp"

namespace fogline::roads {
namespace {

using geometry::LonLat;
using graph::VertexId;
using Aliases2 = std::array<std::string_view, 2>;
using Aliases3 = std::array<std::string_view, 3>;
using Aliases4 = std::array<std::string_view, 4>;

constexpr Aliases3 id_names = {"id", "node", "vertex"};
constexpr Aliases3 lon_names = {"lon", "longitude", "x"};
constexpr Aliases3 lat_names = {"lat", "latitude", "y"};
constexpr Aliases4 source_names = {"source", "from", "tail", "u"};
constexpr Aliases4 target_names = {"target", "to", "head", "v"};
constexpr Aliases3 length_names = {"length_m", "length", "distance_m"};
constexpr Aliases2 one_way_names = {"oneway", "one_way"};
constexpr std::string_view nodes_header = "id,lon,lat";
constexpr std::string_view edges_header = "source,target,length_m";

LonLat position_of(const io::CsvReader& csv, std::size_t lon, std::size_t lat) {
  const LonLat position{csv.number(lon), csv.number(lat)};
  if (geometry::is_valid(position)) return position;
  if (geometry::is_valid({position.lat, position.lon})) {
    csv.fail(lat, "is beyond 90 degrees", "are longitude and latitude swapped?");
  }
  csv.fail(std::abs(position.lon) <= 180 ? lat : lon, "is out of range",
           "write degrees, longitude -180 to 180 and latitude -90 to 90");
}

void read_nodes(io::TextSource& source, io::NameTable& names, Draft& draft) {
  io::CsvReader csv(source, {});
  const std::size_t id = csv.require_column("the id of a place", id_names, nodes_header);
  const std::size_t lon = csv.require_column("longitude", lon_names, nodes_header);
  const std::size_t lat = csv.require_column("latitude", lat_names, nodes_header);
  while (csv.next()) {
    const std::string_view name = csv.trimmed(id);
    if (name.empty()) csv.fail(id, "is empty");
    const LonLat position = position_of(csv, lon, lat);
    const std::uint32_t vertex = names.intern(name);
    if (vertex == draft.position.size()) {
      draft.position.push_back(position);
    } else if (draft.position[vertex] == position) {
      draft.warnings.add("a place is given twice", csv.spot());
    } else {
      csv.fail(id, "was given before with another position", "give each place one line");
    }
  }
}

class EdgeReader {
 public:
  EdgeReader(io::TextSource& source, const io::NameTable& names, Draft& draft)
      : csv_(source, {}),
        names_(names),
        draft_(draft),
        source_(csv_.require_column("where a road begins", source_names, edges_header)),
        target_(csv_.require_column("where a road ends", target_names, edges_header)),
        length_(csv_.find_column(length_names)),
        one_way_(csv_.find_column(one_way_names)) {}

  void run() {
    while (csv_.next()) {
      const VertexId tail = vertex(source_);
      const VertexId head = vertex(target_);
      draft_.roads.push_back({.tail = tail,
                              .head = head,
                              .length_mm = length_mm(tail, head),
                              .direction = one_way_ ? direction() : Direction::both});
    }
  }

 private:
  VertexId vertex(std::size_t column) const {
    const auto found = names_.find(csv_.trimmed(column));
    if (!found) csv_.fail(column, "is not the id of a place in the file of nodes");
    return *found;
  }

  /// The words of OpenStreetMap, and those that a table of truth values is written with.
  Direction direction() {
    std::string word(csv_.trimmed(*one_way_));
    std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
    if (word == "yes" || word == "true" || word == "1") return Direction::forward;
    if (word == "-1" || word == "reverse") return Direction::backward;
    if (!word.empty() && word != "no" && word != "false" && word != "0")
      draft_.warnings.add("what oneway says is none of yes, no and -1, and taken for both ways", csv_.spot());
    return Direction::both;
  }

  graph::LengthMm length_mm(VertexId tail, VertexId head) const {
    if (!length_ || csv_.trimmed(*length_).empty()) return measured_mm(tail, head);
    const double length_m = csv_.number(*length_);
    if (!(length_m > 0)) csv_.fail(*length_, "is not above 0", "write metres");
    return checked(std::max(1.0, std::round(length_m * 1000)), *length_);
  }

  graph::LengthMm measured_mm(VertexId tail, VertexId head) const {
    const std::uint64_t measured = geometry::geodesic_mm(draft_.position[tail], draft_.position[head]);
    return checked(static_cast<double>(measured), target_);
  }

  graph::LengthMm checked(double length, std::size_t column) const {
    if (length > std::numeric_limits<graph::LengthMm>::max()) {
      csv_.fail(column, "makes a road longer than 4,294 km");
    }
    return static_cast<graph::LengthMm>(length);
  }

  io::CsvReader csv_;
  const io::NameTable& names_;
  Draft& draft_;
  std::size_t source_;
  std::size_t target_;
  std::optional<std::size_t> length_;
  std::optional<std::size_t> one_way_;
};

void name_vertices(const io::NameTable& names, Draft& draft) {
  for (const std::string& name : names.names()) {
    const auto number = io::parse_int64(name);
    // "007" is a number too, but written back it would be another name.
    if (!number || std::to_string(*number) != name) {
      draft.vertex_name.clear();
      draft.vertex_label = names.names();
      return;
    }
    draft.vertex_name.push_back(*number);
  }
}

}  // namespace

std::string edges_file_of(const std::string& nodes_file) {
  const std::filesystem::path nodes(nodes_file);
  std::filesystem::path stem = nodes.filename();
  while (stem.extension() == ".gz" || stem.extension() == ".csv") stem = stem.stem();
  const std::string name = stem == "nodes" ? "edges.csv" : stem.string() + "_edges.csv";
  return (nodes.parent_path() / name).string();
}

RoadNetwork read_network_csv(io::TextSource& nodes, io::TextSource& edges, const ReadOptions& options) {
  Draft draft{.source = nodes.name()};
  io::NameTable names;
  read_nodes(nodes, names, draft);
  EdgeReader(edges, names, draft).run();
  name_vertices(names, draft);
  return finish(std::move(draft),
                {.largest_component = options.largest_component, .spacing_mm = options.spacing_mm});
}

}  // namespace fogline::roads
