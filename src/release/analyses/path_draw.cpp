// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "path/layers.hpp"
#include "path/public_path_file.hpp"
#include "path/recover.hpp"
#include "release/analyses/analysis.hpp"
#include "release/kinds.hpp"
#include "release/path_fields.hpp"
#include "report/layers_svg.hpp"
#include "report/pairs_svg.hpp"
#include "report/route_svg.hpp"

namespace fogline::release {
namespace {

/// What a reader can still tell apart: copies and lines in layers, vertices without places on a circle.
constexpr std::size_t most_readable_copies = 24, most_readable_lines = 60, most_on_circle = 40;

class PathDraw : public Analysis {
 public:
  std::string kind() const override { return "path"; }
  std::string verb() const override { return "draw"; }
  const WrittenFile* written() const override { return &file_; }

  void declare(FieldTable& table) override {
    table
        .positional("public", "PUBLIC", public_,
                    "the published route, .json or .json.gz; - for standard input")
        .role(FieldRole::public_input)
        .required();
    table.flag("pairs", pairs_, "a grid of all pairs, whatever the size");
    table.flag("map", map_, "the vertices, with the candidates as lines");
    network_.declare_optional(table, "with `map`: the roads that you know, and where vertices lie");
    table.flag("route", route_, "with `map` and `network`: the route, as recovered");
    table.value("title", "TEXT", title_, "above the picture");
    file_.declare(table, "SVG file; - for standard output");
  }

  Findings run(Caller& caller) override {
    require_sense();
    require_other_file(file_.output, input_files());
    file_.require_ending(".svg");
    const path::PublicPath shown = path::read_public_path(public_);
    if (title_.empty()) title_ = fmt::format("A published route, {} form", to_string(shown.form));
    const auto [what, svg] = map_ ? map_picture(caller, shown) : pairs_ ? grid(shown) : layers(caller, shown);
    io::OutputFile out = file_.open();
    out.write(svg);
    out.commit();
    Findings found(nlohmann::ordered_json{
        {"kind", "path"}, {"picture", what}, {"private", map_ && has_network()}, {"output", file_.output}});
    if (!file_.is_standard_output()) found.add(fmt::format("drew {} to {}", what, file_.output));
    found.tells_of_file = true;
    return found;
  }

 private:
  struct Drawn {
    const char* what;
    std::string svg;
  };

  bool has_network() const { return !network_.network.empty(); }

  std::vector<std::string> input_files() const {
    std::vector<std::string> files = {public_};
    if (!has_network()) return files;
    for (const std::string& file : path::map_files(network_.network)) files.push_back(file);
    return files;
  }

  void require_sense() const {
    if (map_ && pairs_) throw InvalidOption("pairs", "and `map` are two pictures; choose one");
    if (!map_ && (has_network() || route_)) throw InvalidOption(route_ ? "route" : "network", "needs `map`");
    if (route_ && !has_network())
      throw InvalidOption("route", "needs `network`: the route is read with the roads");
  }

  Drawn grid(const path::PublicPath& shown) const {
    return {"all pairs", report::pairs_svg(shown.candidates, report::stop_names(shown), title_)};
  }

  Drawn layers(Caller& caller, const path::PublicPath& shown) const {
    // Counted first: the edges of a large publication are as many as its pairs.
    const std::uint64_t copies =
        shown.layers ? shown.layers->pieces.size() : path::layer_size(shown.candidates.complement()).copies;
    if (copies > most_readable_copies) {
      caller.note(
          fmt::format("{} copies are too many to tell apart in layers; drawing all pairs", grouped(copies)));
      return grid(shown);
    }
    const report::LayerDrawing drawing =
        shown.layers ? report::drawing_of(*shown.layers)
                     : report::drawing_of(path::layers_of(shown.candidates.complement()));
    const std::size_t lines = report::covering_edges(drawing).size();
    if (lines > most_readable_lines) {
      caller.note(
          fmt::format("{} lines are too many to tell apart in layers; drawing all pairs", grouped(lines)));
      return grid(shown);
    }
    return {"layers", report::layers_svg(drawing, report::stop_names(shown), title_)};
  }

  Drawn map_picture(Caller& caller, const path::PublicPath& shown) const {
    report::RouteDrawing drawing{.shown = &shown};
    path::RouteMap map;
    if (has_network()) {
      map = network_.read_for(caller, shown);
      drawing.position = map.position;
      drawing.roads = &map.roads;
    }
    if (drawing.position.empty() && shown.names.size() > most_on_circle)
      throw InvalidOption("map", fmt::format("needs to know where the {} vertices lie: give a `network` with "
                                             "positions, or draw all pairs with `pairs`",
                                             grouped(shown.names.size())));
    if (route_) add_route(caller, map, drawing);
    return {"a map", report::route_svg(drawing, title_)};
  }

  static void add_route(Caller& caller, const path::RouteMap& map, report::RouteDrawing& drawing) {
    const path::PublicPath& shown = *drawing.shown;
    const path::Recovered read = path::recover(map, shown, {.progress = caller.progress()});
    if (read.complete) {
      drawing.route = {read.route};
      drawing.directed = read.direction != path::KnownDirection::unknown;
      return;
    }
    caller.warn(read.what_is_missing);
    for (const std::vector<path::StopId>& piece : read.pieces) {
      drawing.route.emplace_back();
      for (const path::StopId stop : piece) drawing.route.back().push_back(shown.stops.vertex(stop));
    }
  }

  std::string public_, title_;
  RouteNetworkFields network_;
  bool pairs_ = false, map_ = false, route_ = false;
  WrittenFile file_;
};

}  // namespace

std::unique_ptr<Analysis> path_draw() {
  return std::make_unique<PathDraw>();
}

}  // namespace fogline::release
