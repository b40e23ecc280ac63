// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "audit/statements/recompute_parts.hpp"
#include "base/error.hpp"
#include "path/attacks.hpp"
#include "path/layers.hpp"
#include "path/map_file.hpp"
#include "path/public_path_file.hpp"
#include "path/recover.hpp"
#include "report/layers_svg.hpp"
#include "report/map_parts.hpp"
#include "report/pairs_svg.hpp"
#include "report/release_view.hpp"
#include "report/route_svg.hpp"

namespace fogline::report {
namespace {

using path::VertexId;

constexpr std::size_t most_copies_in_layers = 24,
                      most_lines_in_layers = 60;  ///< that can be told apart in layers
constexpr std::size_t most_candidates_drawn = 20'000;
constexpr std::size_t most_vertices_named = 60, most_placed_on_circle = 400;
constexpr std::size_t most_for_every_vertex = 16;  ///< vertices: all paths are counted

class PathPictures {
 public:
  PathPictures(const ReleaseView& view, Document& document)
      : view_(view), document_(document), shown_(path::read_public_path(view.released_file())) {
    if (!view.roads.empty()) {
      Warnings warnings;
      place(path::read_known_map(view.roads, {}, shown_.names, warnings).position);
    }
    if (place_.empty() && shown_.names.size() <= most_placed_on_circle) place_on_circle();
  }

  std::vector<Section> sections() {
    std::vector<Section> all{layers()};
    all.push_back(
        !place_.empty()
            ? candidates()
            : left_out_section("What an outsider sees",
                               fmt::format("more than {} vertices without places; a road network places them",
                                           most_placed_on_circle)));
    if (view_.attack) all.push_back(attacks());
    if (!view_.original.empty()) all.push_back(route());
    return all;
  }

 private:
  void place(const std::vector<geometry::LonLat>& positions) {
    if (positions.empty()) return;
    roads::RoadNetwork places;
    places.position = positions;
    const ToPlane plane = plane_of(places);
    place_.clear();
    for (const auto& position : positions) place_.push_back(plane(position));
    on_map_ = true;
  }

  void place_on_circle() {
    for (std::size_t v = 0; v < shown_.names.size(); ++v) {
      const double turn =
          2 * std::numbers::pi * static_cast<double>(v) / static_cast<double>(shown_.names.size());
      place_.push_back({1000 * std::sin(turn), 1000 * std::cos(turn)});
    }
  }

  /// What the labels say, by the form; what they leave to others is said under what is not promised.
  std::string meaning() const {
    switch (shown_.form) {
      case path::PathForm::one_sided:
        return "Lines join what is ruled out: stops on one branch are no steps of the route, for certain; "
               "all other pairs are "
               "candidates, steps and "
               "others alike. Whoever knows the roads reads the route from it.";
      case path::PathForm::two_sided:
        return "Every pair says whether it is a step of the route, and lies with a small probability. "
               "Whoever knows the roads reads "
               "the most likely route from it.";
      case path::PathForm::published:
        return "The paper's layered graph. Its layers follow the route, so they tell of its order.";
    }
    return "";
  }

  Section layers() {
    const std::string title = "The published route, in layers";
    const std::uint64_t copies = shown_.layers ? shown_.layers->pieces.size()
                                               : path::layer_size(shown_.candidates.complement()).copies;
    const std::size_t stops = shown_.stops.size(), pairs = stops * (stops - 1) / 2;
    Fields fields{
        {{"vertices", fmt::format("{}", shown_.names.size())},
         {"stops", fmt::format("{}", stops)},
         {"copies in layers", fmt::format("{}", copies)},
         {"candidates", fmt::format("{} of {} pairs of stops", shown_.candidates.edge_count(), pairs)}}};
    Section section{.title = title, .note = meaning(), .blocks = {std::move(fields)}};
    section.blocks.push_back(drawing(copies));
    return section;
  }

  Drawing drawing(std::uint64_t copies) const {
    const auto names = stop_names(shown_);
    if (copies <= most_copies_in_layers) {
      const LayerDrawing layered = shown_.layers
                                       ? drawing_of(*shown_.layers)
                                       : drawing_of(path::layers_of(shown_.candidates.complement()));
      if (covering_edges(layered).size() <= most_lines_in_layers)
        return {.title = "Layers",
                .description = fmt::format("A graph of {} copies of stops in layers.", copies),
                .svg = layers_svg(layered, names, "Layers")};
    }
    return {.title = "All pairs of stops",
            .description = "A grid of all pairs of stops: candidates dark, ruled out light.",
            .note = "Too many copies to be told apart in layers.",
            .svg = pairs_svg(shown_.candidates, names, "All pairs of stops")};
  }

  /// Lines between joined vertices, the shortest first where there are too many.
  PlaneColumn lines_of(const graph::BitGraph& graph, std::size_t& left_out) const {
    std::vector<std::pair<double, std::pair<VertexId, VertexId>>> lines;
    for (VertexId a = 0; a < graph.size(); ++a)
      graph::for_each_bit(graph.row(a), [&](VertexId b) {
        if (a < b)
          lines.push_back({std::hypot(place_[a].x_m - place_[b].x_m, place_[a].y_m - place_[b].y_m), {a, b}});
      });
    std::ranges::sort(lines);
    left_out = lines.size() - std::min(lines.size(), most_candidates_drawn);
    lines.resize(lines.size() - left_out);
    PlaneColumn column;
    for (const auto& [length, pair] : lines) {
      column.add(place_[pair.first]);
      column.add(place_[pair.second]);
      column.end_line();
    }
    return column;
  }

