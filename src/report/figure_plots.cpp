// SPDX-License-Identifier: Apache-2.0
#include "report/figure_plots.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "report/page_html.hpp"

namespace fogline::report {
namespace {

/// The points of one series that one view looks at, as a plot has them.
PlotSeries plot_series(const Figure& figure, const FigureView& view, const std::string& name) {
  PlotSeries series{.name = name,
                    .x = figure.values(name, view.x.column, view.part),
                    .y = figure.values(name, view.y.column, view.part)};
  if (!view.size.empty()) series.size = figure.values(name, view.size, view.part);
  for (const auto& [coloured, colour] : figure.colours) {
    if (coloured == name) series.colour = colour == FigureColour::yellow ? "#b98500" : "#009e73";
  }
  return series;
}

PlotPanel plot_panel(const Figure& figure, const FigureView& view) {
  PlotPanel panel{.title = view.title,
                  .x = {view.x.label, view.x.log, view.x.from_zero},
                  .y = {view.y.label, view.y.log, view.y.from_zero},
                  .to_scale = !view.size.empty()};
  std::vector<std::string> names;
  for (const FigureRow& row : figure.rows) {
    if (!view.part.empty() && row.part != view.part) continue;
    if (std::find(names.begin(), names.end(), row.series) == names.end()) names.push_back(row.series);
  }
  for (const std::string& name : names) panel.series.push_back(plot_series(figure, view, name));
  return panel;
}

PlotBlock block_of(const PlotPanel& panel, const std::string& note) {
  PlotBlock block{.title = panel.title,
                  .note = note,
                  .x = panel.x,
                  .y = panel.y,
                  .mark = panel.to_scale ? PlotBlock::Mark::dots : PlotBlock::Mark::line};
  for (const PlotSeries& series : panel.series)
    block.series.push_back({.name = series.name, .x = series.x, .y = series.y, .size = series.size});
  return block;
}

Table numbers_of(const Figure& figure) {
  Table table{.caption = "Numbers", .columns = {"number", "value"}};
  for (const auto& [name, value] : figure.numbers) table.rows.push_back({name, value});
  return table;
}

}  // namespace

std::vector<PlotPanel> panels_of(const Figure& figure) {
  std::vector<PlotPanel> panels;
  for (const FigureView& view : figure.views) panels.push_back(plot_panel(figure, view));
  return panels;
}

Page figure_page(const Figure& figure) {
  Section verdict{.title = "The paper's claim, and ours"};
  verdict.blocks.push_back(
      Fields{{{"the paper", figure.claim}, {"ours", figure.result}, {"data", figure.data}}});
  verdict.blocks.push_back(Words{.tone = figure.confirmed ? Words::Tone::promise : Words::Tone::warning,
                                 .paragraphs = {figure.confirmed ? "Our numbers say the same."
                                                                 : "Our numbers do not say all of that."}});
  Section plots{.title = "Plots"};
  for (const PlotPanel& panel : panels_of(figure)) plots.blocks.push_back(block_of(panel, ""));
  Page page{.id = figure.name,
            .title = figure.title,
            .kind = "experiment",
            .lead = fmt::format("The figure {} of its paper, computed anew.", figure.name),
            .sections = {std::move(verdict), std::move(plots)}};
  if (!figure.numbers.empty()) page.sections.push_back({.title = "Numbers", .blocks = {numbers_of(figure)}});
  return page;
}

std::string figure_svg(const Figure& figure) {
  return plot_svg(panels_of(figure), {.title = figure.title, .note = figure.data});
}

std::string figure_html(const Figure& figure) {
  return page_html({.title = figure.title, .pages = {figure_page(figure)}});
}

}  // namespace fogline::report
