// SPDX-License-Identifier: Apache-2.0
#include "roads/generated.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "geometry/projection.hpp"
#include "roads/draft.hpp"

namespace fogline::roads {
namespace {

constexpr std::uint64_t most_vertices = 1'000'000;
constexpr double longest_m = 1'000'000;

struct Grid {
  std::uint64_t rows;
  std::uint64_t columns;
  graph::LengthMm spacing_mm;
};

graph::LengthMm spacing_mm(std::string_view option, double side_m, std::uint64_t gaps) {
  // Written so that NaN fails the comparison.
  if (!(side_m > 0 && side_m <= longest_m)) {
    throw InvalidOption(option, "must be above 0 and at most 1,000,000 m");
  }
  const double spacing = std::round(side_m * 1000 / static_cast<double>(gaps));
  if (spacing < 1) throw InvalidOption(option, "is too short: vertices would lie less than 1 mm apart");
  return static_cast<graph::LengthMm>(spacing);
}

RoadNetwork build(const Grid& grid, std::string source) {
  const double step_m = grid.spacing_mm / 1000.0;
  const double west_m = -step_m * static_cast<double>(grid.columns - 1) / 2;
  const double south_m = -step_m * static_cast<double>(grid.rows - 1) / 2;
  std::vector<geometry::PointXY> points;
  Draft draft{.source = std::move(source)};
  for (std::uint64_t row = 0; row < grid.rows; ++row) {
    for (std::uint64_t column = 0; column < grid.columns; ++column) {
      const auto here = static_cast<graph::VertexId>(points.size());
      const auto above = static_cast<graph::VertexId>(here + grid.columns);
      points.push_back(
          {west_m + step_m * static_cast<double>(column), south_m + step_m * static_cast<double>(row)});
      Road road{.tail = here, .length_mm = grid.spacing_mm, .road_class = RoadClass::residential};
      road.head = here + 1;
      if (column + 1 < grid.columns) draft.roads.push_back(road);
      road.head = above;
      if (row + 1 < grid.rows) draft.roads.push_back(road);
    }
  }
  draft.position = geometry::LocalProjection({0, 0}).inverse(points);
  return finish(std::move(draft), {});
}

}  // namespace

RoadNetwork make_lattice(const LatticeOptions& options) {
  if (options.rows < 1 || options.columns < 1 || options.rows > most_vertices ||
      options.columns > most_vertices || options.rows * options.columns > most_vertices ||
      options.rows * options.columns < 2) {
    throw InvalidOption("network",
                        "a lattice must have at least 1 row and 1 column, and 2 to 1,000,000 vertices");
  }
  const std::uint64_t gaps = std::max(options.rows, options.columns) - 1;
  return build({options.rows, options.columns, spacing_mm("network", options.side_m, gaps)},
               fmt::format("lattice:{}x{}:{}", options.rows, options.columns, options.side_m));
}

RoadNetwork make_line(const LineOptions& options) {
  if (options.vertices < 2 || options.vertices > most_vertices) {
    throw InvalidOption("network", "a line must have 2 to 1,000,000 vertices");
  }
  return build({1, options.vertices, spacing_mm("line length", options.length_m, options.vertices - 1)},
               fmt::format("line:{}:{}", options.vertices, options.length_m));
}

}  // namespace fogline::roads
