// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "geometry/bounding_box.hpp"
#include "release/analyses/analysis.hpp"
#include "release/kinds.hpp"
#include "roads/cut.hpp"
#include "roads/read_network.hpp"
#include "roads/read_network_csv.hpp"
#include "roads/write_network_csv.hpp"
#include "roads/write_osm.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

class NetworkCut : public Analysis {
 public:
  std::string kind() const override { return "network"; }
  std::string verb() const override { return "cut"; }
  const WrittenFile* written() const override { return &file_; }

  void declare(FieldTable& table) override {
    table.positional("network", "NETWORK", network_.network, "file or specification")
        .role(FieldRole::public_input)
        .required();
    table.group("Part");
    table.value("box", "W,S,E,N", box_, "within these degrees west, south, east and north");
    table.value("circle", "LON,LAT,METRES", circle_, "within so many metres of a place, in a straight line");
    table.value("polygon", "FILE", polygon_, "within the polygons of a GeoJSON file")
        .role(FieldRole::public_input);
    table.value("around", "LON,LAT", around_, "the vertices nearest to a place by road, `vertices` of them");
    table.value("vertices", "N", vertices_, "how many the part has at most, with `around`")
        .nonzero()
        .range("2", "100000000");
    network_.declare_reading(table);
    file_.declare(table, "the part: .osm.pbf, .osm, .osm.gz, .osm.bz2 or .csv");
  }

  Findings run(Caller& caller) override {
    require_output();
    const roads::Region region = region_asked(caller);
    roads::Draft map = network_.read_draft(caller);
    caller.warn(map.warnings);
    const std::size_t whole = map.position.size();
    const bool is_junctions = !roads::has_given_vertices(network_.network) && !network_.shape_points;
    const roads::Draft part = roads::cut(
        std::move(map), region, {.largest_piece = !network_.all_components, .contracts = is_junctions});
    write(part, caller);
    return found(part, whole);
  }

 private:
  bool is_csv() const { return file_.output.ends_with(".csv"); }

  std::vector<std::string> outputs() const {
    if (!is_csv()) return {file_.output};
    return {file_.output, roads::edges_file_of(file_.output)};
  }

  /// Before a large map is read.
  void require_output() const {
    if (!is_csv() && !roads::is_osm_name(file_.output))
      throw InvalidOption("output", "must end in .osm.pbf, .osm, .osm.gz, .osm.bz2 or .csv");
    std::error_code unknown;
    for (const std::string& file : network_.files())
      for (const std::string& output : outputs())
        if (std::filesystem::equivalent(file, output, unknown))
          throw InvalidOption("output", "is the map that is cut; give the part another name");
    for (const std::string& file : outputs())
      if (!file_.overwrite && std::filesystem::exists(file))
        throw FileError(file, "exists already", "choose another name or add `overwrite`");
  }

  roads::Region region_asked(Caller& caller) const {
    const int given = (box_.empty() ? 0 : 1) + (circle_.empty() ? 0 : 1) + (polygon_.empty() ? 0 : 1) +
                      (around_.empty() ? 0 : 1);
    if (given != 1)
      throw InvalidOption(
          "box",
          "or one of `circle`, `polygon` and `around` must say which part is meant, and only one of them");
    if (around_.empty() != (vertices_ == 0))
      throw InvalidOption(around_.empty() ? "around" : "vertices",
                          "is needed too: a place, and how many vertices around it");
    if (!box_.empty()) return roads::parse_box(box_);
    if (!circle_.empty()) return roads::parse_circle(circle_);
    if (!around_.empty()) return roads::Around{roads::parse_place("around", around_), vertices_};
    auto source = io::TextSource::from_file(polygon_, caller.progress());
    return roads::read_polygons(source);
  }

  void write(const roads::Draft& part, Caller& caller) const {
    if (is_csv()) return roads::write_network_csv(part, file_.output, {.overwrite = file_.overwrite});
    if (roads::has_given_vertices(network_.network))
      caller.warn(
          "an OpenStreetMap file holds neither lengths nor words as names: its roads are as long as their "
          "shape "
          "when it is read again; a .csv file keeps both");
    roads::write_osm(part, file_.output, {.overwrite = file_.overwrite});
  }

  Findings found(const roads::Draft& part, std::size_t whole) const {
    std::uint64_t length_mm = 0;
    for (const roads::Road& road : part.roads) length_mm += road.length_mm;
    const double length_km = static_cast<double>(length_mm) / 1e6;
    const auto box = geometry::bounding_box(part.position);
    Findings findings(Json{{"source", network_.network},
                           {"output", file_.output},
                           {"outputs", outputs()},
                           {"vertices", part.position.size()},
                           {"vertices_of_the_map", whole},
                           {"roads", part.roads.size()},
                           {"length_km", length_km},
                           {"west", box.south_west.lon},
                           {"south", box.south_west.lat},
                           {"east", box.north_east.lon},
                           {"north", box.north_east.lat},
                           {"dropped", part.dropped}});
    findings.add(
        Findings::Rows{{"network", fmt::format("{}, {} vertices", network_.network, grouped(whole))},
                       {"part", fmt::format("{} vertices, {} roads, {:.1f} km", grouped(part.position.size()),
                                            grouped(part.roads.size()), length_km)},
                       {"extent", fmt::format("{:.4f} to {:.4f} E, {:.4f} to {:.4f} N", box.south_west.lon,
                                              box.north_east.lon, box.south_west.lat, box.north_east.lat)},
                       {"written", fmt::format("{}", fmt::join(outputs(), ", "))}});
    for (const std::string& sentence : part.dropped) findings.add("left out: " + sentence);
    return findings;
  }

  NetworkFields network_;
  std::string box_, circle_, polygon_, around_;
  std::uint64_t vertices_ = 0;
  WrittenFile file_;
};

}  // namespace

std::unique_ptr<Analysis> network_cut() {
  return std::make_unique<NetworkCut>();
}

}  // namespace fogline::release
