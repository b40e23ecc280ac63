// SPDX-License-Identifier: Apache-2.0
#include "report/plot_svg.hpp"

#include <limits>
#include <map>
#include <string>

#include <expat.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::report::plot_svg_test {
namespace {

/// Parses a text as XML and counts its elements by name; fails the test if it is not well-formed.
std::map<std::string, int> elements_of(const std::string& text) {
  std::map<std::string, int> count;
  XML_Parser parser = XML_ParserCreate(nullptr);
  XML_SetUserData(parser, &count);
  XML_SetStartElementHandler(parser, [](void* data, const XML_Char* name, const XML_Char**) {
    ++(*static_cast<std::map<std::string, int>*>(data))[name];
  });
  EXPECT_EQ(XML_Parse(parser, text.data(), static_cast<int>(text.size()), 1), XML_STATUS_OK)
      << XML_ErrorString(XML_GetErrorCode(parser)) << "\n"
      << text;
  XML_ParserFree(parser);
  return count;
}

std::string plot(const PlotPanel& panel, const PlotOptions& options = {}) {
  return plot_svg({&panel, 1}, options);
}

TEST(PlotSvg, PutsPointsWhereTheyBelong) {
  // 460 px wide: 376 for the plot, 255.68 high. The extremes have 5 % of air: 0 and 10 stand 1/22 from the ends.
  const std::string svg = plot({.x = {"x"}, .y = {"y"}, .series = {{"a", {0, 10}, {0, 10}}}});
  EXPECT_NE(svg.find("d=\"M17.1 244.1L358.9 11.6\""), std::string::npos) << svg;
}

TEST(PlotSvg, FromZeroStandsOnTheAxis) {
  const std::string svg =
      plot({.x = {"x", false, true}, .y = {"y", false, true}, .series = {{"a", {5, 10}, {5, 10}}}});
  EXPECT_NE(svg.find(">0</text>"), std::string::npos);
  EXPECT_NE(svg.find("d=\"M179.0 133.9L358.1 12.2\""), std::string::npos) << svg;
}

TEST(PlotSvg, GivesASeriesTheSameLookInEveryPanelAndOneLineOfTheLegend) {
  const PlotPanel left{.series = {{"a", {1, 2}, {1, 2}}, {"b", {1, 2}, {2, 1}}}},
      right{.series = {{"b", {1, 2}, {3, 4}}}};
  const std::vector<PlotPanel> panels{left, right};
  const std::string svg = plot_svg(panels, {});
  std::size_t dashed = 0;
  for (std::size_t at = svg.find("#d55e00\" stroke-width"); at != std::string::npos;
       at = svg.find("#d55e00\" stroke-width", at + 1))
    ++dashed;
  EXPECT_EQ(dashed, 3u);  // two panels and the legend
  EXPECT_EQ(svg.find(">b</text>"), svg.rfind(">b</text>"));
}

TEST(PlotSvg, PutsFourPanelsInARow) {
  const std::vector<PlotPanel> panels(8, PlotPanel{.series = {{"a", {1, 2}, {1, 2}}}});
  EXPECT_NE(plot_svg({panels.data(), 4}, {.panel_width_px = 200}).find("width=\"800\" height=\"181\""),
            std::string::npos);
  const std::string two_rows = plot_svg(panels, {.panel_width_px = 200});
  EXPECT_NE(two_rows.find("width=\"800\" height=\"318\""), std::string::npos) << two_rows.substr(0, 200);
}

TEST(PlotSvg, EscapesText) {
  const std::string svg =
      plot({.title = "<t>", .x = {"a & b"}, .y = {"\"y\""}, .series = {{"<s>", {1}, {1}}}},
           {.title = "x < y & z", .note = "'n'"});
  elements_of(svg);
  EXPECT_NE(svg.find("x &lt; y &amp; z"), std::string::npos);
  EXPECT_NE(svg.find("&lt;s&gt;"), std::string::npos);
}

TEST(PlotSvg, DrawsEmptyAndConstantSeriesAndLeavesOutWhatHasNoPlace) {
  elements_of(plot({}));
  elements_of(plot({.x = {"x", true}, .y = {"y", true}, .series = {{"none", {}, {}}}}));
  EXPECT_EQ(elements_of(plot({.series = {{"one", {3, 4}, {7, 7}}}})).at("circle"), 3);
  EXPECT_EQ(elements_of(plot({.series = {{"zero", {0}, {0}}}})).at("circle"), 2);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::string svg = plot({.y = {"y", true}, .series = {{"a", {1, 2, 3, 4}, {10, 0, nan, 100}}}});
  EXPECT_EQ(elements_of(svg).at("circle"), 3);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(PlotSvg, DrawsSizesAsAreasAndNoLine) {
  const std::string svg = plot({.series = {{"a", {0, 1}, {0, 1}, {4, 1}}}, .to_scale = true});
  EXPECT_NE(svg.find("r=\"9.0\""), std::string::npos);
  EXPECT_NE(svg.find("r=\"4.5\""), std::string::npos);
  EXPECT_EQ(svg.find("stroke-width=\"2\""), std::string::npos);
}

TEST(PlotSvg, RefusesWhatItCannotDraw) {
  EXPECT_THROW(plot_svg({}, {}), InvalidOption);
  EXPECT_THROW(plot({}, {.panel_width_px = 10}), InvalidOption);
  EXPECT_THROW(plot({.series = {{"a", {1}, {}}}}), InvalidOption);
  EXPECT_THROW(plot({.series = {{"a", {1}, {1}, {-1}}}}), InvalidOption);
}

TEST(PlotSvg, ASeriesMayAskForItsColour) {
  const std::string svg = plot({.series = {{.name = "a", .x = {1}, .y = {1}, .colour = "#b98500"}}});
  EXPECT_NE(svg.find("fill=\"#b98500\""), std::string::npos);
  EXPECT_THROW(plot({.series = {{.name = "a", .x = {1}, .y = {1}, .colour = "yellow"}}}), InvalidOption);
}

}  // namespace
}  // namespace fogline::report::plot_svg_test
