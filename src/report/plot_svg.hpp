// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

namespace fogline::report {

/// Points of one colour, joined by a line in the order given.
struct PlotSeries {
  std::string name = {};
  std::vector<double> x = {};
  std::vector<double> y =
      {};  ///< as many as x; points that are not finite, or not above 0 on a log axis, are left out
  std::vector<double> size =
      {};                   ///< as many as x, at least 0: area of each dot, and no line; empty: equal dots
  std::string colour = {};  ///< such as "#009e73"; empty: by its number. The first of a name counts
};

struct PlotAxis {
  std::string label = {};  ///< with the unit
  bool log = false;
  bool from_zero = false;  ///< 0 is shown even if no point is near it
};

struct PlotPanel {
  std::string title = {};
  PlotAxis x = {}, y = {};
  std::vector<PlotSeries> series = {};
  bool to_scale = false;  ///< a unit is as long on both axes, as on a map
};

struct PlotOptions {
  std::string title = {};
  std::string note = {};        ///< small print below: what the data is
  double panel_width_px = 460;  ///< 200 to 5,000; panels stand side by side, four to a row
};

/// Draws series as lines with dots: axes with round numbers, a legend that all panels share, a panel for each picture.
///
///     PlotPanel panel{.x = {"epsilon [1/m]", true}, .y = {"Q_loss [m]"}, .series = {{"GEM", {0.01, 0.02}, {330, 158}}}};
///     std::string svg = plot_svg({&panel, 1}, {.title = "Q_loss against epsilon"});
///
/// Series of one name look alike in all panels. They keep apart by colour (from a set that colour-blind people tell apart), shape of the
/// dot and dashes; lines and text have enough contrast on white and on black, so there is no background. Throws InvalidOption for no panel, a
/// width out of range, or series whose columns have different lengths. An empty panel gets its axes.
std::string plot_svg(std::span<const PlotPanel> panels, const PlotOptions& options);

}  // namespace fogline::report
