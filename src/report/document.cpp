// SPDX-License-Identifier: Apache-2.0
#include "report/document.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sodium.h>

#include "base/error.hpp"
#include "fogline/version.hpp"
#include "io/gzip.hpp"

namespace fogline::report {
namespace {

using Json = nlohmann::ordered_json;

std::string base64(std::string_view bytes) {
  std::string text(sodium_base64_encoded_len(bytes.size(), sodium_base64_VARIANT_ORIGINAL), '\0');
  sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                    bytes.size(), sodium_base64_VARIANT_ORIGINAL);
  text.pop_back();  // the terminating zero
  return text;
}

template <class Number>
std::string keep(Document& document, std::span<const Number> numbers, const char* type) {
  static_assert(std::endian::native == std::endian::little);
  const std::string_view bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
  Document::Packed packed{type, numbers.size(), base64(io::gzip(bytes))};
  for (const auto& [name, known] : document.arrays)
    if (known == packed) return name;
  const std::string name = fmt::format("{}-{}", type, document.arrays.size() + 1);
  document.arrays[name] = std::move(packed);
  return name;
}

/// Turns a document into JSON, and looks at each part on the way.
class Writer {
 public:
  explicit Writer(const Document& document) : document_(document) {}

  std::string text() {
    Json pages = Json::array();
    std::set<std::string> ids;
    for (const Page& page : document_.pages) {
      if (!is_id(page.id) || !ids.insert(page.id).second)
        throw InvalidOption("report", fmt::format("page id \"{}\" is not unique or no id", page.id));
      pages.push_back(json(page));
    }
    Json arrays = Json::object();
    for (const auto& [name, packed] : document_.arrays)
      arrays[name] = {{"type", packed.type}, {"length", packed.length}, {"gzip", packed.gzip}};
    const Json all = {{"format", "fogline report"},
                      {"format_version", 1},
                      {"version", version},
                      {"title", document_.title},
                      {"curator", document_.curator},
                      {"pages", pages},
                      {"arrays", arrays}};
    return without_brackets(all.dump(-1, ' ', false, Json::error_handler_t::replace));
  }

 private:
  /// In JSON `<` stands in texts alone, where it may be written otherwise; so nothing in a text can end the script that holds it.
  static std::string without_brackets(const std::string& text) {
    std::string safe;
    safe.reserve(text.size());
    for (const char c : text) {
      if (c == '<')
        safe += "\\u003c";
      else
        safe += c;
    }
    return safe;
  }

  static bool is_id(const std::string& text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
  }

  void require_curator(bool is_private, const std::string& what) const {
    if (is_private && !document_.curator)
      throw InvalidOption("report",
                          fmt::format("\"{}\" is private, and the report is not the curator's", what));
  }

  const std::string& array(const std::string& name, std::string_view type) const {
    const auto found = document_.arrays.find(name);
    if (found == document_.arrays.end() || found->second.type != type)
      throw InvalidOption("report", fmt::format("there is no array \"{}\" of type {}", name, type));
    return name;
  }

  Json json(const Page& page) const {
    Json sections = Json::array();
    for (const Section& section : page.sections) {
      require_curator(section.is_private, section.title);
      Json blocks = Json::array();
      for (const Block& block : section.blocks)
        blocks.push_back(std::visit([&](const auto& it) { return json(it); }, block));
      sections.push_back({{"title", section.title},
                          {"note", section.note},
                          {"private", section.is_private},
                          {"blocks", blocks}});
    }
    return {{"id", page.id},
            {"title", page.title},
            {"kind", page.kind},
            {"lead", page.lead},
            {"sections", sections}};
  }

  static Json json(const Words& words) {
    static constexpr std::array names{"plain", "promise", "warning"};
    return {{"type", "words"},
            {"tone", names[static_cast<std::size_t>(words.tone)]},
            {"list", words.list},
            {"paragraphs", words.paragraphs}};
  }

  static Json json(const Fields& fields) {
    Json rows = Json::array();
    for (const auto& [name, value] : fields.rows) rows.push_back({name, value});
    return {{"type", "fields"}, {"rows", rows}};
  }

  static Json json(const Table& table) {
    Json rows = Json::array();
    for (const auto& row : table.rows) {
      Json cells = Json::array();
      for (const Table::Cell& cell : row) {
        if (const auto* text = std::get_if<std::string>(&cell))
          cells.push_back(*text);
        else if (const auto* number = std::get_if<double>(&cell))
          cells.push_back(*number);
        else
          cells.push_back(nullptr);
      }
      rows.push_back(std::move(cells));
    }
    return {{"type", "table"}, {"caption", table.caption}, {"columns", table.columns}, {"rows", rows}};
  }

  static Json json(const BudgetBar& budget) {
    return {{"type", "budget"},
            {"dataset", budget.dataset},
            {"measure", budget.measure},
            {"spent", budget.spent},
            {"spent_number", budget.spent_number},
            {"cap", budget.cap ? Json(*budget.cap) : Json()},
            {"cap_number", budget.cap_number ? Json(*budget.cap_number) : Json()},
            {"this_release_number", budget.this_release_number}};
  }

