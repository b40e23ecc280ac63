// SPDX-License-Identifier: Apache-2.0
#include "roads/city_geojson.hpp"

#include <iterator>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace fogline::roads {
namespace {

using geometry::LonLat;

/// GeoJSON wants rings closed and outer ones counter-clockwise, holes clockwise.
std::string ring_text(std::vector<LonLat> ring, bool counter_clockwise) {
  double twice_area = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const LonLat a = ring[i];
    const LonLat b = ring[(i + 1) % ring.size()];
    twice_area +=
        (a.lon - ring[0].lon) * (b.lat - ring[0].lat) - (b.lon - ring[0].lon) * (a.lat - ring[0].lat);
  }
  if ((twice_area > 0) != counter_clockwise) ring = std::vector<LonLat>(ring.rbegin(), ring.rend());
  ring.push_back(ring.front());
  std::string text = "[";
  for (const LonLat& p : ring) fmt::format_to(std::back_inserter(text), "[{:.7f},{:.7f}],", p.lon, p.lat);
  text.back() = ']';
  return text;
}

std::string feature(std::string_view kind, std::string_view type, std::string_view coordinates) {
  return fmt::format(
      "{{\"type\":\"Feature\",\"properties\":{{\"kind\":\"{}\"}},\"geometry\":{{\"type\":\"{}\","
      "\"coordinates\":{}}}}}",
      kind, type, coordinates);
}

}  // namespace

std::string city_geojson(const City& city) {
  std::string text = "{\"type\":\"FeatureCollection\",\"features\":[\n";
  std::string_view separator;
  for (const CityArea& area : city.areas) {
    std::string rings = "[" + ring_text(area.outer, true);
    for (const auto& hole : area.holes) rings += "," + ring_text(hole, false);
    text += separator;
    text += feature(to_string(area.kind), "Polygon", rings + "]");
    separator = ",\n";
  }
  for (const auto& path : city.footpaths) {
    std::string points = "[";
    for (const LonLat& p : path) fmt::format_to(std::back_inserter(points), "[{:.7f},{:.7f}],", p.lon, p.lat);
    points.back() = ']';
    text += separator;
    text += feature("footpath", "LineString", points);
    separator = ",\n";
  }
  return text + "\n]}\n";
}

std::string land_use_csv(const City& city) {
  std::string text = "vertex,lon,lat,home_weight,work_weight\n";
  for (std::size_t v = 0; v < city.network.vertex_count(); ++v) {
    fmt::format_to(std::back_inserter(text), "{},{:.7f},{:.7f},{},{}\n", v, city.network.position[v].lon,
                   city.network.position[v].lat, city.home_weight[v], city.work_weight[v]);
  }
  return text;
}

}  // namespace fogline::roads
