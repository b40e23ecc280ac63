// SPDX-License-Identifier: Apache-2.0
#include "place/released_file.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "io/csv.hpp"
#include "io/json.hpp"

namespace fogline::place {
namespace {

constexpr std::array<std::string_view, 4> own_columns{"record", "vertex", "lon", "lat"};

bool is_own(std::string_view column) {
  return std::find(own_columns.begin(), own_columns.end(), column) != own_columns.end();
}

ReleasedFile read_csv(io::TextSource& source) {
  io::CsvReader csv(source, {.delimiter = ','});
  const auto& header = csv.header();
  for (const std::string_view column : own_columns) {
    if (std::count(header.begin(), header.end(), column) != 1) {
      throw DataError({source.name(), 1}, "does not have the columns record, vertex, lon and lat, each once");
    }
  }
  ReleasedFile file;
  for (const std::string& column : header) {
    if (!is_own(column)) file.copied_columns.insert(column);
  }
  const auto vertex =
      static_cast<std::size_t>(std::find(header.begin(), header.end(), "vertex") - header.begin());
  while (csv.next()) {
    ++file.records;
    file.vertices.emplace(csv.field(vertex));
  }
  return file;
}

ReleasedFile read_geojson(io::TextSource& source) {
  const nlohmann::json all = io::parse_json(source.read_all(), source.name());
  ReleasedFile file;
  for (const nlohmann::json& feature : io::get_array(all, "features", {source.name()})) {
    const FileSpot spot{source.name(), 0, ++file.records};
    const nlohmann::json& properties = io::get_object(feature, "properties", spot);
    file.vertices.insert(io::get_string(properties, "vertex", spot));
    for (const auto& property : properties.items()) {
      if (!is_own(property.key())) file.copied_columns.insert(property.key());
    }
  }
  return file;
}

}  // namespace

ReleasedFormat released_format(const std::string& name) {
  return name.ends_with(".geojson") || name.ends_with(".json") ? ReleasedFormat::geojson
                                                               : ReleasedFormat::csv;
}

ReleasedFile read_released(io::TextSource& source, ReleasedFormat format) {
  return format == ReleasedFormat::geojson ? read_geojson(source) : read_csv(source);
}

ReleasedFile read_released(const std::string& path, ReleasedFormat format) {
  auto source = io::TextSource::from_file(path);
  return read_released(source, format);
}

}  // namespace fogline::place
