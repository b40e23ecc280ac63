// SPDX-License-Identifier: Apache-2.0
#include "roads/region.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "io/json.hpp"
#include "io/numbers.hpp"

namespace fogline::roads {
namespace {

using geometry::LonLat;
using nlohmann::json;

/// Numbers between commas; nothing if one is none.
std::optional<std::vector<double>> numbers_in(std::string_view text) {
  std::vector<double> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto number = io::parse_double(text.substr(begin, end - begin));
    if (!number || !std::isfinite(*number)) return std::nullopt;
    numbers.push_back(*number);
    begin = end + 1;
  }
  return numbers;
}

std::vector<double> require_numbers(std::string_view field, std::string_view text, std::size_t count,
                                    const char* form) {
  const auto numbers = numbers_in(text);
  if (!numbers || numbers->size() != count) throw InvalidOption(field, form);
  return *numbers;
}

LonLat require_place(std::string_view field, double lon, double lat) {
  if (!geometry::is_valid({lon, lat}))
    throw InvalidOption(field, "must have longitudes from -180 to 180 and latitudes from -90 to 90");
  return {lon, lat};
}

class PolygonReader {
 public:
  explicit PolygonReader(std::string file) : spot_{std::move(file)} {}

  void read(const json& object) {
    const std::string type = io::get_string(object, "type", spot_);
    if (type == "FeatureCollection") {
      for (const json& feature : io::get_array(object, "features", spot_)) {
        ++spot_.record;
        read(feature);
      }
    } else if (type == "Feature") {
      read(io::get_object(object, "geometry", spot_));
    } else if (type == "Polygon") {
      read_polygon(io::get_array(object, "coordinates", spot_));
    } else if (type == "MultiPolygon") {
      for (const json& polygon : io::get_array(object, "coordinates", spot_)) read_polygon(polygon);
    } else {
      throw DataError(spot_, "is no area", "draw a Polygon or a MultiPolygon");
    }
  }

  Outline outline() && {
    if (outline_.rings.empty()) throw DataError(spot_, "holds no area", "draw a Polygon or a MultiPolygon");
    return std::move(outline_);
  }

 private:
  void read_polygon(const json& rings) {
    if (!rings.is_array()) throw DataError(spot_, "has an area that is no list of lines");
    for (const json& ring : rings) {
      constexpr std::size_t least_points = 4;  // a triangle, its first corner again at the end
      if (!ring.is_array() || ring.size() < least_points)
        throw DataError(spot_, "has an area with fewer than three corners");
      auto& corners = outline_.rings.emplace_back();
      for (const json& corner : ring) corners.push_back(place_of(corner));
    }
  }

  LonLat place_of(const json& corner) const {
    if (!corner.is_array() || corner.size() < 2 || !corner[0].is_number() || !corner[1].is_number() ||
        !geometry::is_valid({corner[0].get<double>(), corner[1].get<double>()}))
      throw DataError(spot_, "has a corner that is no longitude and latitude in degrees");
    return {corner[0].get<double>(), corner[1].get<double>()};
  }

  FileSpot spot_;
  Outline outline_;
};

}  // namespace

bool contains(const Outline& outline, const LonLat& position) {
  bool inside = false;
  for (const auto& ring : outline.rings) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const LonLat& a = ring[i];
      const LonLat& b = ring[(i + 1) % ring.size()];
      if ((a.lat > position.lat) == (b.lat > position.lat)) continue;
      // Where the line crosses the position's parallel.
      const double lon = a.lon + (position.lat - a.lat) / (b.lat - a.lat) * (b.lon - a.lon);
      if (position.lon < lon) inside = !inside;
    }
  }
  return inside;
}

geometry::BoundingBox parse_box(std::string_view text) {
  const auto n = require_numbers("box", text, 4,
                                 "must be west,south,east,north in degrees, such as -8.63,41.14,-8.59,41.16");
  const geometry::BoundingBox box{require_place("box", n[0], n[1]), require_place("box", n[2], n[3])};
  if (n[0] >= n[2] || n[1] >= n[3])
    throw InvalidOption("box", "must have its west before its east, and its south before its north");
  return box;
}

Circle parse_circle(std::string_view text) {
  const auto n =
      require_numbers("circle", text, 3, "must be longitude,latitude,metres, such as -8.611,41.147,1500");
  if (!(n[2] > 0)) throw InvalidOption("circle", "must have a radius above 0 metres");
  return {require_place("circle", n[0], n[1]), n[2]};
}

LonLat parse_place(std::string_view field, std::string_view text) {
  const auto n =
      require_numbers(field, text, 2, "must be longitude,latitude in degrees, such as -8.611,41.147");
  return require_place(field, n[0], n[1]);
}

Outline read_polygons(io::TextSource& source) {
  PolygonReader reader(source.name());
  reader.read(io::parse_json(source.read_all(), source.name()));
  return std::move(reader).outline();
}

}  // namespace fogline::roads