  MapPoints vertices() {
    PlaneColumn points;
    for (const auto& at : place_) points.add(at);
    MapPoints layer{.name = "vertices",
                    .colour = MapColour::of(5),
                    .points = points.points(document_),
                    .radius = place_.size() > 200 ? 2.5 : 5.0};
    if (shown_.names.size() <= most_vertices_named) layer.labels = shown_.names;
    return layer;
  }

  std::array<double, 4> box() const {
    PlaneColumn all;
    for (const auto& at : place_) all.add(at);
    return all.box();
  }

  MapLines candidate_lines(std::size_t& left_out) {
    const PlaneColumn lines = lines_of(candidates_between_vertices(shown_), left_out);
    return {.name = "candidates",
            .colour = MapColour::of(0),
            .points = lines.points(document_),
            .starts = lines.starts(document_),
            .width = lines.lines() > 500 ? 0.6 : 1.5};
  }

  Section candidates() {
    std::size_t left_out = 0;
    const MapLines lines = candidate_lines(left_out);
    MapBlock block{
        .title = "Candidate edges",
        .description = fmt::format("{} vertices with a line for each pair that is labelled a candidate.",
                                   shown_.names.size()),
        .note = left_out > 0
                    ? fmt::format("Of the candidates the {} shortest are drawn.", most_candidates_drawn)
                : on_map_ ? ""
                          : "No places of the vertices are known, so they stand on a circle.",
        .metres = on_map_,
        .box = box()};
    block.views.push_back({.title = "", .layers = {lines, vertices()}});
    return {.title = "What an outsider sees", .blocks = {std::move(block)}};
  }

  std::optional<path::VertexPair> some_pair(bool candidate) const {
    const graph::BitGraph joined = candidates_between_vertices(shown_);
    for (VertexId a = 0; a < joined.size(); ++a)
      for (VertexId b = a + 1; b < joined.size(); ++b)
        if (joined.joined(a, b) == candidate) return path::VertexPair{a, b};
    return std::nullopt;
  }

  Section attacks() const {
    PlotBlock plot{
        .title = "What one label tells",
        .note =
            "An outsider who asks whether one pair is a step of the route, against there being no road, "
            "and sees its label: what it believed before, and what after.",
        .x = {.label = "believed before", .log = false, .from_zero = true},
        .y = {.label = "believed after", .log = false, .from_zero = true}};
    for (const bool candidate : {true, false}) {
      const auto pair = some_pair(candidate);
      if (!pair) continue;
      PlotBlock::Series series{.name = candidate ? "a candidate" : "a pair that is ruled out"};
      for (int i = 1; i < 50; ++i) {
        series.x.push_back(i / 50.0);
        series.y.push_back(path::one_label(shown_, *pair, i / 50.0).belief.posterior);
      }
      plot.series.push_back(std::move(series));
    }
    plot.series.push_back({.name = "no release", .x = {0, 1}, .y = {0, 1}});
    Section section{.title = "Attacks", .blocks = {std::move(plot)}};
    if (shown_.every_vertex && shown_.names.size() <= most_for_every_vertex) {
      if (const auto found = path::every_vertex(shown_, {}, {.threads = view_.files.threads}))
        section.blocks.push_back(
            Words{.paragraphs = {fmt::format(
                      "Who knows that the route visits every vertex, and all labels, is left with {:.6g} "
                      "paths by weight, and is certain of {} pairs that no label told.",
                      found->paths, found->certain)}});
    }
    return section;
  }

  /// What insiders see: roads and route, from the private network.
  Section route() {
    Warnings warnings;
    const path::RouteMap map = path::read_known_map(view_.original, {}, shown_.names, warnings);
    place(map.position);
    Section section{.title = "What insiders read",
                    .note = "The roads are private, and so is the route.",
                    .is_private = true};
    const path::Recovered read = path::recover(map, shown_, {.progress = view_.files.progress});
    section.blocks.push_back(
        Fields{{{"route", read.complete ? fmt::format("{} vertices, read completely", read.route.size())
                                        : read.what_is_missing},
                {"direction", std::string(to_string(read.direction))}}});
    if (place_.empty()) return section;
    std::size_t left_out = 0;
    const PlaneColumn roads = lines_of(map.roads, left_out);
    PlaneColumn line;
    for (const auto& piece : read.pieces) {
      for (const path::StopId stop : piece) line.add(place_[shown_.stops.vertex(stop)]);
      line.end_line();
    }
    MapBlock block{.title = "Roads and route",
                   .description = "The network as insiders know it, with the route that they read.",
                   .metres = on_map_,
                   .box = box()};
    block.views.push_back({.title = "",
                           .is_private = true,
                           .layers = {candidate_lines(left_out),
                                      MapLines{.name = "roads",
                                               .colour = MapColour::of(5),
                                               .points = roads.points(document_),
                                               .starts = roads.starts(document_),
                                               .width = 2},
                                      MapLines{.name = "route",
                                               .colour = MapColour::of(1),
                                               .points = line.points(document_),
                                               .starts = line.starts(document_),
                                               .width = 4},
                                      vertices()}});
    section.blocks.push_back(std::move(block));
    return section;
  }

  const ReleaseView& view_;
  Document& document_;
  path::PublicPath shown_;
  std::vector<geometry::PointXY> place_ = {};
  bool on_map_ = false;
};

}  // namespace

std::vector<Section> path_sections(const ReleaseView& view, Document& document) {
  return PathPictures(view, document).sections();
}

}  // namespace fogline::report
