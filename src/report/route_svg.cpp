// SPDX-License-Identifier: Apache-2.0
#include "report/route_svg.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "geometry/bounding_box.hpp"
#include "report/picture.hpp"

namespace fogline::report {
namespace {

using geometry::LonLat;
using path::VertexId;
constexpr double width_px = 820, route_margin_px = 46;
constexpr std::size_t most_route_on_circle = 40;
constexpr double pill_height_px = 22;

struct Spot {
  double x = 0, y = 0;
};

// Where vertices stand on the paper, and how high that is.
struct Places {
  std::vector<Spot> spot;
  double height_px = 0;
};

Places on_circle(std::size_t count) {
  const double radius = width_px * 0.36, middle = radius + route_margin_px;
  Places places{{}, 2 * middle};
  for (std::size_t i = 0; i < count; ++i) {
    const double angle =
        2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(count) - std::numbers::pi / 2;
    places.spot.push_back({width_px / 2 + radius * std::cos(angle), middle + radius * std::sin(angle)});
  }
  return places;
}

Places on_map(const std::vector<LonLat>& position) {
  const geometry::BoundingBox box = geometry::bounding_box(position);
  const double shrink = std::cos(box.centre().lat * std::numbers::pi / 180);
  const double breadth = std::max((box.north_east.lon - box.south_west.lon) * shrink, 1e-6);
  const double depth = box.north_east.lat - box.south_west.lat;
  const double inner_px = width_px - 2 * route_margin_px;
  const double scale = std::min(inner_px / breadth, inner_px / std::max(depth, 1e-6));
  const double left = (width_px - breadth * scale) / 2;
  Places places{{}, depth * scale + 2 * route_margin_px};
  for (const LonLat& p : position)
    places.spot.push_back({left + (p.lon - box.south_west.lon) * shrink * scale,
                           route_margin_px + (box.north_east.lat - p.lat) * scale});
  return places;
}

void require_drawing(const RouteDrawing& drawing) {
  if (drawing.shown == nullptr || drawing.shown->names.empty())
    throw InvalidOption("vertices", "must be given");
  const std::size_t vertices = drawing.shown->names.size();
  if (!drawing.position.empty() && drawing.position.size() != vertices)
    throw InvalidOption("position", "must be given for every vertex, or for none");
  if (drawing.position.empty() && vertices > most_route_on_circle)
    throw InvalidOption("position", "must be given for more than 40 vertices; or draw the pairs instead");
  if (drawing.roads != nullptr && drawing.roads->size() != vertices)
    throw InvalidOption("roads", "must be between the published vertices");
  for (const auto& piece : drawing.route)
    for (const VertexId v : piece)
      if (v >= vertices) throw InvalidOption("route", "must run between the published vertices");
}

using Pairs = std::vector<std::pair<VertexId, VertexId>>;

Pairs pairs_in(const graph::BitGraph& graph) {
  Pairs pairs;
  for (VertexId u = 0; u < graph.size(); ++u)
    graph::for_each_bit(graph.row(u), [&](VertexId v) {
      if (u < v) pairs.emplace_back(u, v);
    });
  return pairs;
}

// More lines than this cover the paper: the shortest are drawn.
constexpr std::size_t most_route_lines = 4000;

void keep_shortest(Pairs& pairs, const Places& places) {
  if (pairs.size() <= most_route_lines) return;
  const auto length = [&](const std::pair<VertexId, VertexId>& pair) {
    const Spot &a = places.spot[pair.first], &b = places.spot[pair.second];
    return std::hypot(a.x - b.x, a.y - b.y);
  };
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](const auto& a, const auto& b) { return length(a) < length(b); });
  pairs.resize(most_route_lines);
  std::sort(pairs.begin(), pairs.end());
}

