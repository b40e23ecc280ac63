// SPDX-License-Identifier: Apache-2.0
#include "report/document.hpp"

#include <array>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace fogline::report::document_test {
namespace {

using Json = nlohmann::json;

Document one_page(Section section) {
  Document document{.title = "A report"};
  document.pages.push_back({.id = "a-1", .title = "A page", .kind = "place", .lead = "", .sections = {}});
  document.pages.back().sections.push_back(std::move(section));
  return document;
}

MapBlock map_of(Document& document) {
  const std::array<float, 4> points{0, 0, 10, 20};
  const std::array<std::uint32_t, 2> starts{0, 2};
  const std::array<float, 1> values{0.5F};
  MapBlock map{.title = "map", .scales = {{.id = "s", .label = "share"}}};
  map.views.push_back({.layers = {MapLines{.name = "roads",
                                           .colour = MapColour::by("s", document.add(values)),
                                           .points = document.add(points),
                                           .starts = document.add(starts)}}});
  return map;
}

TEST(ReportDocument, WritesEveryBlockAsThePageReadsIt) {
  Document document = one_page({.title = "all"});
  auto& blocks = document.pages[0].sections[0].blocks;
  blocks.push_back(Words{.tone = Words::Tone::promise, .list = true, .paragraphs = {"one", "two"}});
  blocks.push_back(Fields{{{"name", "value"}}});
  blocks.push_back(Table{.caption = "c", .columns = {"a", "b", "c"}, .rows = {{"x", 1.5, std::monostate()}}});
  blocks.push_back(
      BudgetBar{.dataset = "d", .spent = "1/3", .spent_number = 1.0 / 3, .this_release_number = 0.25});
  blocks.push_back(PlotBlock{.title = "p",
                             .x = {.label = "x", .log = true},
                             .mark = PlotBlock::Mark::bars,
                             .series = {{.name = "s", .x = {0}, .x2 = {1}, .y = {2}}},
                             .marks = {{0.5, "here"}}});
  blocks.push_back(map_of(document));
  blocks.push_back(Drawing{.title = "d", .svg = "<svg/>"});
  const Json json = Json::parse(to_json(document));
  EXPECT_EQ(json["format"], "fogline report");
  EXPECT_EQ(json["curator"], false);
  const Json& found = json["pages"][0]["sections"][0]["blocks"];
  ASSERT_EQ(found.size(), 7U);
  EXPECT_EQ(found[0]["tone"], "promise");
  EXPECT_EQ(found[1]["rows"][0], Json::array({"name", "value"}));
  EXPECT_EQ(found[2]["rows"][0], Json::array({"x", 1.5, nullptr}));
  EXPECT_TRUE(found[3]["cap"].is_null());
  EXPECT_EQ(found[4]["mark"], "bars");
  EXPECT_EQ(found[4]["marks"][0]["label"], "here");
  const Json& layer = found[5]["views"][0]["layers"][0];
  EXPECT_EQ(layer["type"], "lines");
  EXPECT_EQ(json["arrays"][layer["points"].get<std::string>()]["length"], 4);
  EXPECT_EQ(json["arrays"][layer["colour"]["values"].get<std::string>()]["type"], "f32");
  EXPECT_EQ(found[6]["svg"], "<svg/>");
}

TEST(ReportDocument, HoldsTheSameNumbersOnce) {
  Document document;
  const std::array<float, 3> some{1, 2, 3}, others{1, 2, 4};
  const std::array<std::uint32_t, 3> whole{1, 2, 3};
  const std::string first = document.add(some);
  EXPECT_EQ(document.add(some), first);
  EXPECT_NE(document.add(others), first);
  EXPECT_NE(document.add(whole), first);
  EXPECT_EQ(document.arrays.size(), 3U);
}

TEST(ReportDocument, NoTextCanEndTheScriptThatHoldsIt) {
  Document document = one_page({.title = "</script><img src=x onerror=alert(1)>"});
  document.title = "<!-- <script>";
  const std::string text = to_json(document);
  EXPECT_EQ(text.find('<'), std::string::npos);
  EXPECT_EQ(Json::parse(text)["pages"][0]["sections"][0]["title"], "</script><img src=x onerror=alert(1)>");
}

TEST(ReportDocument, TakesNamesThatAreNoUtf8) {
  EXPECT_EQ(Json::parse(to_json(one_page({.title = "\xff\xfe"})))["title"], "A report");
}

TEST(ReportDocument, RefusesPrivatePartsInAReportForAll) {
  Document document = one_page({.title = "measured", .is_private = true});
  EXPECT_THROW(to_json(document), InvalidOption);
  document.curator = true;
  EXPECT_NO_THROW(to_json(document));

  Document with_view = one_page({.title = "map"});
  MapBlock map = map_of(with_view);
  map.views[0].is_private = true;
  with_view.pages[0].sections[0].blocks.push_back(map);
  EXPECT_THROW(to_json(with_view), InvalidOption);
  with_view.curator = true;
  EXPECT_NO_THROW(to_json(with_view));
}

TEST(ReportDocument, RefusesHoles) {
  Document document = one_page({.title = "map"});
  MapBlock map = map_of(document);
  std::get<MapLines>(map.views[0].layers[0]).points = "f32-99";
  document.pages[0].sections[0].blocks.push_back(map);
  EXPECT_THROW(to_json(document), InvalidOption);

  Document scale = one_page({.title = "map"});
  MapBlock other = map_of(scale);
  other.scales.clear();
  scale.pages[0].sections[0].blocks.push_back(other);
  EXPECT_THROW(to_json(scale), InvalidOption);

  Document twice = one_page({.title = "x"});
  twice.pages.push_back(twice.pages[0]);
  EXPECT_THROW(to_json(twice), InvalidOption);
  twice.pages[1].id = "No Id";
  EXPECT_THROW(to_json(twice), InvalidOption);

  Document columns = one_page({.title = "x"});
  columns.pages[0].sections[0].blocks.push_back(PlotBlock{.series = {{.name = "s", .x = {1, 2}, .y = {1}}}});
  EXPECT_THROW(to_json(columns), InvalidOption);
}

TEST(ReportDocument, NumbersThatAreNoneAreNotDrawn) {
  Document document = one_page({.title = "x"});
  document.pages[0].sections[0].blocks.push_back(
      PlotBlock{.series = {{.name = "s", .x = {1}, .y = {std::numeric_limits<double>::quiet_NaN()}}}});
  const Json json = Json::parse(to_json(document));
  EXPECT_TRUE(json["pages"][0]["sections"][0]["blocks"][0]["series"][0]["y"][0].is_null());
}

}  // namespace
}  // namespace fogline::report::document_test
