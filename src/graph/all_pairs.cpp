// SPDX-License-Identifier: Apache-2.0
#include "graph/all_pairs.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "graph/dijkstra.hpp"

namespace fogline::graph {

DistanceTable all_pairs(const Graph& graph, const AllPairsOptions& options) {
  const std::size_t count = graph.vertex_count();
  if (options.max_vertices < 1 || options.max_vertices > 100'000) {
    throw InvalidOption("max_vertices", "must be 1 to 100,000");
  }
  if (count > options.max_vertices) {
    throw InvalidOption("graph", fmt::format("has {} vertices; a table of all distances is made up to {}",
                                             count, options.max_vertices));
  }
  DistanceTable table(count);
  ProgressMeter meter(options.progress, "distances", count);
  // A search brings its own working memory, so a piece should hold many sources.
  parallel_for(count, {.threads = options.threads, .grain = 64}, [&](std::size_t begin, std::size_t end) {
    Dijkstra search(graph);
    for (std::size_t source = begin; source < end; ++source) {
      const auto from = static_cast<VertexId>(source);
      std::ranges::copy(search.one_to_all(from), table.row(from).begin());
      meter.advance();
    }
  });
  meter.finish();
  return table;
}

}  // namespace fogline::graph
