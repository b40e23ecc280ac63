// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "report/plot_svg.hpp"

namespace fogline::report {

/// What a report holds: pages of words, tables, plots, maps and pictures. The page that shows it (web/src/document.ts has the same contract, field by field) knows
/// nothing of kinds; each kind's page is made of these.
///
///     Document document{.title = "A commuter's position"};
///     document.pages.push_back({.id = "commuter", .title = "...", .kind = "place", .sections = {...}});
///     std::string html = page_html(document);                     // report/page_html.hpp
///
/// Whoever sees the file sees all of it. What only the curator may see goes into sections and views marked private, and only into a document marked `curator`;
/// page_html refuses it elsewhere.

struct Words {
  enum class Tone { plain, promise, warning };
  Tone tone = Tone::plain;
  bool list = false;
  std::vector<std::string> paragraphs = {};
};

struct Fields {
  std::vector<std::pair<std::string, std::string>> rows = {};
};

struct Table {
  using Cell = std::variant<std::monostate, std::string, double>;
  std::string caption = {};
  std::vector<std::string> columns = {};
  std::vector<std::vector<Cell>> rows = {};
};

/// What was spent of a dataset's budget.
struct BudgetBar {
  std::string dataset = {};
  std::string measure = {};  ///< "per metre", or nothing
  std::string spent = {};    ///< exact
  double spent_number = 0;
  std::optional<std::string> cap = {};
  std::optional<double> cap_number = {};
  double this_release_number = 0;
};

struct PlotBlock {
  enum class Mark { line, bars, steps, dots };
  struct Series {
    std::string name = {};
    std::vector<double> x = {};
    std::vector<double> x2 = {};    ///< ends of bars and steps
    std::vector<double> y = {};     ///< what is not finite is not drawn
    std::vector<double> size = {};  ///< areas of dots
  };
  std::string title = {};
  std::string note = {};
  PlotAxis x = {}, y = {};
  Mark mark = Mark::line;
  std::vector<Series> series = {};
  std::vector<std::pair<double, std::string>> marks = {};  ///< vertical lines with a name
  std::string follows = {};                                ///< a control's id
};

/// How a layer of a map looks.
struct MapColour {
  enum class Kind { ground, number, scale };
  Kind kind = Kind::ground;
  int number = 0;           ///< 0 to 5
  std::string scale = {};   ///< id of one of the map's
  std::string values = {};  ///< name of the array
  std::size_t frames = 1;

  static MapColour ground() { return {}; }
  static MapColour of(int number) { return {.kind = Kind::number, .number = number}; }
  static MapColour by(std::string scale, std::string values, std::size_t frames = 1) {
    return {.kind = Kind::scale,
            .number = 0,
            .scale = std::move(scale),
            .values = std::move(values),
            .frames = frames};
  }
};

/// Texts below that name arrays are what Document::add gave.
struct MapLines {
  std::string name = {};
  MapColour colour = {};
  std::string points = {}, starts = {};
  double width = 1;
  std::string widths = {};
  bool until_place = false;
  bool arrows = false;
};

struct MapPoints {
  std::string name = {};
  MapColour colour = {};
  std::string points = {};
  double radius = 3;
  double halo_m = 0;
  std::vector<std::string> labels = {};
  bool at_place = false;
};

struct MapAreas {
  std::string name = {};
  MapColour colour = {};
  std::string points = {}, starts = {};
  std::vector<std::string> labels = {};
  bool outline_only = false;
};

struct MapGrid {
  std::string name = {};
  MapColour colour = {};
  std::array<double, 4> box = {};
  std::uint32_t columns = 0, rows = 0;
};

using MapLayer = std::variant<MapLines, MapPoints, MapAreas, MapGrid>;

struct MapView {
  std::string title = {};
  bool is_private = false;
  std::vector<MapLayer> layers = {};
};

struct MapControl {
  std::string id = {}, label = {};
  bool slider = true;  ///< else a list to choose from
  std::vector<std::string> places = {};
};

struct MapScale {
  enum class Kind { linear, log, sign };
  std::string id = {}, label = {};
  Kind kind = Kind::linear;
  double low = 0, high = 1;
};

/// Maps side by side that move together, in metres on a plane.
struct MapBlock {
  std::string title = {};
  std::string description = {};  ///< what is to be seen, for those who do not see it
  std::string note = {};
  bool metres = true;              ///< false: places were made up, and distances mean nothing
  std::array<double, 4> box = {};  ///< west, south, east, north
  std::vector<MapView> views = {};
  std::optional<MapControl> control = {};
  std::vector<MapScale> scales = {};
};

/// A finished SVG drawing of ours.
struct Drawing {
  std::string title = {}, description = {}, note = {};
  std::string svg = {};
};

using Block = std::variant<Words, Fields, Table, BudgetBar, PlotBlock, MapBlock, Drawing>;

struct Section {
  std::string title = {};
  std::string note = {};
  bool is_private = false;
  std::vector<Block> blocks = {};
};

struct Page {
  std::string id = {};  ///< unique, of a-z, 0-9 and -
  std::string title = {};
  std::string kind = {};
  std::string lead = {};
  std::vector<Section> sections = {};
};

struct Document {
  std::string title = {};
  bool curator = false;
  std::vector<Page> pages = {};

  /// Keeps a column of numbers and gives its name; the same name for the same numbers.
  std::string add(std::span<const float> numbers);
  std::string add(std::span<const std::uint32_t> numbers);

  struct Packed {
    std::string type;
    std::size_t length = 0;
    std::string gzip;  ///< base64
    friend bool operator==(const Packed&, const Packed&) = default;
  };
  std::map<std::string, Packed> arrays = {};
};

/// The document as JSON that may stand within an HTML page: no `<` in it. Throws InvalidOption for private parts outside a curator's document, ids that are not
/// unique or hold other characters, and names of arrays or scales that are not there: better no report than one with a hole, or one that tells.
std::string to_json(const Document& document);

}  // namespace fogline::report
