// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <sstream>

#include <expat.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "report/layers_svg.hpp"
#include "report/pairs_svg.hpp"
#include "report/route_svg.hpp"

namespace fogline::report::path_pictures_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

// Counts the elements of a picture by name and class, such as "rect.whole"; fails the test if it is not well-formed.
std::map<std::string, int> parts_of(const std::string& svg) {
  std::map<std::string, int> count;
  XML_Parser parser = XML_ParserCreate(nullptr);
  XML_SetUserData(parser, &count);
  XML_SetStartElementHandler(parser, [](void* data, const XML_Char* name, const XML_Char** attributes) {
    std::string key = name;
    for (; *attributes != nullptr; attributes += 2)
      if (std::string(attributes[0]) == "class") key += std::string(".") + attributes[1];
    ++(*static_cast<std::map<std::string, int>*>(data))[key];
  });
  EXPECT_EQ(XML_Parse(parser, svg.data(), static_cast<int>(svg.size()), 1), XML_STATUS_OK)
      << XML_ErrorString(XML_GetErrorCode(parser));
  XML_ParserFree(parser);
  return count;
}

struct Point {
  double x = 0, y = 0;
};

// The nodes and the lines of a layered picture, read back from its text.
struct Drawn {
  std::vector<std::pair<Point, Point>> box;  // of nodes: two corners
  std::vector<std::vector<Point>> line;      // of edges: many points along each
};

void walk(std::istringstream& text, std::vector<Point>& line) {
  for (char command = 0; text >> command && command != '"';) {
    const Point from = line.empty() ? Point{} : line.back();
    Point a, b, to = from;
    if (command == 'M') {
      text >> to.x >> to.y;
      line.push_back(to);
    } else if (command == 'V') {
      text >> to.y;
      a = from, b = to;
    } else {
      text >> a.x >> a.y >> b.x >> b.y >> to.x >> to.y;
    }
    for (int i = 1; command != 'M' && i <= 20; ++i) {
      const double t = i / 20.0, s = 1 - t;
      const double f = s * s * s, g = 3 * s * s * t, h = 3 * s * t * t, k = t * t * t;
      line.push_back({f * from.x + g * a.x + h * b.x + k * to.x, f * from.y + g * a.y + h * b.y + k * to.y});
    }
  }
}

Drawn drawn_in(const std::string& svg) {
  Drawn drawn;
  std::istringstream lines(svg.substr(svg.find("<g transform")));
  for (std::string text; std::getline(lines, text);) {
    if (text.starts_with("<path class=\"edge\"")) {
      std::istringstream path(text.substr(text.find(" d=\"") + 4));
      walk(path, drawn.line.emplace_back());
    } else if (text.starts_with("<rect")) {
      double value[4];
      const char* const names[4] = {" x=\"", " y=\"", " width=\"", " height=\""};
      for (int i = 0; i < 4; ++i)
        value[i] = std::stod(text.substr(text.find(names[i]) + std::string(names[i]).size()));
      drawn.box.push_back({{value[0], value[1]}, {value[0] + value[2], value[1] + value[3]}});
    }
  }
  return drawn;
}

// Each line begins and ends in the middle of its own nodes and comes near no other node.
void expect_lines_apart_from_nodes(const LayerDrawing& drawing) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < drawing.nodes.size(); ++i) names.push_back("stop " + std::to_string(i * i));
  const auto edges = covering_edges(drawing);
  const Drawn drawn = drawn_in(layers_svg(drawing, names, "Apart"));
  ASSERT_EQ(drawn.box.size(), drawing.nodes.size());
  ASSERT_EQ(drawn.line.size(), edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e) {
    for (std::size_t i = 0; i < drawn.box.size(); ++i) {
      const auto& [low, high] = drawn.box[i];
      double nearest = 1e9;
      for (const Point& p : drawn.line[e])
        nearest = std::min(nearest, std::hypot(std::max({low.x - p.x, p.x - high.x, 0.0}),
                                               std::max({low.y - p.y, p.y - high.y, 0.0})));
      if (i == edges[e].first || i == edges[e].second) {
        ASSERT_EQ(nearest, 0);
      } else {
        ASSERT_GT(nearest, 2.5) << "edge " << e << " and node " << i;
      }
    }
  }
}

// Four stops; b has two of them. Candidates: a-b#1, b#2-c.
path::PublicPath three_vertices() {
  path::PublicPath shown;
  shown.names = {"a", "b", "<c>"};
  shown.stops = path::Stops({1, 2, 1});
  shown.candidates = graph::BitGraph(4);
  shown.candidates.join(0, 1);
  shown.candidates.join(2, 3);
  return shown;
}

