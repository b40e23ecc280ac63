// SPDX-License-Identifier: Apache-2.0
#include "report/map_svg.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <string>

#include <expat.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fogline::report::map_svg_test {
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
      << XML_ErrorString(XML_GetErrorCode(parser));
  XML_ParserFree(parser);
  return count;
}

/// One kilometre of primary road along the equator with a side street.
roads::RoadNetwork tee() {
  roads::RoadNetwork network;
  network.position = {{0, 0}, {0.005, 0}, {0.010, 0}, {0.005, 0.005}};
  network.roads = {{0, 1, 556'000, roads::RoadClass::primary, roads::Direction::both, {}},
                   {1, 2, 556'000, roads::RoadClass::primary, roads::Direction::both, {}},
                   {1, 3, 556'000, roads::RoadClass::residential, roads::Direction::both, {{0.006, 0.003}}}};
  return network;
}

TEST(MapSvg, DrawsEachClassOnceAsCasingAndFill) {
  const roads::RoadNetwork network = tee();
  const std::string svg = map_svg({.network = &network}, {.width_px = 1000, .scale_bar = false});
  const auto count = elements_of(svg);
  EXPECT_EQ(count.at("path"), 4);
  EXPECT_EQ(count.count("circle"), 0u);
  EXPECT_EQ(count.count("text"), 0u);
  // The primary road runs along the bottom, 500 px a piece.
  EXPECT_NE(svg.find("M0 500l500 0M500 500l500 0"), std::string::npos);
  // The side street bends at its shape point.
  EXPECT_NE(svg.find("M500 500l100 -300l-100 -200"), std::string::npos);
}

TEST(MapSvg, ShowsOnlyTheMarkersPassed) {
  const roads::RoadNetwork network = tee();
  const std::vector<MapMarker> markers{{{0.0012345, 0.0023456}, "A & <B>", 100, "#b2182b"}};
  const std::string without = map_svg({.network = &network}, {.width_px = 1000});
  const std::string with = map_svg({.network = &network, .markers = markers}, {.width_px = 1000});
  EXPECT_EQ(elements_of(without).count("circle"), 0u);
  EXPECT_EQ(elements_of(with).at("circle"), 2);
  EXPECT_NE(with.find("cx=\"123.5\" cy=\"265.4\""), std::string::npos);
  EXPECT_EQ(without.find("123.5"), std::string::npos);
  EXPECT_NE(with.find("A &amp; &lt;B&gt;"), std::string::npos);
}

TEST(MapSvg, DrawsTheWholeCityWellFormedAndSmall) {
  const roads::City city = roads::make_city(1);
  const std::vector<double> heat(city.home_weight.begin(), city.home_weight.end());
  const std::vector<MapTrack> tracks{{{city.network.position[0], city.network.position[1]}}};
  const std::string svg = map_svg({.network = &city.network,
                                   .areas = city.areas,
                                   .footpaths = city.footpaths,
                                   .heat = heat,
                                   .tracks = tracks},
                                  {.title = "Sample <city> & \"more\""});
  const auto count = elements_of(svg);
  EXPECT_EQ(count.at("title"), 1);
  EXPECT_LT(svg.size(), 600'000u);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(MapSvg, ScaleBarHasARoundLength) {
  const roads::RoadNetwork network = tee();
  const std::string svg = map_svg({.network = &network}, {.width_px = 1000});
  EXPECT_NE(svg.find(">200 m</text>"), std::string::npos);
}

TEST(MapSvg, HeatIsDrawnWhereItIsAboveZero) {
  const roads::RoadNetwork network = tee();
  const std::vector<double> heat{0, 1, 0, 4};
  const std::string svg =
      map_svg({.network = &network, .heat = heat}, {.width_px = 1000, .scale_bar = false});
  EXPECT_NE(svg.find("M500 500h0\""), std::string::npos);
  EXPECT_NE(svg.find("M500 0h0\""), std::string::npos);
  EXPECT_EQ(svg.find("M0 500h0"), std::string::npos);
}

TEST(MapSvg, RefusesWhatItCannotDraw) {
  const roads::RoadNetwork network = tee();
  const roads::RoadNetwork empty;
  const std::vector<double> short_heat{1, 2};
  const std::vector<double> bad_heat{1, 2, 3, std::numeric_limits<double>::quiet_NaN()};
  const std::vector<MapMarker> off_globe{{{0, 91}, "", 0, "red"}};
  EXPECT_THROW(map_svg({}, {}), InvalidOption);
  EXPECT_THROW(map_svg({.network = &empty}, {}), InvalidOption);
  EXPECT_THROW(map_svg({.network = &network, .heat = short_heat}, {}), InvalidOption);
  EXPECT_THROW(map_svg({.network = &network, .heat = bad_heat}, {}), InvalidOption);
  EXPECT_THROW(map_svg({.network = &network, .markers = off_globe}, {}), InvalidOption);
  EXPECT_THROW(map_svg({.network = &network}, {.width_px = 50}), InvalidOption);
  EXPECT_THROW(map_svg({.network = &network}, {.margin_px = -1}), InvalidOption);
  EXPECT_THROW(map_svg({.network = &network}, {.heat_dot_px = 0}), InvalidOption);
}

}  // namespace
}  // namespace fogline::report::map_svg_test
