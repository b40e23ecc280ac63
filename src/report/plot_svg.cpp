// SPDX-License-Identifier: Apache-2.0
#include "report/plot_svg.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "base/error.hpp"
#include "report/svg_text.hpp"
#include "report/ticks.hpp"

namespace fogline::report {
namespace {

/// How a series looks: the first six are apart in every way.
struct Look {
  std::string_view colour, dashes;
};
constexpr std::array<Look, 6> looks{{{"#0f7fc4", ""},
                                     {"#d55e00", "7 3"},
                                     {"#009e73", "2 3"},
                                     {"#c0679a", "10 3 2 3"},
                                     {"#b98500", "5 5"},
                                     {"#8c8c8c", "1 4"}}};
constexpr std::string_view ink = "#767676";  // 4.5 to 1 against white and against black

constexpr double left_px = 66, right_px = 18, bottom_px = 50, plot_line_px = 20;
constexpr double plot_letter_px = 6.8, plot_note_letter_px = 5.8,
                 plot_title_letter_px = 9.6;  // on average, for making room
constexpr double largest_dot_px = 9, least_dot_px = 1.2;
constexpr std::size_t most_columns = 4;

/// Where a value stands on an axis.
class Scale {
 public:
  Scale(const PlotAxis& axis, const std::vector<double>& values) : log_(axis.log) {
    low_ = std::numeric_limits<double>::infinity();
    high_ = -low_;
    for (const double value : values) {
      low_ = std::min(low_, coordinate(value));
      high_ = std::max(high_, coordinate(value));
    }
    if (values.empty()) low_ = 0, high_ = 1;
    if (axis.from_zero && !log_) low_ = std::min(low_, 0.0), high_ = std::max(high_, 0.0);
    if (high_ - low_ <= 1e-12 * std::max(std::abs(low_), std::abs(high_))) {
      const double around = log_ || low_ == 0 ? 0.5 : std::abs(low_) / 10;
      low_ -= around;
      high_ += around;
    }
    const double air = (high_ - low_) * 0.05;
    if (low_ != 0 || !axis.from_zero) low_ -= air;
    if (high_ != 0 || !axis.from_zero) high_ += air;
  }

  bool shows(double value) const { return std::isfinite(value) && (!log_ || value > 0); }
  double share(double value) const { return (coordinate(value) - low_) / (high_ - low_); }
  double span() const { return high_ - low_; }
  std::vector<double> tick_values(int count) const {
    return log_ ? ticks(std::pow(10, low_), std::pow(10, high_), count, true)
                : ticks(low_, high_, count, false);
  }

 private:
  double coordinate(double value) const { return log_ ? std::log10(value) : value; }

  bool log_;
  double low_, high_;
};

/// Lines of at most so many letters, broken at spaces; a longer word stands alone.
std::vector<std::string> wrapped(std::string_view words, double letters) {
  std::vector<std::string> lines;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    const std::string_view word = words.substr(0, end);
    words.remove_prefix(std::min(end + 1, words.size()));
    if (!lines.empty() && static_cast<double>(lines.back().size() + 1 + word.size()) <= letters)
      lines.back().append(" ").append(word);
    else
      lines.emplace_back(word);
  }
  return lines;
}

class Plot {
 public:
  Plot(std::span<const PlotPanel> panels, const PlotOptions& options) : panels_(panels), options_(options) {
    for (const PlotPanel& panel : panels) {
      for (const PlotSeries& series : panel.series) {
        if (std::find(names_.begin(), names_.end(), series.name) == names_.end()) add_look(series);
      }
    }
  }