TEST(LayersSvg, DrawsCoveringEdgesOnly) {
  // 0 < 1 < 2 with all three edges: the one from 0 to 2 follows from the others.
  const LayerDrawing chain = drawing_of(path::LayeredGraph{.orientable = true,
                                                           .copies = {{0, 0}, {1, 1}, {2, 2}},
                                                           .edges = {{0, 1}, {1, 2}, {0, 2}},
                                                           .layer_count = 3});
  EXPECT_THAT(covering_edges(chain), ElementsAre(Pair(0U, 1U), Pair(1U, 2U)));
  const std::vector<std::string> names = {"a", "b", "c & d"};
  const std::string svg = layers_svg(chain, names, "A <route>");
  const auto parts = parts_of(svg);
  EXPECT_EQ(parts.at("path.edge"), 2 + 1);  // and one in the legend
  EXPECT_EQ(parts.at("rect.whole"), 3 + 1);
  EXPECT_EQ(parts.count("rect.piece"), 0U);
  EXPECT_THAT(svg, HasSubstr("2 of 3 edges are drawn"));
  EXPECT_THAT(svg, HasSubstr("c &amp; d"));
  EXPECT_THAT(svg, HasSubstr("<title>A &lt;route&gt;</title>"));
  EXPECT_THAT(svg, HasSubstr("prefers-color-scheme:dark"));
}

TEST(LayersSvg, TellsPartsOfSplitStopsFromWholeOnes) {
  const LayerDrawing drawing =
      drawing_of(path::PublishedLayers{.pieces = {{0, 1}, {1, -1}, {1, 0}}, .edges = {{0, 2}}});
  EXPECT_THAT(drawing.nodes, ElementsAre(LayerDrawing::Node{0, 1, true}, LayerDrawing::Node{1, -1, false},
                                         LayerDrawing::Node{1, 0, false}));
  EXPECT_THAT(drawing.edges, ElementsAre(Pair(2U, 0U)));  // upwards
  const std::vector<std::string> names = {"a", "b"};
  const auto parts = parts_of(layers_svg(drawing, names, "Published"));
  EXPECT_EQ(parts.at("rect.whole"), 1 + 1);
  EXPECT_EQ(parts.at("rect.piece"), 2 + 1);
}

TEST(LayersSvg, DrawsALayeredGraphOfLabels) {
  const path::PublicPath shown = three_vertices();
  EXPECT_THAT(stop_names(shown), ElementsAre("a", "b#1", "b#2", "<c>"));
  const auto drawing = drawing_of(path::layers_of(shown.candidates.complement()));
  EXPECT_EQ(drawing.nodes.size(),
            4U);  // the ruled-out pairs are a ring of four, which has an orientation
  EXPECT_EQ(parts_of(layers_svg(drawing, stop_names(shown), "")).at("path.edge"), 4 + 1);
}

TEST(LayersSvg, NoLinePassesThroughAnotherNode) {
  std::mt19937 choice(5);
  for (std::uint32_t n : {2U, 3U, 5U, 8U, 16U}) {
    for (int run = 0; run < 5; ++run) {
      graph::BitGraph ruled_out(n);
      path::PublishedLayers one_a_layer, some_a_layer;
      for (std::uint32_t v = 0; v < n; ++v) {
        one_a_layer.pieces.push_back({v, static_cast<std::int32_t>(v) * 3 - 7});
        some_a_layer.pieces.push_back({v, static_cast<std::int32_t>(v / 3)});
        for (std::uint32_t u = 0; u < v; ++u) {
          if (choice() % 3 == 0) one_a_layer.edges.emplace_back(u, v);
          if (choice() % 3 == 0 && u / 3 < v / 3) some_a_layer.edges.emplace_back(u, v);
          if (choice() % 3 != 0) ruled_out.join(u, v);
        }
      }
      expect_lines_apart_from_nodes(drawing_of(one_a_layer));
      expect_lines_apart_from_nodes(drawing_of(some_a_layer));
      expect_lines_apart_from_nodes(drawing_of(path::layers_of(ruled_out)));
    }
  }
}

TEST(LayersSvg, DrawsEveryEdgeWhereTwoDoNotImplyAThird) {
  const LayerDrawing drawing = drawing_of(path::PublishedLayers{.pieces = {{0, 0}, {1, 1}, {2, 2}, {3, 3}},
                                                                .edges = {{0, 1}, {0, 2}, {1, 2}, {2, 3}}});
  EXPECT_EQ(covering_edges(drawing), drawing.edges);
  const std::vector<std::string> names = {"a", "b", "c", "d"};
  EXPECT_THAT(layers_svg(drawing, names, ""), HasSubstr("The two ends of a line are ruled out"));
}

TEST(LayersSvg, RefusesWhatItCannotDraw) {
  const std::vector<std::string> one = {"a"};
  EXPECT_THROW(layers_svg({.nodes = {{1, 0, true}}, .edges = {}}, one, ""), InvalidOption);
  EXPECT_THROW(layers_svg({.nodes = {{0, 0, true}}, .edges = {{0, 1}}}, one, ""), InvalidOption);
  EXPECT_THROW(layers_svg({.nodes = std::vector<LayerDrawing::Node>(401), .edges = {}}, one, ""),
               InvalidOption);
  const std::vector<std::string> two = {"a", "b"};
  EXPECT_THROW(layers_svg({.nodes = {{0, 0, true}, {1, 0, true}}, .edges = {{0, 1}}}, two, ""),
               InvalidOption);
  EXPECT_NO_THROW(parts_of(layers_svg({}, {}, "Nothing")));
}

