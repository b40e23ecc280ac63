// SPDX-License-Identifier: Apache-2.0
#include "report/map_svg.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <string_view>

#include <fmt/format.h>

#include "base/error.hpp"
#include "report/map_style.hpp"
#include "report/svg_text.hpp"

namespace fogline::report {
namespace {

using geometry::LonLat;
using roads::AreaKind;
using roads::RoadClass;

constexpr double metres_per_degree = 111'200;

class MapDrawing {
 public:
  MapDrawing(const MapContent& content, const MapOptions& options) : content_(content), options_(options) {
    fit();
  }

  std::string svg() {
    open();
    draw_ground();
    draw_footpaths();
    draw_roads();
    draw_heat();
    draw_tracks();
    draw_markers();
    if (options_.scale_bar) draw_scale_bar();
    draw_title();
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  template <typename... Values>
  void put(fmt::format_string<Values...> text, Values&&... values) {
    fmt::format_to(std::back_inserter(out_), text, std::forward<Values>(values)...);
  }

  void fit() {
    const auto& positions = content_.network->position;
    west_ = east_ = positions[0].lon;
    double south = positions[0].lat;
    north_ = south;
    const auto include = [&](LonLat p) {
      west_ = std::min(west_, p.lon);
      east_ = std::max(east_, p.lon);
      south = std::min(south, p.lat);
      north_ = std::max(north_, p.lat);
    };
    for (const LonLat p : positions) include(p);
    for (const roads::Road& road : content_.network->roads) {
      for (const LonLat p : road.shape) include(p);
    }
    shrink_ = std::cos((south + north_) / 2 * std::numbers::pi / 180);
    const double inner_px = options_.width_px - 2 * options_.margin_px;
    const double breadth = std::max((east_ - west_) * shrink_, 1e-5);
    px_per_degree_ = inner_px / breadth;
    height_px_ = std::max(1.0, (north_ - south) * px_per_degree_) + 2 * options_.margin_px;
  }

  double x(LonLat p) const { return options_.margin_px + (p.lon - west_) * shrink_ * px_per_degree_; }
  double y(LonLat p) const { return options_.margin_px + (north_ - p.lat) * px_per_degree_; }
  double pixels(double metres) const { return metres / metres_per_degree * px_per_degree_; }

  void open() {
    put("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 "
        "{0:.0f} "
        "{1:.0f}\" font-family=\"'DejaVu Sans',Verdana,sans-serif\">\n",
        options_.width_px, std::ceil(height_px_));
    if (!options_.title.empty()) put("<title>{}</title>\n", escaped(options_.title));
    put("<rect width=\"100%\" height=\"100%\" fill=\"#f4f3ea\"/>\n");
  }

  void move_to(LonLat p) {
    last_x_ = std::lround(x(p) * 10);
    last_y_ = std::lround(y(p) * 10);
    put("M{:g} {:g}", static_cast<double>(last_x_) / 10, static_cast<double>(last_y_) / 10);
  }

  /// Relative, because steps are short; measured in rounded positions, so that rounding does not add up.
  void line_to(LonLat p) {
    const long next_x = std::lround(x(p) * 10);
    const long next_y = std::lround(y(p) * 10);
    if (next_x == last_x_ && next_y == last_y_) return;
    put("l{:g} {:g}", static_cast<double>(next_x - last_x_) / 10, static_cast<double>(next_y - last_y_) / 10);
    last_x_ = next_x;
    last_y_ = next_y;
  }

  template <typename Points>
  void polyline(const Points& points) {
    if (points.empty()) return;
    move_to(points.front());
    for (std::size_t i = 1; i < points.size(); ++i) line_to(points[i]);
  }

  void draw_ground() {
    for (const roads::CityArea& area : content_.areas) {
      put("<path fill=\"{}\" fill-rule=\"evenodd\" d=\"", area_fill(area.kind));
      polyline(area.outer);
      out_ += 'z';
      for (const auto& hole : area.holes) {
        polyline(hole);
        out_ += 'z';
      }
      out_ += "\"/>\n";
    }
  }

  void draw_footpaths() {
    if (content_.footpaths.empty()) return;
    out_ += "<path fill=\"none\" stroke=\"#a08a63\" stroke-width=\"0.9\" stroke-dasharray=\"2.5 1.5\" d=\"";
    for (const auto& path : content_.footpaths) polyline(path);
    out_ += "\"/>\n";
  }

  void draw_roads() {
    // Narrow before wide; all casings of a level before its fills, so that crossings look joined.
    draw_levels(RoadClass::trunk, RoadClass::other);
    draw_levels(RoadClass::motorway, RoadClass::motorway);
  }

  void draw_levels(RoadClass widest, RoadClass narrowest) {
    for (const bool casing : {true, false}) {
      for (auto c = static_cast<int>(narrowest); c >= static_cast<int>(widest); --c) {
        draw_class(static_cast<RoadClass>(c), casing);
      }
    }
  }

  void draw_class(RoadClass road_class, bool casing) {
    const auto& all = content_.network->roads;
    if (std::none_of(all.begin(), all.end(), [&](const auto& r) { return r.road_class == road_class; }))
      return;
    const RoadLook& look = road_looks[static_cast<std::size_t>(road_class)];
    const double width = std::max(look.least_px, pixels(look.width_m));
    put("<path fill=\"none\" stroke=\"{}\" stroke-width=\"{:.2f}\" stroke-linejoin=\"round\" "
        "stroke-linecap=\"{}\" d=\"",
        casing ? look.casing : look.fill, casing ? width + std::clamp(width * 0.4, 0.7, 1.6) : width,
        "round");
    for (const roads::Road& road : all) {
      if (road.road_class != road_class) continue;
      move_to(content_.network->position[road.tail]);
      for (const LonLat p : road.shape) line_to(p);
      line_to(content_.network->position[road.head]);
    }
    out_ += "\"/>\n";
  }

  /// Dots in a few steps of opacity, each step one path of points with round ends.
  void draw_heat() {
    if (content_.heat.empty()) return;
    const double most = *std::max_element(content_.heat.begin(), content_.heat.end());
    if (most <= 0) return;
    constexpr int steps = 8;
    std::vector<std::vector<std::size_t>> vertices(steps);
    for (std::size_t v = 0; v < content_.heat.size(); ++v) {
      if (content_.heat[v] <= 0) continue;
      const int step = std::min(steps - 1, static_cast<int>(content_.heat[v] / most * steps));
      vertices[static_cast<std::size_t>(step)].push_back(v);
    }
    for (std::size_t step = 0; step < steps; ++step) {
      if (vertices[step].empty()) continue;
      const double share = static_cast<double>(step + 1) / steps;
      put("<path fill=\"none\" stroke=\"#5e2a84\" stroke-opacity=\"{:.2f}\" stroke-width=\"{:.1f}\" "
          "stroke-linecap=\"round\" d=\"",
          0.18 + 0.77 * share, options_.heat_dot_px * (0.6 + 0.6 * share));
      for (const std::size_t v : vertices[step]) {
        move_to(content_.network->position[v]);
        out_ += "h0";
      }
      out_ += "\"/>\n";
    }
  }

  void draw_tracks() {
    for (const MapTrack& track : content_.tracks) {
      put("<path fill=\"none\" stroke=\"{}\" stroke-width=\"{:.1f}\" stroke-linejoin=\"round\" "
          "stroke-linecap=\"round\" stroke-opacity=\"0.9\" d=\"",
          escaped(track.colour), track.width_px);
      polyline(track.points);
      out_ += "\"/>\n";
    }
  }

  void draw_markers() {
    for (const MapMarker& marker : content_.markers) {
      const std::string colour = escaped(marker.colour);
      const double left = x(marker.at);
      const double top = y(marker.at);
      if (marker.halo_radius_m > 0) {
        put("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\" fill-opacity=\"0.12\" "
            "stroke=\"{}\" "
            "stroke-width=\"1.5\" stroke-dasharray=\"5 3\"/>\n",
            left, top, pixels(marker.halo_radius_m), colour, colour);
      }
      put("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6\" fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"2\"/>\n",
          left, top, colour);
      if (!marker.label.empty()) text(left + 10, top + 5, 15, "start", marker.label);
    }
  }

  void text(double left, double top, double size, std::string_view anchor, std::string_view words) {
    for (const bool halo : {true, false}) {
      put("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:g}\" text-anchor=\"{}\" {}>{}</text>\n", left, top,
          size, anchor,
          halo ? "fill=\"none\" stroke=\"#ffffff\" stroke-opacity=\"0.85\" stroke-width=\"4\" "
                 "stroke-linejoin=\"round\" aria-hidden=\"true\""
               : "fill=\"#26323c\"",
          escaped(words));
    }
  }

  void draw_scale_bar() {
    // The largest of 1, 2 or 5 times a power of ten that fits a fifth of the width.
    double metres = 1;
    const double room_px = options_.width_px / 5;
    for (double power = 1; power < 1e8; power *= 10) {
      for (const double digit : {1, 2, 5}) {
        if (pixels(digit * power) <= room_px) metres = digit * power;
      }
    }
    const double length = pixels(metres);
    const double left = 18;
    const double bottom = std::ceil(height_px_) - 18;
    for (const bool halo : {true, false}) {
      put("<path fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" d=\"M{:.1f} {:.1f}v6h{:.1f}v-6\"/>\n",
          halo ? "#ffffff" : "#26323c", halo ? 5 : 2, left, bottom - 6, length);
    }
    text(left + length / 2, bottom - 10, 13, "middle",
         metres >= 1000 ? fmt::format("{:g} km", metres / 1000) : fmt::format("{:g} m", metres));
  }

  void draw_title() {
    if (!options_.title.empty()) text(18, 34, 22, "start", options_.title);
  }

  const MapContent& content_;
  const MapOptions& options_;
  std::string out_;
  double west_ = 0;
  double east_ = 0;
  double north_ = 0;
  double shrink_ = 1;
  double px_per_degree_ = 1;
  double height_px_ = 1;
  long last_x_ = 0;
  long last_y_ = 0;
};

void check(const MapContent& content, const MapOptions& options) {
  if (content.network == nullptr || content.network->position.empty()) {
    throw InvalidOption("network", "must be given and have at least one vertex");
  }
  if (!(options.width_px >= 100 && options.width_px <= 20'000)) {
    throw InvalidOption("width_px", "must lie between 100 and 20,000");
  }
  if (!(options.margin_px >= 0 && options.margin_px <= options.width_px / 4)) {
    throw InvalidOption("margin_px", "must lie between 0 and a quarter of the width");
  }
  if (!(options.heat_dot_px > 0 && options.heat_dot_px <= 100)) {
    throw InvalidOption("heat_dot_px", "must be above 0 and at most 100");
  }
  if (!content.heat.empty() && content.heat.size() != content.network->vertex_count()) {
    throw InvalidOption("heat", "must have one value per vertex of the network");
  }
  for (const double value : content.heat) {
    if (!(std::isfinite(value) && value >= 0)) throw InvalidOption("heat", "must be finite and at least 0");
  }
  for (const MapTrack& track : content.tracks) {
    if (!(track.width_px > 0 && track.width_px <= 100)) {
      throw InvalidOption("track width_px", "must be above 0 and at most 100");
    }
    if (!std::all_of(track.points.begin(), track.points.end(), geometry::is_valid)) {
      throw InvalidOption("track", "has a point outside the range of longitude and latitude");
    }
  }
  for (const MapMarker& marker : content.markers) {
    if (!geometry::is_valid(marker.at) || !std::isfinite(marker.halo_radius_m) || marker.halo_radius_m < 0) {
      throw InvalidOption("marker", "needs a valid longitude and latitude and a halo of 0 metres or more");
    }
  }
}

}  // namespace

std::string map_svg(const MapContent& content, const MapOptions& options) {
  check(content, options);
  return MapDrawing(content, options).svg();
}

}  // namespace fogline::report