  std::string svg() {
    const std::size_t columns = std::min(panels_.size(), most_columns);
    for (std::size_t i = 0; i < panels_.size(); ++i) {
      if (i % columns == 0) row_top_ = panels_px_;
      draw_panel(panels_[i], static_cast<double>(i % columns) * options_.panel_width_px);
    }
    const std::string panels = std::move(out_);
    out_.clear();
    const double width = options_.panel_width_px * static_cast<double>(columns);
    const double head = draw_head(width);
    const std::string top = std::move(out_);
    out_.clear();
    const auto note = wrapped(options_.note, (width - left_px - right_px) / plot_note_letter_px);
    const double note_top = head + panels_px_ + 6;
    const double height = note_top + 14 * static_cast<double>(note.size()) + 2;
    put("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 "
        "{0:.0f} "
        "{1:.0f}\" font-family=\"'DejaVu Sans',Verdana,sans-serif\" font-size=\"12\" fill=\"{2}\">\n",
        width, std::ceil(height), ink);
    if (!options_.title.empty()) put("<title>{}</title>\n", escaped(options_.title));
    out_ += top;
    put("<g transform=\"translate(0 {:.1f})\">\n{}</g>\n", head, panels);
    for (std::size_t i = 0; i < note.size(); ++i)
      text(left_px, note_top + 14 * static_cast<double>(i) + 6, "start", note[i], "font-size=\"10\"");
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  template <typename... Values>
  void put(fmt::format_string<Values...> text, Values&&... values) {
    fmt::format_to(std::back_inserter(out_), text, std::forward<Values>(values)...);
  }

  void text(double x, double y, std::string_view anchor, std::string_view words, std::string_view more = "") {
    put("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}{}>{}</text>\n", x, y, anchor,
        more.empty() ? "" : " ", more, escaped(words));
  }

  /// Title and legend; returns their height.
  double draw_head(double width) {
    double y = 8;
    for (const std::string& part : wrapped(options_.title, (width - left_px) / plot_title_letter_px))
      text(left_px, y += 18, "start", part, "font-size=\"15\" font-weight=\"bold\"");
    double x = left_px;
    y += plot_line_px;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const double room = 50 + plot_letter_px * static_cast<double>(names_[i].size());
      if (x > left_px && x + room > width) {
        x = left_px;
        y += plot_line_px;
      }
      if (!only_dots_) line(look(i), fmt::format("M{:.1f} {:.1f}h24", x, y - 4));
      dot(i, x + 12, y - 4, 3.5);
      text(x + 30, y, "start", names_[i]);
      x += room;
    }
    return y + 8;
  }

  void draw_panel(const PlotPanel& panel, double offset) {
    const Scale across(panel.x, shown(panel, true)), up(panel.y, shown(panel, false));
    const double width = options_.panel_width_px - left_px - right_px;
    const double height =
        panel.to_scale ? width * std::clamp(up.span() / across.span(), 0.2, 2.0) : width * 0.68;
    const double top = panel.title.empty() ? 8 : 28;
    panels_px_ = std::max(panels_px_, row_top_ + top + height + bottom_px);
    only_dots_ = only_dots_ || panel.to_scale;
    put("<g transform=\"translate({:.1f} {:.1f})\">\n", offset + left_px, row_top_ + top);
    if (!panel.title.empty()) text(0, -9, "start", panel.title, "font-weight=\"bold\"");
    draw_axes(panel, across, up, width, height);
    for (const PlotSeries& series : panel.series) draw_series(panel, series, across, up, width, height);
    out_ += "</g>\n";
  }

  void draw_axes(const PlotPanel& panel, const Scale& across, const Scale& up, double width, double height) {
    for (const double tick : across.tick_values(6)) {
      const double x = across.share(tick) * width;
      put("<path stroke=\"{}\" stroke-opacity=\"0.25\" d=\"M{:.1f} 0V{:.1f}\"/>\n", ink, x, height);
      text(x, height + 17, "middle", fmt::format("{:g}", tick));
    }
    for (const double tick : up.tick_values(6)) {
      const double y = (1 - up.share(tick)) * height;
      put("<path stroke=\"{}\" stroke-opacity=\"0.25\" d=\"M0 {:.1f}H{:.1f}\"/>\n", ink, y, width);
      text(-8, y + 4, "end", fmt::format("{:g}", tick));
    }
    put("<path fill=\"none\" stroke=\"{}\" d=\"M0 0V{:.1f}H{:.1f}\"/>\n", ink, height, width);
    text(width / 2, height + 38, "middle", panel.x.label);
    text(-height / 2, -50, "middle", panel.y.label, "transform=\"rotate(-90)\"");
  }

