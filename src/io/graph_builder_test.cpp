// SPDX-License-Identifier: Apache-2.0
#include "io/graph_builder.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/test_text.hpp"

namespace fogline::io::graph_builder_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_text::message_of;

/// Reads the edges, all of weight 1, 2, 3, ... in turn.
GraphTable build(const std::vector<std::pair<std::string, std::string>>& edges,
                 const GraphReadOptions& options) {
  GraphBuilder builder("t", options, false);
  std::uint64_t line = 0;
  for (const auto& [source, target] : edges) {
    ++line;
    builder.add({.source = source, .target = target, .weight = static_cast<double>(line), .line = line});
  }
  return std::move(builder).finish();
}

GraphTable with_weight(double weight, const GraphReadOptions& options) {
  GraphBuilder builder("t", options, false);
  builder.add({.source = "a", .target = "b", .weight = 1, .line = 1});
  builder.add({.source = "b", .target = "c", .weight = weight, .line = 2});
  return std::move(builder).finish();
}

TEST(GraphBuilder, NumberedVerticesAreSortedByValueOthersByAppearance) {
  EXPECT_THAT(build({{"10", "2"}, {"2", "0"}}, {}).vertices.names(), ElementsAre("0", "2", "10"));
  EXPECT_THAT(build({{"10", "2"}, {"2", "0"}}, {}).source, ElementsAre(2, 1));
  EXPECT_THAT(build({{"b", "2"}, {"2", "a"}}, {}).vertices.names(), ElementsAre("b", "2", "a"));
}

TEST(GraphBuilder, SelfLoops) {
  const GraphTable dropped = build({{"a", "b"}, {"c", "c"}}, {});
  EXPECT_EQ(dropped.edge_count(), 1U);
  EXPECT_EQ(dropped.vertex_count(), 3U);
  EXPECT_EQ(dropped.warnings.count("the edge is a self-loop (edge left out)"), 1U);
  EXPECT_EQ(build({{"a", "b"}, {"c", "c"}}, {.self_loops = OddEdge::keep}).edge_count(), 2U);
  EXPECT_THAT(message_of([] {
                build({{"a", "b"}, {"c", "c"}}, {.self_loops = OddEdge::refuse});
              }),
              HasSubstr("t, line 2: the edge is a self-loop"));
}

TEST(GraphBuilder, RepeatedEdges) {
  const std::vector<std::pair<std::string, std::string>> turned = {{"a", "b"}, {"b", "a"}};
  EXPECT_THAT(message_of([&] { build(turned, {}); }),
              HasSubstr("t, line 2: the edge was given before with another"));
  EXPECT_THAT(build(turned, {.repeats = RepeatedEdge::drop}).weight, ElementsAre(1));
  EXPECT_THAT(build(turned, {.repeats = RepeatedEdge::sum}).weight, ElementsAre(3));
  EXPECT_THAT(build(turned, {.repeats = RepeatedEdge::keep}).weight, ElementsAre(1, 2));
  EXPECT_THAT(build(turned, {.directed = true, .repeats = RepeatedEdge::refuse}).weight, ElementsAre(1, 2));
  EXPECT_THAT(message_of([&] { build(turned, {.repeats = RepeatedEdge::refuse}); }),
              HasSubstr("line 2: the edge was given before, from its other end; edges go both ways"));
}

TEST(GraphBuilder, EqualRepeatsAreDroppedAndCounted) {
  GraphBuilder builder("t", {}, false);
  for (const std::uint64_t line : {1U, 2U, 3U})
    builder.add({.source = "a", .target = "b", .weight = 4, .line = line});
  const GraphTable graph = std::move(builder).finish();
  EXPECT_EQ(graph.edge_count(), 1U);
  EXPECT_EQ(graph.warnings.count("repeated edge left out"), 2U);
}

TEST(GraphBuilder, Weights) {
  EXPECT_THAT(message_of([] { with_weight(-1, {}); }), HasSubstr("t, line 2: the weight is negative"));
  EXPECT_EQ(with_weight(-1, {.negative_weights = OddEdge::keep}).weight[1], -1);
  EXPECT_EQ(with_weight(-1, {.negative_weights = OddEdge::drop}).edge_count(), 1U);
  EXPECT_THAT(message_of([] { with_weight(std::nan(""), {}); }),
              HasSubstr("line 2: the weight is not a finite number"));
  EXPECT_EQ(with_weight(std::nan(""), {.bad_weights = OddEdge::drop}).edge_count(), 1U);
  EXPECT_THAT(message_of([] {
                GraphBuilder builder("t", {.repeats = RepeatedEdge::sum}, false);
                for (int i = 0; i < 2; ++i)
                  builder.add({.source = "a", .target = "b", .weight = 1e308, .line = 1});
              }),
              HasSubstr("too large"));
}

TEST(GraphBuilder, MissingEndsAndMissingWeights) {
  EXPECT_THAT(message_of([] {
                build({{"a", "b"}, {"", "b"}}, {});
              }),
              HasSubstr("line 2: an end of the edge is missing"));
  EXPECT_EQ(build({{"a", "b"}, {"a", ""}}, {.missing_ends = OddEdge::drop}).edge_count(), 1U);
  GraphBuilder builder("t", {}, false);
  builder.add({.source = "a", .target = "b", .line = 1});
  const GraphTable graph = std::move(builder).finish();
  EXPECT_FALSE(graph.weighted);
  EXPECT_EQ(graph.weight[0], 1);
  EXPECT_EQ(graph.warnings.count("edge without weight given weight 1"), 1U);
  EXPECT_THROW(GraphBuilder("t", {.unweighted = OddEdge::refuse}, false).add({.source = "a", .target = "b"}),
               DataError);
  EXPECT_THAT(message_of([] { GraphBuilder("t", {}, false).finish(); }), HasSubstr("holds no edges"));
}

TEST(GraphBuilder, PoliciesThatMakeNoSenseAreRefused) {
  EXPECT_THROW(GraphBuilder("t", {.bad_weights = OddEdge::keep}, false), InvalidOption);
  EXPECT_THROW(GraphBuilder("t", {.missing_ends = OddEdge::keep}, false), InvalidOption);
  EXPECT_THROW(GraphBuilder("t", {.unweighted = OddEdge::drop}, false), InvalidOption);
}

}  // namespace
}  // namespace fogline::io::graph_builder_test
