// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "random/stream.hpp"
#include "weights/graph/shape.hpp"
#include "weights/grid.hpp"

namespace fogline::weights {

struct ScaleFreeOptions {
  std::uint32_t vertices = 1000;  ///< above edges_per_vertex, at most 50,000,000
  std::uint32_t edges_per_vertex =
      5;                    ///< 1 to 1,000; also how many vertices are joined to each other at the start
  std::uint64_t edges = 0;  ///< how many in all; 0: as many as the growth gives
};

/// The graphs of Li et al. 2017, Table 1: five joined vertices, then five edges with each new one. Their counts are a little below what that
/// gives (4,985 and 9,985).
inline constexpr ScaleFreeOptions ba1 = {.vertices = 1000, .edges_per_vertex = 5, .edges = 4967};
inline constexpr ScaleFreeOptions ba2 = {.vertices = 2000, .edges_per_vertex = 5, .edges = 9966};

/// A scale-free graph: each new vertex is joined to others by preferential attachment, that is, in proportion to their degrees.
///
///     random::Stream choice = random::SeededKey(1).stream("sample weights");
///     GraphShape shape = scale_free_graph(ba1, choice);
///     std::vector<double> weight = uniform_weights(WeightGrid::parse("100:600", "1"), shape.edges(), choice);
///
/// Source  Barabasi and Albert 1999. A draw that hits a vertex twice is repeated, so that the graph is simple; where `edges` asks
///         for fewer than the growth gives, the first such draws are left out instead, until the difference is made up.
/// Limits  the graph is connected as long as every vertex keeps an edge. Throws InvalidOption for options outside their ranges, and if the growth has too few
///         repeated draws to leave out.
/// Cost    a random word per edge and 8 bytes for each of its ends.
GraphShape scale_free_graph(const ScaleFreeOptions& options, random::Stream& choice);

/// Weights drawn evenly from the points of a grid, which must be finite; InvalidOption if not.
std::vector<double> uniform_weights(const WeightGrid& grid, std::size_t count, random::Stream& choice);

}  // namespace fogline::weights