// One path a vertex: thousands of lines in one take renderers minutes.
void draw_lines(Picture& picture, const Pairs& pairs, const Places& places, std::string_view look,
                double opacity) {
  picture.put("<g stroke-opacity=\"{:.2f}\">\n", opacity);
  for (std::size_t begin = 0, end = 0; begin < pairs.size(); begin = end) {
    std::string path;
    for (; end < pairs.size() && pairs[end].first == pairs[begin].first; ++end) {
      const Spot &a = places.spot[pairs[end].first], &b = places.spot[pairs[end].second];
      path += fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", a.x, a.y, b.x, b.y);
    }
    picture.put("<path class=\"{}\" d=\"{}\"/>\n", look, path);
  }
  picture.put("</g>\n");
}

void draw_arrow(Picture& picture, const Spot& from, const Spot& to) {
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  if (length < 24) return;
  const double dx = (to.x - from.x) / length, dy = (to.y - from.y) / length;
  const double x = (from.x + to.x) / 2 + 7 * dx, y = (from.y + to.y) / 2 + 7 * dy;
  picture.put("<path class=\"arrow\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}z\"/>\n", x, y,
              x - 14 * dx - 6 * dy, y - 14 * dy + 6 * dx, x - 14 * dx + 6 * dy, y - 14 * dy - 6 * dx);
}

void draw_route(Picture& picture, const RouteDrawing& drawing, const Places& places) {
  for (const auto& piece : drawing.route) {
    std::string path;
    for (const VertexId v : piece)
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L', places.spot[v].x, places.spot[v].y);
    picture.put("<path class=\"route\" d=\"{}\"/>\n", path);
    for (std::size_t i = 1; drawing.directed && i < piece.size(); ++i)
      draw_arrow(picture, places.spot[piece[i - 1]], places.spot[piece[i]]);
  }
}

double pill_width_px(const std::string& name) {
  return std::max(24.0, 12 + 7.4 * static_cast<double>(name.size()));
}

// Names are written where they do not cover each other.
bool names_fit(const std::vector<std::string>& names, const Places& places) {
  if (names.size() > most_route_on_circle) return false;
  for (std::size_t u = 0; u < names.size(); ++u)
    for (std::size_t v = 0; v < u; ++v)
      if (std::abs(places.spot[u].y - places.spot[v].y) < pill_height_px + 2 &&
          std::abs(places.spot[u].x - places.spot[v].x) <
              (pill_width_px(names[u]) + pill_width_px(names[v])) / 2 + 2)
        return false;
  return true;
}

void draw_pill(Picture& picture, const Spot& spot, const std::string& name, bool strong) {
  const double width = pill_width_px(name);
  picture.put("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.0f}\" rx=\"11\"/>\n",
              strong ? "whole" : "piece", spot.x - width / 2, spot.y - pill_height_px / 2, width,
              pill_height_px);
  picture.text(spot.x, spot.y + 4.3, "middle", name, strong ? "onwhole" : "ink");
}

void draw_dot(Picture& picture, const Spot& spot, std::string_view look, double radius) {
  picture.put("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"/>\n", look, spot.x, spot.y,
              radius);
}

bool is_end(const path::PublicPath& shown, VertexId v) {
  return shown.ends && (v == shown.ends->first || v == shown.ends->second);
}

// All of them small; below lines, which matter more.
void draw_dots(Picture& picture, const Places& places) {
  const double radius = places.spot.size() > 400 ? 1.2 : 2.2;
  for (const Spot& spot : places.spot) draw_dot(picture, spot, "dot", radius);
}

bool has_direction(const RouteDrawing& drawing) {
  return drawing.directed && drawing.route.size() == 1 && drawing.route[0].size() > 1;
}

// Those of the route, and the declared ends, which show around the marks of start and end.
void draw_strong_dots(Picture& picture, const RouteDrawing& drawing, const Places& places) {
  for (const auto& piece : drawing.route)
    for (const VertexId v : piece) draw_dot(picture, places.spot[v], "visit", piece.size() > 60 ? 2.4 : 3.6);
  for (VertexId v = 0; v < places.spot.size(); ++v)
    if (is_end(*drawing.shown, v))
      draw_dot(picture, places.spot[v], "whole", has_direction(drawing) ? 10 : 6);
}

