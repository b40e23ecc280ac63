// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/blocks.hpp"
#include "cli/usage_error.hpp"
#include "cli/verbs.hpp"
#include "io/output_file.hpp"
#include "path/layers.hpp"
#include "path/public_path_file.hpp"
#include "path/recover.hpp"
#include "release/path_fields.hpp"
#include "report/layers_svg.hpp"
#include "report/pairs_svg.hpp"
#include "report/route_svg.hpp"

namespace fogline::cli {
namespace {

constexpr std::size_t most_readable_copies = 24, most_readable_lines = 60, most_on_circle = 40;

class PathDraw : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"path", "draw"},
        "Draw a published route: its layers, all pairs, or a map",
        "Writes a picture of a published route as SVG. Up to 24 copies of stops and 60 lines are drawn in "
        "layers, roots at the bottom: two stops on one rising line are ruled out as a step. Larger ones "
        "are drawn as a grid of all pairs.\n\n"
        "With --map the vertices stand at their places, or, up to 40 without places, in a circle, and "
        "every candidate is a line. --network gives the places and adds the roads that you know; --route "
        "adds the route as "
        "`path recover` reads "
        "it. Both are private: such a picture is for insiders.",
        {{"in layers",
          "fogline sample path -q && fogline ledger add --ledger my.ledger --cap 'epsilon 10' -q && fogline "
          "path release --network net.csv route.csv --epsilon-edges 1 "
          "-o public.json "
          "--ledger my.ledger -q && fogline path draw public.json -o layers.svg"},
         {"an insider's map",
          "fogline sample path -q && fogline ledger add --ledger my.ledger --cap 'epsilon 10' -q && fogline "
          "path release --network net.csv route.csv --epsilon-edges 1 "
          "-o public.json "
          "--ledger my.ledger -q && fogline path draw public.json --map --network net.csv --route -o "
          "map.svg"}}};
  }

  void declare(OptionSet& options) override {
    options.positional("PUBLIC", public_, "the published route, .json or .json.gz; - for standard input")
        .required();
    options.flag("--pairs", pairs_, "a grid of all pairs, whatever the size");
    options.flag("--map", map_, "the vertices, with the candidates as lines");
    network_.declare_optional(options, "with --map: the roads that you know, and where vertices lie");
    options.flag("--route", route_, "with --map and --network: the route, as recovered");
    options.value("--title", "TEXT", title_, "above the picture");
    options.group("Output");
    options.value("-o,--output", "FILE", output_, "SVG file; - for standard output").required();
    options.flag("--overwrite", overwrite_, "replace an existing file");
  }

  int run(Session& session) override {
    require_sense();
    require_other_file(output_, input_files());
    if (output_ != "-" && !output_.ends_with(".svg"))
      throw InvalidOption("output", "must end in .svg, or be -");
    const path::PublicPath shown = path::read_public_path(public_);
    if (title_.empty()) title_ = fmt::format("A published route, {} form", to_string(shown.form));
    const auto [what, svg] = map_     ? map_picture(session, shown)
                             : pairs_ ? grid(shown)
                                      : layers(session, shown);
    io::OutputFile out(output_, {.overwrite = overwrite_});
    out.write(svg);
    out.commit();
    if (output_ != "-") session.note(fmt::format("drew {} to {}", what, output_));
    return 0;
  }

 private:
  struct Drawn {
    const char* what;
    std::string svg;
  };

  std::vector<std::string> input_files() const {
    std::vector<std::string> files = {public_};
    if (network_.network.empty()) return files;
    for (const std::string& file : path::map_files(network_.network)) files.push_back(file);
    return files;
  }

  void require_sense() const {
    if (map_ && pairs_) throw UsageError("--map and --pairs are two pictures; choose one");
    if (!map_ && (!network_.network.empty() || route_)) throw UsageError("--network and --route need --map");
    if (route_ && network_.network.empty())
      throw UsageError("--route needs --network: the route is read with the roads");
  }

  Drawn grid(const path::PublicPath& shown) const {
    return {"all pairs", report::pairs_svg(shown.candidates, report::stop_names(shown), title_)};
  }

  Drawn layers(Session& session, const path::PublicPath& shown) const {
    // Counted first: the edges of a large publication are as many as its pairs.
    const std::uint64_t copies =
        shown.layers ? shown.layers->pieces.size() : path::layer_size(shown.candidates.complement()).copies;
    if (copies > most_readable_copies) {
      session.note(
          fmt::format("{} copies are too many to tell apart in layers; drawing all pairs", grouped(copies)));
      return grid(shown);
    }
    const report::LayerDrawing drawing =
        shown.layers ? report::drawing_of(*shown.layers)
                     : report::drawing_of(path::layers_of(shown.candidates.complement()));
    const std::size_t lines = report::covering_edges(drawing).size();
    if (lines > most_readable_lines) {
      session.note(
          fmt::format("{} lines are too many to tell apart in layers; drawing all pairs", grouped(lines)));
      return grid(shown);
    }
    return {"layers", report::layers_svg(drawing, report::stop_names(shown), title_)};
  }

  Drawn map_picture(Session& session, const path::PublicPath& shown) const {
    report::RouteDrawing drawing{.shown = &shown};
    path::RouteMap map;
    if (!network_.network.empty()) {
      map = network_.read_for(session, shown);
      drawing.position = map.position;
      drawing.roads = &map.roads;
    }
    if (drawing.position.empty() && shown.names.size() > most_on_circle)
      throw InvalidOption("map", fmt::format("needs to know where the {} vertices lie: give a --network with "
                                             "positions, or draw all pairs with --pairs",
                                             grouped(shown.names.size())));
    if (route_) add_route(session, map, drawing);
    return {"a map", report::route_svg(drawing, title_)};
  }

  static void add_route(Session& session, const path::RouteMap& map, report::RouteDrawing& drawing) {
    const path::PublicPath& shown = *drawing.shown;
    const path::Recovered read = path::recover(map, shown, {.progress = session.progress()});
    if (read.complete) {
      drawing.route = {read.route};
      drawing.directed = read.direction != path::KnownDirection::unknown;
      return;
    }
    session.warn(read.what_is_missing);
    for (const std::vector<path::StopId>& piece : read.pieces) {
      drawing.route.emplace_back();
      for (const path::StopId stop : piece) drawing.route.back().push_back(shown.stops.vertex(stop));
    }
  }

  std::string public_, title_, output_;
  release::RouteNetworkFields network_;
  bool pairs_ = false, map_ = false, route_ = false, overwrite_ = false;
};

}  // namespace

std::unique_ptr<Command> path_draw() {
  return std::make_unique<PathDraw>();
}

}  // namespace fogline::cli
