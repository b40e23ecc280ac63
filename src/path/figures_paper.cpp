// SPDX-License-Identifier: Apache-2.0
#include "path/figures_paper.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "path/experiment.hpp"
#include "path/figure_claims.hpp"

namespace fogline::path {
namespace {

using privacy::Epsilon;
using Decision = PublishedLayersOptions::Decision;

// The four pictures of Figure 7.
struct Noise {
  std::string part;
  PublishedOptions options;
};

std::vector<Noise> run_time_noises() {
  const PublishedLayersOptions layers{.decision = Decision::backtracking, .most_steps = 1'000'000};
  return {{"epsilon_v = 0.5", {.epsilon_vertices = Epsilon{1, 2}, .layers = layers}},
          {"epsilon_v = 1", {.epsilon_vertices = Epsilon{1, 1}, .layers = layers}},
          {"epsilon_e = 0.5", {.epsilon_edges = Epsilon{1, 2}, .layers = layers}},
          {"epsilon_e = 1", {.epsilon_edges = Epsilon{1, 1}, .layers = layers}}};
}

void add_run_time_views(Figure& figure, const std::vector<Noise>& noises) {
  for (const FigureAxis& y :
       {FigureAxis{"steps", "layers tried", true}, FigureAxis{"ms", "time [ms]", true}}) {
    for (const Noise& noise : noises) {
      figure.views.push_back({.title = fmt::format("{}, {}", noise.part, y.label),
                              .part = noise.part,
                              .x = {"roads", "roads"},
                              .y = y});
    }
  }
}

/// Mean over the sizes of one number of vertices, or over all.
double mean_in(const Figure& figure, const char* column, const std::string& part,
               std::uint32_t vertices = 0) {
  std::vector<double> values;
  for (std::uint32_t n = fewest_vertices; n <= most_vertices; ++n) {
    if (vertices != 0 && n != vertices) continue;
    const auto some = figure.values(series_of(n), column, part);
    values.insert(values.end(), some.begin(), some.end());
  }
  return mean_of(values);
}

void judge_run_time(Figure& figure, const std::vector<Noise>& noises) {
  FigureClaims claims;
  for (const Noise& noise : noises) {
    std::vector<double> by_vertices;
    for (std::uint32_t n = fewest_vertices; n <= most_vertices; ++n)
      by_vertices.push_back(mean_in(figure, "steps", noise.part, n));
    claims.ask(noise.part + ": more with more vertices", std::ranges::is_sorted(by_vertices));
    for (const char* column : {"steps", "ms"})
      figure.numbers.emplace_back(fmt::format("{}: mean {}", noise.part, column),
                                  mean_in(figure, column, noise.part));
  }
  for (const std::size_t i : {2U, 3U}) {
    for (std::uint32_t n = fewest_vertices; n <= most_vertices; ++n)
      claims.ask(fmt::format("{}, {}: less with more roads", noises[i].part, series_of(n)),
                 !rises(figure.values(series_of(n), "steps", noises[i].part)));
  }
  for (const std::size_t i : {0U, 2U})
    claims.ask(fmt::format("{} takes more than {}", noises[i].part, noises[i + 1].part),
               mean_in(figure, "steps", noises[i].part) > mean_in(figure, "steps", noises[i + 1].part));
  figure.result = "layers tried, mean over all sizes:";
  for (const Noise& noise : noises)
    figure.result += fmt::format(" {:.1f} ({})", mean_in(figure, "steps", noise.part), noise.part);
  claims.tell(figure);
}

}  // namespace

Figure run_time_figure(const FigureOptions& options) {
  const std::vector<MapSize> sizes = paper_sizes();
  const std::vector<Noise> noises = run_time_noises();
  const std::uint64_t runs = options.quick ? 1 : runs_of(options);
  Figure figure{.title = "Time of the paper's layered graph",
                .data = data_of("acyclic routes on the paper's 122 sizes of maps", runs),
                .claim =
                    "time increases significantly with the number of vertices; with noise on edges it "
                    "decreases with the "
                    "number of edges; epsilon 0.5 takes much longer than 1, on vertices and on edges",
                .columns = {"vertices", "roads", "steps", "ms", "gave_up"}};
  std::vector<PublishedRuns> cells(sizes.size() * noises.size());
  for_each_cell(cells.size(), options, [&](std::size_t i) {
    cells[i] =
        publish_runs(sizes[i % sizes.size()], noises[i / sizes.size()].options, runs, false, options.seconds);
  });
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const MapSize& size = sizes[i % sizes.size()];
    figure.rows.push_back({.part = noises[i / sizes.size()].part,
                           .series = series_of(size.vertices),
                           .values = {static_cast<double>(size.vertices), static_cast<double>(size.roads),
                                      cells[i].steps, cells[i].milliseconds,
                                      static_cast<double>(cells[i].gave_ups) / static_cast<double>(runs)}});
  }
  add_run_time_views(figure, noises);
  judge_run_time(figure, noises);
  return figure;
}

