// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace fogline::report {

/// A line of the legend: how something looks, and what it is.
struct LegendItem {
  enum class Mark { line, pill, square, dot };
  Mark mark = Mark::line;
  std::string look;  ///< class of the style sheet below
  std::string words;
};

/// An SVG picture with a title, a legend above and notes below, in light colours or dark ones as the reader prefers.
///
///     Picture picture({.width_px = 600, .title = "Candidates", .notes = {"2 of 3 pairs"}});
///     picture.put("<path class=\"candidate\" d=\"M{} {}h10\"/>\n", x, y);
///     std::string svg = picture.finish(400);                     // the drawing's own height, from y = 0
///
/// Looks: `whole`, `piece`, `edge`, `candidate` (with `hair`: thinner), `road`, `route`, `start`, `end`, `visit` and `dot` for vertices, `out`, and `share0` to `share7` for shades of `candidate`. They are apart in
/// lightness and width, and their hues are told apart by colour-blind readers.
class Picture {
 public:
  struct Options {
    double width_px = 600;  ///< 100 to 20,000
    std::string title = {};
    std::vector<LegendItem> legend = {};
    std::vector<std::string> notes = {};
  };
  explicit Picture(Options options);

  template <typename... Values>
  void put(fmt::format_string<Values...> text, Values&&... values) {
    fmt::format_to(std::back_inserter(body_), text, std::forward<Values>(values)...);
  }
  /// Words at a place; `anchor` is start, middle or end, `look` is ink, soft, onwhole, or halo on lines.
  void text(double x, double y, std::string_view anchor, std::string_view words,
            std::string_view look = "ink");

  std::string finish(double height_px) const;

 private:
  Options options_;
  std::string body_;
};

/// 1234567 as "1,234,567".
std::string with_commas(std::uint64_t number);

}  // namespace fogline::report