  static Json json(const PlotAxis& axis) {
    return {{"label", axis.label}, {"log", axis.log}, {"from_zero", axis.from_zero}};
  }

  static Json json(const PlotBlock& plot) {
    static constexpr std::array names{"line", "bars", "steps", "dots"};
    Json series = Json::array();
    for (const PlotBlock::Series& one : plot.series) {
      if (one.x.size() != one.y.size() || (!one.x2.empty() && one.x2.size() != one.x.size()) ||
          (!one.size.empty() && one.size.size() != one.x.size()))
        throw InvalidOption("report", fmt::format("the columns of \"{}\" differ in length", one.name));
      series.push_back({{"name", one.name}, {"x", one.x}, {"x2", one.x2}, {"y", one.y}, {"size", one.size}});
    }
    Json marks = Json::array();
    for (const auto& [x, label] : plot.marks) marks.push_back({{"x", x}, {"label", label}});
    return {{"type", "plot"},    {"title", plot.title}, {"note", plot.note},
            {"x", json(plot.x)}, {"y", json(plot.y)},   {"mark", names[static_cast<std::size_t>(plot.mark)]},
            {"series", series},  {"marks", marks},      {"follows", plot.follows}};
  }

  Json json(const MapColour& colour, const MapBlock& map) const {
    switch (colour.kind) {
      case MapColour::Kind::ground:
        return {{"ground", true}};
      case MapColour::Kind::number:
        return {{"number", colour.number}};
      case MapColour::Kind::scale:
        break;
    }
    if (std::ranges::find(map.scales, colour.scale, &MapScale::id) == map.scales.end())
      throw InvalidOption("report", fmt::format("there is no scale \"{}\"", colour.scale));
    return {{"scale", colour.scale}, {"values", array(colour.values, "f32")}, {"frames", colour.frames}};
  }

  Json json(const MapLines& lines, const MapBlock& map) const {
    return {{"type", "lines"},
            {"name", lines.name},
            {"colour", json(lines.colour, map)},
            {"points", array(lines.points, "f32")},
            {"starts", array(lines.starts, "u32")},
            {"width", lines.width},
            {"widths", lines.widths.empty() ? "" : array(lines.widths, "f32")},
            {"until_place", lines.until_place},
            {"arrows", lines.arrows}};
  }

  Json json(const MapPoints& points, const MapBlock& map) const {
    return {{"type", "points"},
            {"name", points.name},
            {"colour", json(points.colour, map)},
            {"points", array(points.points, "f32")},
            {"radius", points.radius},
            {"halo_m", points.halo_m},
            {"labels", points.labels},
            {"at_place", points.at_place}};
  }

  Json json(const MapAreas& areas, const MapBlock& map) const {
    return {{"type", "areas"},
            {"name", areas.name},
            {"colour", json(areas.colour, map)},
            {"points", array(areas.points, "f32")},
            {"starts", array(areas.starts, "u32")},
            {"labels", areas.labels},
            {"outline_only", areas.outline_only}};
  }

  Json json(const MapGrid& grid, const MapBlock& map) const {
    return {{"type", "grid"},  {"name", grid.name},       {"colour", json(grid.colour, map)},
            {"box", grid.box}, {"columns", grid.columns}, {"rows", grid.rows}};
  }

  static Json json(const MapScale& scale) {
    static constexpr std::array names{"linear", "log", "signed"};
    return {{"id", scale.id},
            {"label", scale.label},
            {"kind", names[static_cast<std::size_t>(scale.kind)]},
            {"low", scale.low},
            {"high", scale.high}};
  }

  Json json(const MapBlock& map) const {
    Json views = Json::array();
    for (const MapView& view : map.views) {
      require_curator(view.is_private, view.title);
      Json layers = Json::array();
      for (const MapLayer& layer : view.layers)
        layers.push_back(std::visit([&](const auto& it) { return json(it, map); }, layer));
      views.push_back({{"title", view.title}, {"private", view.is_private}, {"layers", layers}});
    }
    Json control;
    if (map.control)
      control = {{"id", map.control->id},
                 {"label", map.control->label},
                 {"kind", map.control->slider ? "slider" : "choice"},
                 {"places", map.control->places}};
    Json scales = Json::array();
    for (const MapScale& scale : map.scales) scales.push_back(json(scale));
    return {{"type", "map"},    {"title", map.title},   {"description", map.description},
            {"note", map.note}, {"metres", map.metres}, {"box", map.box},
            {"views", views},   {"control", control},   {"scales", scales}};
  }

  static Json json(const Drawing& drawing) {
    return {{"type", "picture"},
            {"title", drawing.title},
            {"description", drawing.description},
            {"note", drawing.note},
            {"svg", drawing.svg}};
  }

  const Document& document_;
};

}  // namespace

std::string Document::add(std::span<const float> numbers) {
  return keep(*this, numbers, "f32");
}

std::string Document::add(std::span<const std::uint32_t> numbers) {
  return keep(*this, numbers, "u32");
}

std::string to_json(const Document& document) {
  return Writer(document).text();
}

}  // namespace fogline::report
