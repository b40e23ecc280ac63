// SPDX-License-Identifier: Apache-2.0
#include "weights/graph/sample_graph.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace fogline::weights {
namespace {

class Growth {
 public:
  Growth(const ScaleFreeOptions& options, std::uint64_t left_out) : left_out_(left_out) {
    const std::uint32_t core = options.edges_per_vertex;
    shape_.vertices = options.vertices;
    for (std::uint32_t v = 1; v < core; ++v)
      for (std::uint32_t u = 0; u < v; ++u) join(u, v);
    // A single vertex has no edge whose ends could be drawn.
    if (core == 1) ends_.push_back(0);
  }

  void add_vertex(std::uint32_t vertex, std::uint32_t edges, random::Stream& choice) {
    targets_.clear();
    for (std::uint32_t drawn = 0; drawn < edges;) {
      const std::uint32_t target = ends_[choice.below(ends_.size())];
      const bool repeated = std::find(targets_.begin(), targets_.end(), target) != targets_.end();
      if (!repeated) targets_.push_back(target);
      if (repeated && left_out_ == 0) continue;
      if (repeated) --left_out_;
      ++drawn;
    }
    for (const std::uint32_t target : targets_) join(target, vertex);
  }

  std::uint64_t left_out() const { return left_out_; }
  GraphShape finish() && { return std::move(shape_); }

 private:
  void join(std::uint32_t u, std::uint32_t v) {
    shape_.source.push_back(u);
    shape_.target.push_back(v);
    ends_.push_back(u);
    ends_.push_back(v);
  }

  GraphShape shape_;
  std::vector<std::uint32_t> ends_;     // of every edge: a vertex stands here as often as it has edges
  std::vector<std::uint32_t> targets_;  // of the new vertex
  std::uint64_t left_out_;              // draws still to be left out
};

std::uint64_t edges_of_growth(const ScaleFreeOptions& options) {
  const std::uint64_t core = options.edges_per_vertex;
  return core * (core - 1) / 2 + (options.vertices - core) * core;
}

}  // namespace

GraphShape scale_free_graph(const ScaleFreeOptions& options, random::Stream& choice) {
  // Bounds what a sample takes: time and memory grow with the edges, and beyond these nobody wants a sample.
  constexpr std::uint32_t most_edges_per_vertex = 1000, most_vertices = 50'000'000;
  if (options.edges_per_vertex < 1 || options.edges_per_vertex > most_edges_per_vertex)
    throw InvalidOption("edges-per-vertex", "must lie between 1 and 1,000");
  if (options.vertices <= options.edges_per_vertex || options.vertices > most_vertices)
    throw InvalidOption("vertices", "must be above `edges-per-vertex` and at most 50,000,000");
  const std::uint64_t all = edges_of_growth(options);
  if (options.edges > all) throw InvalidOption("edges", "is more than the growth gives");

  Growth growth(options, options.edges == 0 ? 0 : all - options.edges);
  for (std::uint32_t v = options.edges_per_vertex; v < options.vertices; ++v)
    growth.add_vertex(v, options.edges_per_vertex, choice);
  if (growth.left_out() > 0) throw InvalidOption("edges", "is fewer than the growth can leave out");
  return std::move(growth).finish();
}

std::vector<double> uniform_weights(const WeightGrid& grid, std::size_t count, random::Stream& choice) {
  if (!grid.is_finite()) throw InvalidOption("range", "must have both ends");
  std::vector<double> weights(count);
  for (double& weight : weights) weight = grid.value(static_cast<std::int64_t>(choice.below(grid.points())));
  return weights;
}

}  // namespace fogline::weights
