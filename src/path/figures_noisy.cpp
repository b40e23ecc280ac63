// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "path/experiment.hpp"
#include "path/figure_claims.hpp"
#include "path/figures_paper.hpp"

namespace fogline::path {
namespace {

using privacy::Epsilon;

const std::array epsilons{Epsilon{1, 10}, Epsilon{1, 2}, Epsilon{1, 1},
                          Epsilon{2, 1},  Epsilon{5, 1}, Epsilon{10, 1}};

double value_of(const Epsilon& epsilon) {
  return epsilon.value().to_double();
}

/// One point of a curve: maps of one size, under one kind of noise.
struct Point {
  std::string part, series;
  double epsilon = 0;
  MapSize size = {};
  PublishedOptions options = {};
  bool cyclic = false;
};

/// Publishes at every point, and adds a row for each.
void add_points(Figure& figure, const std::vector<Point>& points, const FigureOptions& options) {
  std::vector<PublishedRuns> runs(points.size());
  for_each_cell(points.size(), options, [&](std::size_t i) {
    runs[i] = publish_runs(points[i].size, points[i].options, runs_of(options), points[i].cyclic, {});
  });
  for (std::size_t i = 0; i < points.size(); ++i)
    figure.rows.push_back({.part = points[i].part,
                           .series = points[i].series,
                           .values = {points[i].epsilon, runs[i].good, runs[i].pieces_per_stop}});
}

/// Of each number of vertices, the roads with which the fewest maps have a layered graph.
std::vector<MapSize> worst_sizes(const FigureOptions& options) {
  const std::vector<MapSize> sizes = paper_sizes();
  std::vector<std::uint64_t> usable(sizes.size(), 0);
  for_each_cell(sizes.size(), options, [&](std::size_t i) {
    for (std::uint64_t run = 0; run < runs_of(options); ++run)
      usable[i] += plain_layers(experiment_map(sizes[i], run)).orientable ? 1U : 0U;
  });
  std::map<std::uint32_t, std::size_t> worst;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto [found, is_new] = worst.try_emplace(sizes[i].vertices, i);
    if (!is_new && usable[i] < usable[found->second]) found->second = i;
  }
  std::vector<MapSize> result;
  for (const auto& [vertices, i] : worst) result.push_back(sizes[i]);
  return result;
}

constexpr const char* on_vertices = "noise on vertices";
constexpr const char* on_edges = "noise on edges";

std::vector<Point> acyclic_points(const std::vector<MapSize>& sizes) {
  std::vector<Point> points;
  for (const MapSize& size : sizes) {
    for (const Epsilon& epsilon : epsilons) {
      const std::string series = series_of(size.vertices);
      points.push_back({on_vertices, series, value_of(epsilon), size, {.epsilon_vertices = epsilon}});
      points.push_back({on_edges, series, value_of(epsilon), size, {.epsilon_edges = epsilon}});
    }
  }
  return points;
}

void judge_acyclic_quality(Figure& figure, const std::vector<MapSize>& sizes) {
  FigureClaims claims;
  std::map<std::string, std::vector<double>> of_part;
  for (const char* part : {on_vertices, on_edges}) {
    for (const MapSize& size : sizes) {
      const auto good = figure.values(series_of(size.vertices), "good", part);
      claims.ask(
          fmt::format("{}, {}: more good outputs with a larger epsilon", part, series_of(size.vertices)),
          rises(good));
      of_part[part].insert(of_part[part].end(), good.begin(), good.end());
    }
    figure.numbers.emplace_back(fmt::format("{}: mean share of good outputs", part), mean_of(of_part[part]));
  }
  claims.ask("noise on vertices costs more than noise on edges",
             mean_of(of_part[on_vertices]) < mean_of(of_part[on_edges]));
  figure.result = fmt::format("mean share of good outputs {:.3f} with noise on vertices, {:.3f} on edges",
                              mean_of(of_part[on_vertices]), mean_of(of_part[on_edges]));
  claims.tell(figure);
}

std::string words_of(const std::vector<MapSize>& sizes) {
  std::string words;
  for (const MapSize& size : sizes)
    words += fmt::format("{}{} vertices and {} roads", words.empty() ? "" : ", ", size.vertices, size.roads);
  return words;
}

std::string part_of(const Epsilon& epsilon_edges) {
  return fmt::format("epsilon_e = {}", value_of(epsilon_edges));
}

const std::array cyclic_epsilons{Epsilon{1, 2}, Epsilon{1, 1}, Epsilon{5, 1}};

void judge_cyclic_quality(Figure& figure) {
  FigureClaims claims;
  std::vector<double> acyclic, cyclic, by_edges;
  for (const Epsilon& edges : cyclic_epsilons) {
    const auto without = figure.values("acyclic", "good", part_of(edges)),
               with = figure.values("cyclic", "good", part_of(edges));
    for (std::size_t i = 0; i < with.size(); ++i)
      claims.ask(
          fmt::format("{}, epsilon_v = {}: acyclic routes are better", part_of(edges), value_of(epsilons[i])),
          without[i] > with[i]);
    claims.ask(part_of(edges) + ": acyclic routes gain from a larger epsilon_v", rises(without));
    claims.ask(part_of(edges) + ": cyclic routes gain from a larger epsilon_v", rises(with));
    acyclic.insert(acyclic.end(), without.begin(), without.end());
    cyclic.insert(cyclic.end(), with.begin(), with.end());
    by_edges.push_back(mean_of(without) + mean_of(with));
  }
  claims.ask("both gain from a larger epsilon_e", std::ranges::is_sorted(by_edges));
  figure.numbers = {{"acyclic: mean share of good outputs", mean_of(acyclic)},
                    {"cyclic: mean share of good outputs", mean_of(cyclic)}};
  figure.result = fmt::format("mean share of good outputs {:.3f} on acyclic routes, {:.3f} on cyclic ones",
                              mean_of(acyclic), mean_of(cyclic));
  claims.tell(figure);
}

}  // namespace

