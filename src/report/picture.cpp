// SPDX-License-Identifier: Apache-2.0
#include "report/picture.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "report/svg_text.hpp"

namespace fogline::report {
namespace {

constexpr double picture_margin_px = 20, line_px = 20, picture_letter_px = 6.9, note_letter_px = 6.4,
                 title_letter_px = 10.4;

// Blue, orange and black-or-white after Okabe and Ito; greys between them.
constexpr std::string_view style = R"(<style>
.ground{fill:#ffffff}.ink{fill:#26323c}.soft{fill:#5c6873}.onwhole{fill:#ffffff}
.whole{fill:#0072b2;stroke:#0072b2}.piece{fill:#ffffff;stroke:#0072b2;stroke-width:1.6}
.edge,.candidate,.road,.route{fill:none;stroke-linecap:round;stroke-linejoin:round}
.edge{stroke:#7d8791;stroke-width:1.1}.candidate{stroke:#0072b2;stroke-width:1}.hair{stroke-width:.6}
.road{stroke:#8d969f;stroke-width:2}.route{stroke:#d55e00;stroke-width:4}
.out{fill:#eceff1}.share{fill:#0072b2}.arrow,.start,.visit{fill:#d55e00}.dot{fill:#9aa4ad}
.end{fill:#ffffff;stroke:#d55e00;stroke-width:3}
.halo{fill:#26323c;stroke:#ffffff;stroke-width:4;stroke-linejoin:round;paint-order:stroke;font-weight:bold}
.share0{fill-opacity:.12}.share1{fill-opacity:.24}.share2{fill-opacity:.36}.share3{fill-opacity:.48}
.share4{fill-opacity:.6}.share5{fill-opacity:.72}.share6{fill-opacity:.86}.share7{fill-opacity:1}
@media (prefers-color-scheme:dark){
.ground{fill:#14181d}.ink{fill:#e6e9ec}.soft{fill:#a3adb7}.onwhole{fill:#0b1014}
.whole{fill:#56b4e9;stroke:#56b4e9}.piece{fill:#14181d;stroke:#56b4e9}
.edge{stroke:#7f8a95}.candidate{stroke:#56b4e9}.road{stroke:#76818c}.route{stroke:#f0a04b}
.out{fill:#262d34}.share{fill:#56b4e9}.arrow,.start,.visit{fill:#f0a04b}.dot{fill:#5d6973}
.end{fill:#14181d;stroke:#f0a04b}.halo{fill:#e6e9ec;stroke:#14181d}
}
</style>
)";

std::vector<std::string> broken(std::string_view words, double letters) {
  std::vector<std::string> lines;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    const std::string_view word = words.substr(0, end);
    words.remove_prefix(std::min(end + 1, words.size()));
    if (!lines.empty() && static_cast<double>(lines.back().size() + 1 + word.size()) <= letters) {
      lines.back().append(" ").append(word);
    } else {
      lines.emplace_back(word);
    }
  }
  return lines;
}

void put_text(std::string& out, double x, double y, std::string_view more, std::string_view words) {
  fmt::format_to(std::back_inserter(out), "<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, more,
                 escaped(words));
}

void put_mark(std::string& out, const LegendItem& item, double x, double y) {
  auto into = std::back_inserter(out);
  switch (item.mark) {
    case LegendItem::Mark::line:
      fmt::format_to(into, "<path class=\"{}\" d=\"M{:.1f} {:.1f}h24\"/>\n", item.look, x, y - 4);
      return;
    case LegendItem::Mark::pill:
      fmt::format_to(into,
                     "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"24\" height=\"14\" rx=\"7\"/>\n",
                     item.look, x, y - 11);
      return;
    case LegendItem::Mark::square:
      fmt::format_to(into, "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"14\" height=\"14\"/>\n",
                     item.look, x + 5, y - 11);
      return;
    case LegendItem::Mark::dot:
      fmt::format_to(into, "<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\"/>\n", item.look, x + 12,
                     y - 4);
  }
}

}  // namespace

Picture::Picture(Options options) : options_(std::move(options)) {
  if (!(options_.width_px >= 100 && options_.width_px <= 20'000))
    throw InvalidOption("width_px", "must lie between 100 and 20,000");
}

void Picture::text(double x, double y, std::string_view anchor, std::string_view words,
                   std::string_view look) {
  put_text(body_, x, y, fmt::format("class=\"{}\" text-anchor=\"{}\"", look, anchor), words);
}

std::string Picture::finish(double height_px) const {
  std::string head, foot;
  double y = 12;
  const double inner_px = options_.width_px - 2 * picture_margin_px;
  for (const std::string& part : broken(options_.title, inner_px / title_letter_px))
    put_text(head, picture_margin_px, y += 22, "class=\"ink\" font-size=\"17\" font-weight=\"bold\"", part);
  double x = options_.width_px;  // the first item begins a line
  for (const LegendItem& item : options_.legend) {
    const double item_px = 32 + picture_letter_px * static_cast<double>(item.words.size()) + 22;
    if (x + item_px > options_.width_px - picture_margin_px) x = picture_margin_px, y += line_px + 2;
    put_mark(head, item, x, y);
    put_text(head, x + 32, y, "class=\"ink\"", item.words);
    x += item_px;
  }
  const double top = y + 14;
  y = top + height_px + 4;
  for (const std::string& note : options_.notes)
    for (const std::string& part : broken(note, inner_px / note_letter_px))
      put_text(foot, picture_margin_px, y += 16, "class=\"soft\" font-size=\"11\"", part);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
      "{1:.0f}\" "
      "font-family=\"'DejaVu Sans',Verdana,sans-serif\" font-size=\"12\" role=\"img\">\n"
      "<title>{2}</title>\n{3}<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n"
      "{4}<g transform=\"translate(0 {5:.1f})\">\n{6}</g>\n{7}</svg>\n",
      options_.width_px, std::ceil(y + 14), escaped(options_.title), style, head, top, body_, foot);
}

std::string with_commas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t digits = 3; digits < text.size(); digits += 4) text.insert(text.size() - digits, ",");
  return text;
}

}  // namespace fogline::report