void draw_start_and_end(Picture& picture, const RouteDrawing& drawing, const Places& places, bool named) {
  const auto mark = [&](VertexId v, std::string_view look, std::string_view words) {
    const Spot& spot = places.spot[v];
    const double aside = named ? pill_width_px(drawing.shown->names[v]) / 2 + 5 : 14;
    if (!named) draw_dot(picture, spot, look, 6.5);
    const bool to_left = spot.x > width_px / 2;
    picture.text(spot.x + (to_left ? -aside : aside), spot.y + 4.3, to_left ? "end" : "start", words, "halo");
  };
  mark(drawing.route[0].back(), "end", "end");
  mark(drawing.route[0].front(), "start", "start");
}

void draw_vertices(Picture& picture, const RouteDrawing& drawing, const Places& places, bool named) {
  if (named) {
    for (VertexId v = 0; v < places.spot.size(); ++v)
      draw_pill(picture, places.spot[v], drawing.shown->names[v], is_end(*drawing.shown, v));
  } else {
    draw_strong_dots(picture, drawing, places);
  }
  if (has_direction(drawing)) draw_start_and_end(picture, drawing, places, named);
}

Picture::Options frame(const RouteDrawing& drawing, std::size_t candidates, const std::string& title) {
  Picture::Options options{.width_px = width_px, .title = title};
  options.legend.push_back({LegendItem::Mark::line, "candidate", "candidate for a step"});
  if (drawing.roads != nullptr) options.legend.push_back({LegendItem::Mark::line, "road", "road you know"});
  if (!drawing.route.empty())
    options.legend.push_back({LegendItem::Mark::line, "route", "the route, as recovered"});
  if (drawing.shown->ends) options.legend.push_back({LegendItem::Mark::dot, "whole", "declared end"});
  const std::size_t n = drawing.shown->names.size();
  options.notes.push_back(
      fmt::format("{} vertices; {} of {} pairs are candidates.{}", with_commas(n), with_commas(candidates),
                  with_commas(n * (n - 1) / 2),
                  drawing.position.empty() ? " Without positions, the vertices stand in a circle." : ""));
  if (candidates > most_route_lines)
    options.notes.push_back(fmt::format("Drawn are the {} shortest of {} candidates.",
                                        with_commas(most_route_lines), with_commas(candidates)));
  if (drawing.roads != nullptr || !drawing.route.empty())
    options.notes.emplace_back("For insiders: this picture shows what is private.");
  return options;
}

}  // namespace

graph::BitGraph candidates_between_vertices(const path::PublicPath& shown) {
  graph::BitGraph pairs(shown.names.size());
  for (path::StopId a = 0; a < shown.stops.size(); ++a) {
    graph::for_each_bit(shown.candidates.row(a), [&](path::StopId b) {
      const VertexId u = shown.stops.vertex(a), v = shown.stops.vertex(b);
      if (u < v) pairs.join(u, v);
    });
  }
  return pairs;
}

std::string route_svg(const RouteDrawing& drawing, const std::string& title) {
  require_drawing(drawing);
  const path::PublicPath& shown = *drawing.shown;
  const Places places = drawing.position.empty() ? on_circle(shown.names.size()) : on_map(drawing.position);
  Pairs pairs = pairs_in(candidates_between_vertices(shown));
  const std::size_t count = pairs.size();
  keep_shortest(pairs, places);
  const bool named = names_fit(shown.names, places);
  Picture picture(frame(drawing, count, title));
  draw_lines(picture, pairs, places, pairs.size() > 200 ? "candidate hair" : "candidate",
             std::clamp(200.0 / static_cast<double>(pairs.size() + 1), 0.12, 0.9));
  if (drawing.roads != nullptr) draw_lines(picture, pairs_in(*drawing.roads), places, "road", 1);
  if (!named) draw_dots(picture, places);
  draw_route(picture, drawing, places);
  draw_vertices(picture, drawing, places, named);
  return picture.finish(places.height_px);
}

}  // namespace fogline::report