Figure acyclic_quality_figure(const FigureOptions& options) {
  const std::vector<MapSize> sizes = worst_sizes(options);
  Figure figure{
      .title = "How often the start of an acyclic route is found",
      .data = data_of("maps that have a layered graph least often: " + words_of(sizes), runs_of(options)),
      .claim =
          "good outputs increase with epsilon_v and with epsilon_e; noise on vertices costs "
          "significantly more of them than noise on edges",
      .columns = {"epsilon", "good", "pieces_per_stop"}};
  add_points(figure, acyclic_points(sizes), options);
  for (const char* part : {on_vertices, on_edges})
    figure.views.push_back({.title = part,
                            .part = part,
                            .x = {"epsilon", "epsilon", true},
                            .y = {"good", "share of good outputs"}});
  judge_acyclic_quality(figure, sizes);
  return figure;
}

Figure cyclic_quality_figure(const FigureOptions& options) {
  constexpr MapSize size{6, 10};
  Figure figure{
      .title = "How often the start of a cyclic route is found",
      .data = data_of("maps of 6 vertices and 10 roads", runs_of(options)),
      .claim =
          "acyclic routes have more good outputs than cyclic ones; both gain from a larger epsilon_v and "
          "from a larger epsilon_e",
      .columns = {"epsilon_v", "good", "pieces_per_stop"}};
  std::vector<Point> points;
  for (const Epsilon& edges : cyclic_epsilons) {
    for (const Epsilon& vertices : epsilons) {
      const PublishedOptions noise{.epsilon_vertices = vertices, .epsilon_edges = edges};
      points.push_back({part_of(edges), "acyclic", value_of(vertices), size, noise});
      points.push_back({part_of(edges), "cyclic", value_of(vertices), size, noise, true});
    }
    figure.views.push_back({.title = part_of(edges),
                            .part = part_of(edges),
                            .x = {"epsilon_v", "epsilon_v", true},
                            .y = {"good", "share of good outputs"}});
  }
  add_points(figure, points, options);
  judge_cyclic_quality(figure);
  return figure;
}

}  // namespace fogline::path
