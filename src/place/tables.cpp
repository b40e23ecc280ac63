// SPDX-License-Identifier: Apache-2.0
#include "place/tables.hpp"

#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "geometry/bounding_box.hpp"
#include "geometry/projection.hpp"

namespace fogline::place {
namespace {

using Eigen::Index;

void require_small(std::size_t vertices) {
  if (vertices > TableOptions::most_vertices) {
    throw InvalidOption(
        "network",
        fmt::format("has {} vertices; whole tables are computed up to {}, so take a smaller part of it",
                    vertices, TableOptions::most_vertices));
  }
}

kernel::Table table(std::size_t rows, std::size_t columns) {
  return kernel::Table(static_cast<Index>(rows), static_cast<Index>(columns));
}

std::span<double> table_row(kernel::Table& values, std::size_t row) {
  return {values.data() + row * static_cast<std::size_t>(values.cols()),
          static_cast<std::size_t>(values.cols())};
}

}  // namespace

kernel::Table likelihood_table(const VertexMechanism& mechanism, const TableOptions& options) {
  const std::size_t vertices = mechanism.graph().vertex_count();
  require_small(vertices);
  kernel::Table result = table(vertices, mechanism.range().size());
  ProgressMeter meter(options.progress, "computing the kernel", vertices);
  parallel_for(vertices, {.threads = options.threads, .grain = 4}, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      mechanism.probabilities(static_cast<graph::VertexId>(v), table_row(result, v));
      meter.advance();
    }
  });
  meter.finish();
  return result;
}

kernel::Table road_table_m(const graph::Graph& graph, const TableOptions& options) {
  const std::size_t vertices = graph.vertex_count();
  require_small(vertices);
  kernel::Table result = table(vertices, vertices);
  ProgressMeter meter(options.progress, "computing distances", vertices);
  parallel_for(vertices, {.threads = options.threads, .grain = 4}, [&](std::size_t begin, std::size_t end) {
    graph::Dijkstra search(graph);
    for (std::size_t v = begin; v < end; ++v) {
      const auto distance = search.one_to_all(static_cast<graph::VertexId>(v));
      const std::span<double> row = table_row(result, v);
      for (std::size_t u = 0; u < vertices; ++u) {
        if (distance[u] == graph::unreachable)
          throw InvalidOption(
              "network", "is in several pieces, and distances between them are infinite; take one of them");
        row[u] = static_cast<double>(distance[u]) / 1000;
      }
      meter.advance();
    }
  });
  meter.finish();
  return result;
}

kernel::Table straight_table_m(const roads::RoadNetwork& map, const TableOptions& options) {
  const std::size_t vertices = map.vertex_count();
  require_small(vertices);
  const geometry::LocalProjection plane(geometry::bounding_box(map.position).centre());
  const std::vector<geometry::PointXY> at = plane.forward(map.position, {.threads = options.threads});
  kernel::Table result = table(vertices, vertices);
  for (std::size_t v = 0; v < vertices; ++v) {
    const std::span<double> row = table_row(result, v);
    for (std::size_t u = 0; u < vertices; ++u)
      row[u] = std::hypot(at[u].x_m - at[v].x_m, at[u].y_m - at[v].y_m);
  }
  return result;
}

std::vector<double> prior_or_uniform(const std::vector<double>& prior, std::size_t vertex_count) {
  if (prior.empty()) return std::vector<double>(vertex_count, 1.0 / static_cast<double>(vertex_count));
  if (prior.size() != vertex_count) throw InvalidOption("prior", "must give every vertex a probability");
  for (const double share : prior) {
    if (!(share >= 0 && share <= 1)) throw InvalidOption("prior", "must hold numbers from 0 to 1");
  }
  if (std::abs(std::accumulate(prior.begin(), prior.end(), 0.0) - 1) > 1e-6)
    throw InvalidOption("prior", "must add up to 1");
  return prior;
}

}  // namespace fogline::place