  void draw_series(const PlotPanel& panel, const PlotSeries& series, const Scale& across, const Scale& up,
                   double width, double height) {
    const auto number =
        static_cast<std::size_t>(std::find(names_.begin(), names_.end(), series.name) - names_.begin());
    std::string path;
    std::vector<std::array<double, 3>> dots;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!across.shows(series.x[i]) || !up.shows(series.y[i])) continue;
      const double x = across.share(series.x[i]) * width, y = (1 - up.share(series.y[i])) * height;
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x, y);
      dots.push_back({x, y, series.size.empty() ? 3.5 : radius(panel, series.size[i])});
    }
    if (series.size.empty() && !path.empty()) line(look(number), path);
    for (const auto& [x, y, r] : dots) dot(number, x, y, r);
  }

  void line(const Look& as, std::string_view path) {
    put("<path fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-linejoin=\"round\"", as.colour);
    if (!as.dashes.empty()) put(" stroke-dasharray=\"{}\"", as.dashes);
    put(" d=\"{}\"/>\n", path);
  }

  /// Circle, square, triangle or diamond.
  void dot(std::size_t number, double x, double y, double r) {
    const std::string_view colour = look(number).colour;
    switch (number % 4) {
      case 0:
        put("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\"/>\n", x, y, r, colour);
        return;
      case 1:
        put("<path fill=\"{0}\" d=\"M{1:.1f} {2:.1f}h{3:.1f}v{3:.1f}h-{3:.1f}z\"/>\n", colour, x - 0.9 * r,
            y - 0.9 * r, 1.8 * r);
        return;
      case 2:
        put("<path fill=\"{0}\" d=\"M{1:.1f} {2:.1f}l{3:.1f} {4:.1f}h-{4:.1f}z\"/>\n", colour, x, y - 1.2 * r,
            1.05 * r, 2.1 * r);
        return;
      default:
        put("<path fill=\"{0}\" d=\"M{1:.1f} {2:.1f}l{3:.1f} {3:.1f}l-{3:.1f} {3:.1f}l-{3:.1f} "
            "-{3:.1f}z\"/>\n",
            colour, x, y - 1.3 * r, 1.3 * r);
    }
  }

  static std::vector<double> shown(const PlotPanel& panel, bool across) {
    std::vector<double> values;
    const auto fits = [](const PlotAxis& axis, double value) {
      return std::isfinite(value) && (!axis.log || value > 0);
    };
    for (const PlotSeries& series : panel.series) {
      for (std::size_t i = 0; i < series.x.size(); ++i) {
        if (fits(panel.x, series.x[i]) && fits(panel.y, series.y[i]))
          values.push_back(across ? series.x[i] : series.y[i]);
      }
    }
    return values;
  }

  static double radius(const PlotPanel& panel, double size) {
    double most = 0;
    for (const PlotSeries& series : panel.series) {
      for (const double other : series.size) most = std::max(most, other);
    }
    return most > 0 ? std::max(least_dot_px, largest_dot_px * std::sqrt(size / most)) : least_dot_px;
  }

  void add_look(const PlotSeries& series) {
    Look as = looks[names_.size() % looks.size()];
    if (!series.colour.empty()) as.colour = series.colour;
    names_.push_back(series.name);
    looks_.push_back(as);
  }
  const Look& look(std::size_t number) const { return looks_[number]; }

  std::span<const PlotPanel> panels_;
  const PlotOptions& options_;
  std::vector<std::string> names_;
  std::vector<Look> looks_;  // of each name
  std::string out_;
  double panels_px_ = 0, row_top_ = 0;
  bool only_dots_ = false;
};

void check(std::span<const PlotPanel> panels, const PlotOptions& options) {
  if (panels.empty()) throw InvalidOption("panels", "must have at least one");
  if (!(options.panel_width_px >= 200 && options.panel_width_px <= 5000))
    throw InvalidOption("panel_width_px", "must lie between 200 and 5,000");
  for (const PlotPanel& panel : panels) {
    for (const PlotSeries& series : panel.series) {
      if (series.y.size() != series.x.size() ||
          (!series.size.empty() && series.size.size() != series.x.size()))
        throw InvalidOption("series", fmt::format("{} has columns of different lengths", series.name));
      if (!series.colour.empty() &&
          (series.colour.size() != 7 ||
           series.colour.find_first_not_of("#0123456789abcdef") != std::string::npos))
        throw InvalidOption("series", "colours must look like #009e73");
      for (const double size : series.size) {
        if (!(size >= 0 && std::isfinite(size)))
          throw InvalidOption("series", "sizes must be finite and at least 0");
      }
    }
  }
}

}  // namespace

std::string plot_svg(std::span<const PlotPanel> panels, const PlotOptions& options) {
  check(panels, options);
  return Plot(panels, options).svg();
}

}  // namespace fogline::report
