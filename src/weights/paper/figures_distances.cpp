// SPDX-License-Identifier: Apache-2.0
#include "weights/paper/figures_distances.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "io/graph_file.hpp"
#include "weights/distances/distance_plan.hpp"
#include "weights/graph/matched_files.hpp"

namespace fogline::weights {
namespace {

using Weights = std::vector<std::int64_t>;

/// A graph, and how much noise its weights get.
struct Subject {
  std::string part = {};
  GraphShape shape = {};
  privacy::Epsilon epsilon{1, 1};
  std::string range = "100:600";
  Weights weights = {};  // empty: drawn evenly from the range
};

void join(GraphShape& shape, std::uint32_t a, std::uint32_t b) {
  shape.source.push_back(a);
  shape.target.push_back(b);
}

/// `rows` x `columns` vertices, each joined to the next of its row and of its column.
GraphShape lattice(std::uint32_t rows, std::uint32_t columns) {
  GraphShape shape{.vertices = rows * columns};
  for (std::uint32_t c = 0; c < columns; ++c) {
    for (std::uint32_t r = 0; r < rows; ++r) {
      if (r + 1 < rows) join(shape, c * rows + r, c * rows + r + 1);
      if (c + 1 < columns) join(shape, c * rows + r, (c + 1) * rows + r);
    }
  }
  return shape;
}

/// Each new vertex hangs on one of the twenty before it: long and branched, as rivers and power lines are.
GraphShape branched_tree(std::uint32_t vertices) {
  GraphShape shape{.vertices = vertices};
  random::Stream chance = random::SeededKey(1).stream("tree");
  for (std::uint32_t v = 1; v < vertices; ++v)
    join(shape, v - 1 - static_cast<std::uint32_t>(chance.below(std::min<std::uint32_t>(v, 20))), v);
  return shape;
}

Subject roads(const FigureOptions& options) {
  if (options.data.empty()) return {.part = "roads", .shape = lattice(30, options.quick ? 10 : 30)};
  const auto file = std::filesystem::path(options.data) / "graphs" / "ChicagoSketch_flow.tntp";
  const io::GraphTable table = io::read_graph(file.string(), {.repeats = io::RepeatedEdge::drop});
  Subject subject{.part = "roads", .shape = shape_of(table), .range = "0:30000"};
  for (const double volume : table.weight)
    subject.weights.push_back(std::clamp<std::int64_t>(std::llround(volume), 0, 30'000));
  return subject;
}

std::vector<Subject> subjects(const FigureOptions& options) {
  const std::uint32_t length = options.quick ? 400 : 4000;
  return {{.part = "path", .shape = lattice(1, length)},
          {.part = "tree", .shape = branched_tree(length)},
          {.part = "corridor", .shape = lattice(2, length / 2)},
          {.part = "corridor, much noise", .shape = lattice(2, length / 2), .epsilon = {1, 100}},
          roads(options)};
}

std::vector<std::string_view> methods_for(const Topology& graph) {
  if (graph.is_forest()) return {"noise", "edges", "tree"};
  return {"noise", "edges", "separators"};
}

/// Drawn as a plan invents weights, but others: a method is not judged by the weights that its settings were chosen on.
Weights unseen_weights(const DistanceSettings& settings, std::size_t edges) {
  const WholeWeights& range = settings.weights;
  const auto points = static_cast<std::uint64_t>((range.highest.value() - range.lowest) / range.step) + 1;
  random::Stream chance = random::SeededKey(20).stream("figure weights");
  Weights weights(edges);
  for (std::int64_t& weight : weights)
    weight = range.of_point(static_cast<std::int64_t>(chance.below(points)));
  return weights;
}

void add_rows(const Subject& subject, const FigureOptions& options, Figure& figure) {
  const Topology graph(subject.shape);
  const DistanceSettings settings{.epsilon = subject.epsilon,
                                  .weights = WholeWeights(WeightGrid::parse(subject.range, "1"))};
  const Weights weights =
      subject.weights.empty() ? unseen_weights(settings, graph.edge_count()) : subject.weights;
  for (const std::string_view method : methods_for(graph)) {
    const DistancePlan plan = plan_distances(graph, settings, method, {.threads = options.threads});
    const DistanceErrors found =
        distance_errors(*plan.mechanism, weights, random::SeededKey(21),
                        {.runs = options.quick ? 4U : 20U, .sources = 32, .threads = options.threads});
    const std::string series(method);
    for (const auto& at : found.classes) {
      figure.rows.push_back({.part = subject.part,
                             .series = series,
                             .values = {static_cast<double>(at.most_hops), at.error, at.bias}});
    }
    figure.numbers.emplace_back(fmt::format("{}: mean error by {}", subject.part, series), found.error);
  }
}

double last(const std::vector<double>& values) {
  return values.empty() ? 0 : values.back();
}

/// How many times smaller the error over the farthest pairs is by the method than by noise on edges.
double gain(const Figure& figure, std::string_view method, std::string_view part) {
  return last(figure.values("noise", "error", part)) / last(figure.values(method, "error", part));
}

}  // namespace

Figure distances_figure(const FigureOptions& options) {
  Figure figure{
      .name = "weights-distances",
      .title = "Error of released distances by hops",
      .claim =
          "Sealfon (2016) shows for trees that distances can be released with an error that grows with a "
          "power of the logarithm of their size, where noise on every edge gives one that grows with the "
          "root of the hops; ours: the same idea with block sums and, for corridors, with regions.",
      .columns = {"hops", "error", "bias"}};
  figure.data = fmt::format(
      "generated paths, trees and corridors, weights 100 to 600, epsilon 1 (much noise: 0.01) for one unit "
      "on one edge; "
      "roads: {}",
      options.data.empty() ? "a lattice, in the place of Chicago" : "Chicago, vehicles on each link");
  const std::vector<Subject> all = subjects(options);
  ProgressMeter meter(options.progress, "distances", all.size());
  for (const Subject& subject : all) {
    add_rows(subject, options, figure);
    figure.views.push_back({.title = subject.part,
                            .part = subject.part,
                            .x = {"hops", "hops, up to", true},
                            .y = {"error", "mean absolute error", true}});
    meter.advance();
  }
  meter.finish();
  const double path = gain(figure, "tree", "path"), corridor = gain(figure, "separators", "corridor"),
               noisy = gain(figure, "separators", "corridor, much noise"),
               searched = gain(figure, "edges", "corridor, much noise"),
               town = gain(figure, "separators", "roads");
  figure.result = fmt::format(
      "over the farthest pairs the error of a search in noisy weights is {:.1f} times that of the tree's on "
      "a "
      "path, {:.1f} times that of the separators' on a corridor and {:.1f} times with much noise, where it "
      "is "
      "{:.1f} times that of the search in posterior draws, and {:.1f} times that of the separators' on "
      "roads, "
      "where a search is the better choice",
      path, corridor, noisy, searched, town);
  figure.confirmed = path > 1.5 && noisy > 1.5 && searched > 1.5;
  return figure;
}

}  // namespace fogline::weights