namespace {

/// Means over the runs of one size.
struct PlainCell {
  double usable = 0, orientable = 0, good = 0;
  std::uint64_t differ = 0;  ///< maps on which backtracking and orientation disagree
};

PlainCell plain_cell(const MapSize& size, std::uint64_t runs) {
  PlainCell cell;
  for (std::uint64_t run = 0; run < runs; ++run) {
    const PlainLayers plain = plain_layers(experiment_map(size, run));
    cell.usable += plain.usable ? 1 : 0;
    cell.orientable += plain.orientable ? 1 : 0;
    cell.good += plain.good;
    cell.differ += plain.usable != plain.orientable ? 1 : 0;
  }
  if (cell.usable > 0) cell.good /= cell.usable;
  cell.usable /= static_cast<double>(runs);
  cell.orientable /= static_cast<double>(runs);
  return cell;
}

std::vector<PlainCell> plain_cells(const std::vector<MapSize>& sizes, const FigureOptions& options) {
  std::vector<PlainCell> cells(sizes.size());
  for_each_cell(sizes.size(), options,
                [&](std::size_t i) { cells[i] = plain_cell(sizes[i], runs_of(options)); });
  return cells;
}

/// The sizes that the paper says are always usable: a few more roads than the route has, or all.
bool is_named_usable(const MapSize& size) {
  return size.roads <= size.vertices + 3 || size.roads == size.vertices * (size.vertices - 1) / 2;
}

void judge_plain_quality(Figure& figure, const std::vector<MapSize>& sizes,
                         const std::vector<PlainCell>& cells) {
  std::uint64_t differ = 0, under_half = 0, always = 0;
  bool named = true;
  double least_good = 1;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    differ += cells[i].differ;
    under_half += cells[i].usable < 0.5 ? 1U : 0U;
    always += cells[i].usable == 1 ? 1U : 0U;
    named = named && (cells[i].usable == 1) == is_named_usable(sizes[i]);
    if (cells[i].usable > 0) least_good = std::min(least_good, cells[i].good);
  }
  figure.numbers = {{"sizes usable less than half of the time", static_cast<double>(under_half)},
                    {"sizes always usable", static_cast<double>(always)},
                    {"maps on which backtracking and orientation differ", static_cast<double>(differ)},
                    {"least share of good outputs", least_good}};
  figure.result = fmt::format(
      "{} of 122 sizes are usable less than half of the time, {} always; backtracking and orientation are "
      "{}; good "
      "outputs are at least {:.3f}",
      under_half, always,
      differ == 0 ? "identical on every map" : fmt::format("different on {} maps", differ), least_good);
  FigureClaims claims;
  claims.ask("52 sizes are usable less than half of the time, within 3",
             under_half >= 49 && under_half <= 55);
  claims.ask("those always usable are the ones the paper names", named);
  claims.ask("good outputs are at least a half", least_good >= 0.5);
  for (std::uint32_t n = fewest_vertices; n <= most_vertices; ++n)
    claims.ask(series_of(n) + ": more roads give more good outputs",
               rises(figure.values(series_of(n), "good")));
  claims.ask("both ways agree", differ == 0);
  claims.tell(figure);
}

}  // namespace

Figure plain_quality_figure(const FigureOptions& options) {
  const std::vector<MapSize> sizes = paper_sizes();
  const std::vector<PlainCell> cells = plain_cells(sizes, options);
  Figure figure{
      .title = "Layered graphs without noise and without splits",
      .data = data_of("acyclic routes on the paper's 122 sizes of maps", runs_of(options)),
      .claim =
          "52 of 122 sizes are usable less than half of the time; always usable are complete maps and those "
          "with "
          "at most |V|+3 edges (30 sizes by the paper's count, though it names 36); the start is found at "
          "least "
          "half of the time, and the more often the more edges there are",
      .columns = {"vertices", "roads", "usable", "usable_by_orientation", "good", "usable_and_good"}};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    figure.rows.push_back(
        {.series = series_of(sizes[i].vertices),
         .values = {static_cast<double>(sizes[i].vertices), static_cast<double>(sizes[i].roads),
                    cells[i].usable, cells[i].orientable, cells[i].good, cells[i].usable * cells[i].good}});
  }
  const FigureAxis roads{"roads", "roads"};
  figure.views = {{.title = "a: usable maps", .x = roads, .y = {"usable", "share of maps"}},
                  {.title = "b: start found, of usable maps", .x = roads, .y = {"good", "share of outputs"}},
                  {.title = "c: both", .x = roads, .y = {"usable_and_good", "share of maps"}}};
  judge_plain_quality(figure, sizes, cells);
  return figure;
}

}  // namespace fogline::path
