// SPDX-License-Identifier: Apache-2.0
#include "weights/graph/sample_graph.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "random/key.hpp"

namespace fogline::weights::sample_graph_test {
namespace {

random::Stream choice(std::uint64_t seed = 1) {
  return random::SeededKey(seed).stream("graph");
}

std::vector<std::uint32_t> degrees(const GraphShape& shape) {
  std::vector<std::uint32_t> degree(shape.vertices);
  for (std::size_t e = 0; e < shape.edges(); ++e) {
    ++degree[shape.source[e]];
    ++degree[shape.target[e]];
  }
  return degree;
}

bool is_simple(const GraphShape& shape) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  for (std::size_t e = 0; e < shape.edges(); ++e)
    if (shape.source[e] >= shape.target[e] || !seen.insert({shape.source[e], shape.target[e]}).second)
      return false;
  return true;
}

TEST(ScaleFreeGraph, HasThePapersCounts) {
  auto stream = choice();
  const GraphShape first = scale_free_graph(ba1, stream);
  EXPECT_EQ(first.vertices, 1000U);
  EXPECT_EQ(first.edges(), 4967U);
  const GraphShape second = scale_free_graph(ba2, stream);
  EXPECT_EQ(second.vertices, 2000U);
  EXPECT_EQ(second.edges(), 9966U);
  for (const GraphShape& shape : {first, second}) {
    EXPECT_TRUE(is_simple(shape));
    const auto degree = degrees(shape);
    EXPECT_GE(*std::min_element(degree.begin(), degree.end()), 1U);
  }
}

TEST(ScaleFreeGraph, WithoutACountEveryNewVertexHasItsEdges) {
  auto stream = choice();
  const GraphShape shape = scale_free_graph({.vertices = 1000}, stream);
  EXPECT_EQ(shape.edges(), 4985U);
  EXPECT_TRUE(is_simple(shape));
  for (const std::uint32_t degree : degrees(shape)) EXPECT_GE(degree, 4U);
}

TEST(ScaleFreeGraph, BeginsWithJoinedVertices) {
  auto stream = choice();
  const GraphShape shape = scale_free_graph({.vertices = 4, .edges_per_vertex = 3}, stream);
  EXPECT_EQ(shape.source,
            (std::vector<std::uint32_t>{0, 0, 1, shape.source[3], shape.source[4], shape.source[5]}));
  EXPECT_EQ(shape.target, (std::vector<std::uint32_t>{1, 2, 2, 3, 3, 3}));
}

TEST(ScaleFreeGraph, OneEdgePerVertexIsATree) {
  auto stream = choice();
  const GraphShape shape = scale_free_graph({.vertices = 50, .edges_per_vertex = 1}, stream);
  EXPECT_EQ(shape.edges(), 49U);
  EXPECT_TRUE(is_simple(shape));
}

TEST(ScaleFreeGraph, FewVerticesHaveManyEdges) {
  // With attachment by chance alone, the largest of 2,000 degrees would be about 40; by preference it is several times that.
  auto stream = choice();
  const auto degree = degrees(scale_free_graph({.vertices = 2000}, stream));
  EXPECT_GT(*std::max_element(degree.begin(), degree.end()), 80U);
}

TEST(ScaleFreeGraph, SameSeedSameGraph) {
  auto one = choice(7), same = choice(7), other = choice(8);
  const GraphShape shape = scale_free_graph(ba1, one);
  EXPECT_EQ(shape.source, scale_free_graph(ba1, same).source);
  EXPECT_NE(shape.source, scale_free_graph(ba1, other).source);
}

TEST(ScaleFreeGraph, RefusesBadOptions) {
  auto stream = choice();
  EXPECT_THROW(scale_free_graph({.vertices = 5}, stream), InvalidOption);
  EXPECT_THROW(scale_free_graph({.edges_per_vertex = 0}, stream), InvalidOption);
  EXPECT_THROW(scale_free_graph({.edges_per_vertex = 1001}, stream), InvalidOption);
  EXPECT_THROW(scale_free_graph({.edges = 4986}, stream), InvalidOption);
  EXPECT_THROW(scale_free_graph({.edges = 1000}, stream), InvalidOption);
}

TEST(UniformWeights, FillTheRange) {
  auto stream = choice();
  const auto weights = uniform_weights(WeightGrid::parse("100:600", "1"), 50'000, stream);
  EXPECT_EQ(*std::min_element(weights.begin(), weights.end()), 100);
  EXPECT_EQ(*std::max_element(weights.begin(), weights.end()), 600);
  // The mean of 50,000 has a standard deviation of 0.65.
  EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0) / 50'000, 350, 3.5);
}

TEST(UniformWeights, NeedBothEnds) {
  auto stream = choice();
  EXPECT_THROW(uniform_weights(WeightGrid::parse("0:", "1"), 1, stream), InvalidOption);
}

}  // namespace
}  // namespace fogline::weights::sample_graph_test
