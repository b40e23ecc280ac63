// SPDX-License-Identifier: Apache-2.0
#include "place/released_file.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "io/csv.hpp"
#include "io/json.hpp"
#include "io/numbers.hpp"

namespace fogline::place {
namespace {

using Names = std::initializer_list<std::string_view>;

/// The columns of a release besides the copied ones; those of a point have no vertex.
std::vector<std::string_view> csv_columns(ReleasedPlaces places) {
  if (places == ReleasedPlaces::points) return {"record", "lon", "lat"};
  return {"record", "vertex", "lon", "lat"};
}

std::vector<std::string_view> geojson_properties(ReleasedPlaces places) {
  if (places == ReleasedPlaces::points) return {"record"};
  return {"record", "vertex"};
}

template <class Range>
bool is_among(const Range& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void require_record(const ReleasedFile& file, bool is_next, const FileSpot& spot) {
  if (!is_next) {
    throw DataError(spot, fmt::format("is record {}, and does not say so", file.records() + 1));
  }
}

void copy_time(ReleasedFile& file, std::optional<std::int64_t> t, const FileSpot& spot) {
  if (!t) throw DataError(spot, "t is not a whole number");
  file.copied.t.push_back(*t);
}

void copy_name(ReleasedFile& file, std::string_view column, std::string_view name) {
  if (column == "traj_id") file.copied.traj.push_back(file.copied.traj_names.intern(name));
  if (column == "user_id") file.copied.user.push_back(file.copied.user_names.intern(name));
}

void add_point(ReleasedFile& file, std::optional<double> lon, std::optional<double> lat,
               const FileSpot& spot) {
  if (!lon || !lat || !geometry::is_valid({*lon, *lat}))
    throw DataError(spot, "has no position of degrees east and north");
  file.points.push_back({*lon, *lat});
}

void read_csv_header(const io::CsvReader& csv, ReleasedFile& file) {
  const auto& header = csv.header();
  const auto columns = csv_columns(file.places);
  for (const std::string_view column : columns) {
    if (std::count(header.begin(), header.end(), column) != 1) {
      throw DataError({csv.spot().file, 1},
                      fmt::format("does not have the columns {}, each once", fmt::join(columns, ", ")));
    }
  }
  for (const std::string& column : header) {
    if (is_among(columns, column)) continue;
    if (!file.copied_columns.insert(column).second) {
      throw DataError({csv.spot().file, 1}, "has the same column twice");
    }
  }
}

ReleasedFile read_csv(io::TextSource& source, ReleasedPlaces places) {
  io::CsvReader csv(source, {.delimiter = ','});
  ReleasedFile file{.format = ReleasedFormat::csv, .places = places};
  read_csv_header(csv, file);
  const auto& header = csv.header();
  const auto field_of = [&](std::string_view column) {
    return csv.field(static_cast<std::size_t>(std::ranges::find(header, column) - header.begin()));
  };
  while (csv.next()) {
    const std::string next = std::to_string(file.records() + 1);
    for (std::size_t column = 0; column < header.size(); ++column) {
      const std::string_view field = csv.field(column);
      if (header[column] == "record") require_record(file, field == next, csv.spot());
      if (header[column] == "t") copy_time(file, io::parse_int64(field), csv.spot());
      copy_name(file, header[column], field);
    }
    if (places == ReleasedPlaces::vertices) {
      file.vertices.emplace_back(field_of("vertex"));
    } else {
      add_point(file, io::parse_double(field_of("lon")), io::parse_double(field_of("lat")), csv.spot());
    }
  }
  return file;
}

void require_members(const nlohmann::json& object, Names names, std::string_view type, const FileSpot& spot) {
  if (io::get_string(object, "type", spot) != type) {
    throw DataError(spot, fmt::format("is no {} of a release", type));
  }
  for (const auto& member : object.items()) {
    if (!is_among(names, member.key())) {
      throw DataError(spot, fmt::format("a {} holds more than a release writes", type));
    }
  }
}

void read_coordinates(const nlohmann::json& geometry, const FileSpot& spot, ReleasedFile& file) {
  const nlohmann::json& at = io::get_array(geometry, "coordinates", spot);
  if (at.size() != 2 || !at[0].is_number() || !at[1].is_number())
    throw DataError(spot, "has no position of degrees east and north");
  add_point(file, at[0].get<double>(), at[1].get<double>(), spot);
}

void read_feature(const nlohmann::json& feature, const FileSpot& spot, ReleasedFile& file) {
  const nlohmann::json& properties = io::get_object(feature, "properties", spot);
  require_members(feature, {"type", "properties", "geometry"}, "Feature", spot);
  const nlohmann::json& geometry = io::get_object(feature, "geometry", spot);
  require_members(geometry, {"type", "coordinates"}, "Point", spot);
  require_record(file, io::get_uint64(properties, "record", spot) == file.records() + 1, spot);
  for (const auto& [name, value] : properties.items()) {
    if (is_among(geojson_properties(file.places), name)) continue;
    file.copied_columns.insert(name);
    if (name == "t") copy_time(file, io::get_int64(properties, name, spot), spot);
    if (value.is_string()) copy_name(file, name, value.get_ref<const std::string&>());
  }
  if (file.places == ReleasedPlaces::points) return read_coordinates(geometry, spot, file);
  file.vertices.push_back(io::get_string(properties, "vertex", spot));
}

ReleasedFile read_geojson(io::TextSource& source, ReleasedPlaces places) {
  const nlohmann::json all = io::parse_json(source.read_all(), source.name());
  ReleasedFile file{.format = ReleasedFormat::geojson, .places = places};
  const nlohmann::json& features = io::get_array(all, "features", {source.name()});
  require_members(all, {"type", "features"}, "FeatureCollection", {source.name()});
  for (const nlohmann::json& feature : features) {
    read_feature(feature, {source.name(), 0, file.records() + 1}, file);
  }
  return file;
}

/// A column that only some records have is none that a release copied.
void require_whole_columns(const ReleasedFile& file, const std::string& name) {
  const io::PointTable& copied = file.copied;
  for (const std::size_t size : {copied.traj.size(), copied.user.size(), copied.t.size()}) {
    if (size != 0 && size != file.records()) throw DataError({name}, "not every record has the same columns");
  }
}

std::vector<graph::VertexId> vertices_named(const std::vector<std::string>& names,
                                            const roads::RoadNetwork& network) {
  std::unordered_map<std::string, graph::VertexId> vertex_of;
  for (graph::VertexId v = 0; v < network.vertex_count(); ++v)
    vertex_of.emplace(roads::name_of(network, v), v);
  std::vector<graph::VertexId> vertices;
  for (const std::string& name : names) {
    const auto found = vertex_of.find(name);
    if (found == vertex_of.end()) {
      throw DataError({"the released file", 0, vertices.size() + 1},
                      "names a vertex that the network does not have");
    }
    vertices.push_back(found->second);
  }
  return vertices;
}

KeptColumns columns_of(const ReleasedFile& file) {
  return {.traj_id = !file.copied.traj.empty(),
          .user_id = !file.copied.user.empty(),
          .t = !file.copied.t.empty()};
}

}  // namespace

ReleasedFormat released_format(const std::string& name) {
  return name.ends_with(".geojson") || name.ends_with(".json") ? ReleasedFormat::geojson
                                                               : ReleasedFormat::csv;
}

ReleasedFile read_released(io::TextSource& source, ReleasedFormat format, ReleasedPlaces places) {
  ReleasedFile file =
      format == ReleasedFormat::geojson ? read_geojson(source, places) : read_csv(source, places);
  require_whole_columns(file, source.name());
  return file;
}

ReleasedFile read_released(const std::string& path, ReleasedFormat format, ReleasedPlaces places) {
  auto source = io::TextSource::from_file(path);
  return read_released(source, format, places);
}

std::string written_anew(const ReleasedFile& file, const roads::RoadNetwork& network) {
  const KeptColumns kept = columns_of(file);
  const auto vertices = vertices_named(file.vertices, network);
  return file.format == ReleasedFormat::geojson ? released_geojson(file.copied, network, vertices, kept)
                                                : released_csv(file.copied, network, vertices, kept);
}

std::string points_written_anew(const ReleasedFile& file) {
  const KeptColumns kept = columns_of(file);
  return file.format == ReleasedFormat::geojson ? released_geojson(file.copied, file.points, kept)
                                                : released_csv(file.copied, file.points, kept);
}

}  // namespace fogline::place