TEST(PairsSvg, ShowsEachPairTwice) {
  const path::PublicPath shown = three_vertices();
  const std::string svg = pairs_svg(shown.candidates, stop_names(shown), "Pairs");
  const auto parts = parts_of(svg);
  EXPECT_EQ(parts.at("path.share share7"), 1);
  const std::string cells = svg.substr(svg.find("share share7\" d="));
  EXPECT_EQ(std::count(cells.begin(), std::find(cells.begin(), cells.end(), '>'), 'z'), 4);
  EXPECT_THAT(svg, HasSubstr("4 stops; 2 of 6 pairs"));
  EXPECT_THROW(pairs_svg(shown.candidates, {}, ""), InvalidOption);
  EXPECT_THROW(pairs_svg({}, {}, ""), InvalidOption);
}

TEST(PairsSvg, ShadesBlocksOfManyStops) {
  graph::BitGraph half(320);  // blocks of 2 by 2
  for (graph::VertexId u = 0; u < 320; ++u)
    for (graph::VertexId v = u + 1; v < 320; ++v)
      if ((u + v) % 2 == 0) half.join(u, v);
  const std::string svg = pairs_svg(half, std::vector<std::string>(320, "x"), "Many");
  const auto parts = parts_of(svg);
  EXPECT_EQ(parts.at("path.share share4"), 1);
  EXPECT_EQ(parts.count("path.share share7"), 0U);
  EXPECT_THAT(svg, HasSubstr("2 by 2 pairs"));
  EXPECT_LT(svg.size(), 40'000U);
}

TEST(RouteSvg, ShowsRoadsAndRouteOnlyIfGiven) {
  path::PublicPath shown = three_vertices();
  const std::string outside = route_svg({.shown = &shown}, "Route");
  const auto parts = parts_of(outside);
  EXPECT_EQ(parts.at("path.candidate"), 2 + 1);  // a-b and b-<c>
  EXPECT_EQ(parts.count("path.road"), 0U);
  EXPECT_EQ(parts.count("path.route"), 0U);
  EXPECT_THAT(outside, Not(HasSubstr("insiders")));
  graph::BitGraph roads(3);
  roads.join(0, 1);
  const RouteDrawing inside{.shown = &shown,
                            .position = {{0, 0}, {0.01, 0}, {0.02, 0.01}},
                            .roads = &roads,
                            .route = {{1, 0}},
                            .directed = true};
  const std::string full = route_svg(inside, "Route");
  EXPECT_EQ(parts_of(full).at("path.road"), 1 + 1);
  EXPECT_EQ(parts_of(full).at("path.route"), 1 + 1);
  EXPECT_EQ(parts_of(full).at("path.arrow"), 1);
  EXPECT_THAT(full, AllOf(HasSubstr("insiders"), HasSubstr(">start<"), HasSubstr(">end<")));
}

TEST(RouteSvg, MarksDeclaredEndsAndThinsManyLines) {
  path::PublicPath shown;
  RouteDrawing drawing{.shown = &shown, .route = {{3, 4, 7}}, .directed = true};
  for (int i = 0; i < 100; ++i) {
    shown.names.push_back(std::to_string(i));
    drawing.position.push_back({0.01 * (i % 10), 0.01 * (i / 10)});
  }
  shown.stops = path::Stops(std::vector<std::uint32_t>(100, 1));
  shown.candidates = graph::BitGraph(100).complement();
  shown.ends = {3, 7};
  const std::string svg = route_svg(drawing, "Many");
  const auto parts = parts_of(svg);
  EXPECT_EQ(parts.at("circle.whole"), 2 + 1);
  EXPECT_EQ(parts.at("circle.dot"), 100);
  EXPECT_EQ(parts.at("circle.visit"), 3);
  EXPECT_EQ(parts.at("circle.start"), 1);
  EXPECT_EQ(parts.at("circle.end"), 1);
  EXPECT_THAT(svg, HasSubstr("the 4,000 shortest of 4,950 candidates"));
  drawing.directed = false;
  EXPECT_EQ(parts_of(route_svg(drawing, "Many")).count("circle.start"), 0U);
  drawing.position.clear();
  EXPECT_THROW(route_svg(drawing, "Many"), InvalidOption);
}

TEST(RouteSvg, RefusesWhatDoesNotFit) {
  const path::PublicPath shown = three_vertices();
  const graph::BitGraph two(2);
  EXPECT_THROW(route_svg({}, ""), InvalidOption);
  EXPECT_THROW(route_svg({.shown = &shown, .position = {{0, 0}}}, ""), InvalidOption);
  EXPECT_THROW(route_svg({.shown = &shown, .roads = &two}, ""), InvalidOption);
  EXPECT_THROW(route_svg({.shown = &shown, .route = {{5}}}, ""), InvalidOption);
}

}  // namespace
}  // namespace fogline::report::path_pictures_test
