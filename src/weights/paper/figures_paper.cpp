// SPDX-License-Identifier: Apache-2.0
#include "weights/paper/figures_paper.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "weights/graph/matched_files.hpp"
#include "weights/graph/sample_graph.hpp"
#include "weights/mechanisms/blocks.hpp"

namespace fogline::weights {
namespace {

constexpr auto as_published = "as published";
constexpr auto in_range = "kept in the range";

std::vector<privacy::Epsilon> epsilons(const FigureOptions& options) {
  std::vector<privacy::Epsilon> all;
  for (const std::uint64_t epsilon : options.quick
                                         ? std::vector<std::uint64_t>{1, 10, 50}
                                         : std::vector<std::uint64_t>{1, 2, 5, 10, 15, 20, 30, 40, 50})
    all.push_back({epsilon, 1});
  return all;
}

/// The paper's, with the range of the grid.
ReleaseForm published_form(std::string series, WeightsStrategy strategy, int k, const WeightGrid& grid,
                           const MakeWhole& whole) {
  nlohmann::ordered_json fields{
      {"mechanism", to_string(strategy)}, {"published", true}, {"range", grid.range_text()}};
  if (strategy == WeightsStrategy::mb || strategy == WeightsStrategy::mb_ci) fields["k"] = k;
  return released_form(std::move(series), fields, whole);
}

/// PaperLines of a figure: the paper's, the same kept in the range, and ours.
struct PaperLines {
  std::vector<ReleaseForm> published, in_range, ours;

  std::vector<ReleaseForm> all() const {
    std::vector<ReleaseForm> forms;
    for (const auto* some : {&published, &in_range, &ours})
      forms.insert(forms.end(), some->begin(), some->end());
    return forms;
  }
};

std::vector<ReleaseForm> our_lines(const WeightGrid& grid, const MakeWhole& whole) {
  std::vector<ReleaseForm> forms;
  for (const char* name : {"blocks", "staircase", "geometric"})
    forms.push_back(released_form(
        name, {{"mechanism", name}, {"range", grid.range_text()}, {"estimate", "plain"}}, whole));
  forms.push_back(constant_form());
  return forms;
}

PaperLines lines_by_k(const WeightGrid& grid, const MakeWhole& whole) {
  PaperLines lines{
      .published = {published_form("Lap", WeightsStrategy::lap, 1, grid, whole)},
      .in_range = {clamped_form("Lap clamped", {.strategy = WeightsStrategy::lap}, grid),
                   clamped_form("MB k=5 clamped", {.strategy = WeightsStrategy::mb, .k = 5}, grid)},
      .ours = our_lines(grid, whole)};
  for (const int k : {1, 5, 10})
    lines.published.push_back(published_form(fmt::format("MB k={}", k), WeightsStrategy::mb, k, grid, whole));
  return lines;
}

PaperLines lines_by_strategy(const WeightGrid& grid, const MakeWhole& whole) {
  return {.published = {published_form("Lap", WeightsStrategy::lap, 5, grid, whole),
                        published_form("Lap-CI", WeightsStrategy::lap_ci, 5, grid, whole),
                        published_form("MB", WeightsStrategy::mb, 5, grid, whole),
                        published_form("MB-CI", WeightsStrategy::mb_ci, 5, grid, whole)},
          .in_range = {clamped_form("Lap clamped", {.strategy = WeightsStrategy::lap, .k = 5}, grid),
                       clamped_form("MB-CI clamped", {.strategy = WeightsStrategy::mb_ci, .k = 5}, grid)},
          .ours = our_lines(grid, whole)};
}

enum class Measure { ware, ksp, lare };

double value_of(const SweepPoint& point, Measure measure) {
  return measure == Measure::ware ? point.ware : measure == Measure::ksp ? point.ksp : point.lare;
}

std::string label_of(Measure measure) {
  switch (measure) {
    case Measure::ware:
      return "WARE: mean error of a weight";
    case Measure::ksp:
      return "KSP: share of shortest paths kept";
    case Measure::lare:
      return "LARE: mean error in length of kept paths";
  }
  return {};
}

std::string column_of(Measure measure) {
  return measure == Measure::ware ? "ware" : measure == Measure::ksp ? "ksp" : "lare";
}

bool is_among(const std::vector<ReleaseForm>& forms, const std::string& series) {
  return std::any_of(forms.begin(), forms.end(),
                     [&](const ReleaseForm& one) { return one.series == series; });
}

/// Our lines stand in both pictures, but for noise that only the second has room for.
void add_rows(Figure& figure, const std::vector<SweepPoint>& points, const PaperLines& lines,
              Measure measure) {
  const auto add = [&](const char* part, const SweepPoint& point) {
    figure.rows.push_back(
        {.part = part, .series = point.series, .values = {point.epsilon, value_of(point, measure)}});
  };
  for (const SweepPoint& point : points) {
    const bool is_noise = point.series == "staircase" || point.series == "geometric";
    if (!is_among(lines.in_range, point.series) && !is_noise) add(as_published, point);
  }
  for (const SweepPoint& point : points)
    if (!is_among(lines.published, point.series)) add(in_range, point);
}

Figure swept(DataSet data, Measure measure, const PaperLines& lines, const FigureOptions& options) {
  const FigureGraph graph = paper_graph(data, options);
  const bool paths = measure != Measure::ware;
  SweepOptions sweeping{.epsilons = epsilons(options),
                        .runs = options.quick ? 2U : 10U,
                        .task = "releases",
                        .threads = options.threads,
                        .progress = options.progress};
  // All pairs of the first graph, a sample of 250 sources of the larger ones.
  if (paths) sweeping.sources = options.quick ? 20U : data == DataSet::ba1 ? 0U : 250U;
  Figure figure{.data = graph.name, .columns = {"epsilon", column_of(measure)}};
  const FigureAxis x{"epsilon", "epsilon", true, false};
  const FigureAxis y{column_of(measure), label_of(measure), measure != Measure::ksp, measure == Measure::ksp};
  figure.views = {{.title = as_published, .part = as_published, .x = x, .y = y},
                  {.title = in_range, .part = in_range, .x = x, .y = y}};
  if (sweeping.sources && *sweeping.sources > 0)
    figure.data += fmt::format("; paths from {} vertices", *sweeping.sources);
  figure.data += fmt::format("; mean of {} releases", sweeping.runs);
  add_rows(figure, sweep(graph, lines.all(), sweeping), lines, measure);
  return figure;
}

/// At how many epsilons the first line is below the second, or not above by more than one part in a thousand.
struct Compared {
  std::size_t below = 0, of = 0;
  bool always() const { return below == of; }
};

Compared below(const Figure& figure, const std::string& low, const std::string& high,
               const char* part = as_published) {
  const std::string& column = figure.columns[1];
  const auto a = figure.values(low, column, part), b = figure.values(high, column, part);
  Compared result{.below = 0, .of = a.size()};
  for (std::size_t i = 0; i < a.size(); ++i) result.below += a[i] <= b[i] * 1.001 ? 1U : 0U;
  return result;
}

std::string of(const Compared& compared) {
  return fmt::format("{} of {}", compared.below, compared.of);
}

bool is_monotone(const std::vector<double>& values, bool rises) {
  const double slack = 0.01;  // a run is a run
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double before = rises ? values[i - 1] : values[i], after = rises ? values[i] : values[i - 1];
    if (after < before * (1 - slack)) return false;
  }
  return true;
}

void add_numbers(Figure& figure, std::initializer_list<const char*> series, const char* part) {
  const auto at = figure.values("blocks", "epsilon", part);
  for (const char* name : series) {
    const auto values = figure.values(name, figure.columns[1], part);
    for (std::size_t i = 0; i < values.size(); ++i)
      figure.numbers.emplace_back(fmt::format("{} at epsilon {}", name, at[i]), values[i]);
  }
}

/// Epsilons at which a line errs less than any release with the claimed promise can, on weights drawn evenly.
std::size_t below_floor(const Figure& figure, const std::string& series, const WeightGrid& grid) {
  const auto at = figure.values(series, "epsilon", in_range), error = figure.values(series, "ware", in_range);
  std::size_t count = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const Blocks best({.grid = grid, .epsilon = {static_cast<std::uint64_t>(at[i]), 1}});
    // Ten releases of thousands of edges lie within a few per cent of the floor.
    count += error[i] < 0.9 * best.predict({}).floor.value() ? 1U : 0U;
  }
  return count;
}

std::string floor_words(const Figure& figure, const std::string& series, const WeightGrid& grid) {
  const std::size_t below = below_floor(figure, series, grid);
  return fmt::format("{} errs less than any release of its claimed promise can at {} of {} epsilons{}",
                     series, below, figure.values(series, "epsilon", in_range).size(),
                     below > 0 ? ": it leaks" : "");
}

double first(const Figure& figure, const std::string& series, const char* part) {
  return figure.values(series, figure.columns[1], part).front();
}

std::string name_of(DataSet data) {
  return data == DataSet::ba1 ? "BA1" : data == DataSet::ba2 ? "BA2" : "CA-GrQc";
}

GraphShape scale_free(ScaleFreeOptions wanted, const FigureOptions& options, random::Stream& choice) {
  if (options.quick) wanted = {.vertices = 120, .edges_per_vertex = wanted.edges_per_vertex};
  return scale_free_graph(wanted, choice);
}

}  // namespace

WeightGrid paper_grid(DataSet data) {
  return WeightGrid::parse(data == DataSet::ba1 ? "100:600" : "100:800", "1");
}

FigureGraph paper_graph(DataSet data, const FigureOptions& options) {
  random::Stream choice = random::SeededKey(1).stream(data == DataSet::ba2 ? "BA2" : "BA1");
  FigureGraph graph;
  std::string name = name_of(data);
  if (data != DataSet::ca_grqc) {
    graph.shape = scale_free(data == DataSet::ba1 ? ba1 : ba2, options, choice);
  } else if (options.data.empty()) {
    graph.shape = scale_free({.vertices = 5242, .edges_per_vertex = 3}, options, choice);
    name = "a generated graph in the place of CA-GrQc";
  } else {
    const std::string file = (std::filesystem::path(options.data) / "graphs" / "CA-GrQc.txt").string();
    graph.shape = shape_of(io::read_graph(file, {.repeats = io::RepeatedEdge::drop}));
  }
  const WeightGrid grid = paper_grid(data);
  graph.weights = uniform_weights(grid, graph.shape.edges(), choice);
  graph.name = fmt::format("{}: {} vertices, {} edges, whole weights drawn evenly from {}", name,
                           graph.shape.vertices, graph.shape.edges(), grid.range_text());
  return graph;
}

Figure data_sets_table(const FigureOptions& options) {
  Figure figure{
      .title = "Data sets",
      .claim = "BA1 has 1,000 vertices and 4,967 edges, BA2 2,000 and 9,966, CA-GrQc 5,242 and 14,490",
      .columns = {"vertices", "edges", "lowest_weight", "highest_weight"},
      .views = {{.x = {"vertices", "vertices", true}, .y = {"edges", "edges", true}}}};
  constexpr std::pair<DataSet, std::pair<double, double>> paper[] = {
      {DataSet::ba1, {1000, 4967}}, {DataSet::ba2, {2000, 9966}}, {DataSet::ca_grqc, {5242, 14490}}};
  std::size_t same = 0;
  for (const auto& [data, counts] : paper) {
    const FigureGraph graph = paper_graph(data, options);
    const auto [low, high] = std::minmax_element(graph.weights.begin(), graph.weights.end());
    figure.rows.push_back({.series = name_of(data),
                           .values = {static_cast<double>(graph.shape.vertices),
                                      static_cast<double>(graph.shape.edges()), *low, *high}});
    same += figure.rows.back().values[0] == counts.first && figure.rows.back().values[1] == counts.second
                ? 1U
                : 0U;
    figure.data += (figure.data.empty() ? "" : "; ") + graph.name;
  }
  figure.numbers = {{"data_sets_with_the_papers_counts", static_cast<double>(same)}};
  figure.confirmed = same == std::size(paper);
  figure.result = fmt::format(
      "{} of 3 have the paper's counts; the published file of CA-GrQc has 14,484 edges without self-loops "
      "and repeated ones, 6 fewer than the paper says",
      same);
  return figure;
}

Figure merging_figure(DataSet data, const FigureOptions& options) {
  const WeightGrid grid = paper_grid(data);
  Figure figure = swept(data, Measure::ware, lines_by_k(grid, options.whole), options);
  figure.title = "Error of the weights, MB under k";
  figure.claim =
      "the error falls as epsilon grows; it is largest for Lap, least for MB with k = 1, and between them "
      "for k = 5 and 10";
  const Compared lap5 = below(figure, "MB k=5", "Lap"), lap10 = below(figure, "MB k=10", "Lap"),
                 one5 = below(figure, "MB k=1", "MB k=5"), one10 = below(figure, "MB k=1", "MB k=10");
  figure.confirmed = lap5.always() && lap10.always() && one5.always() && one10.always();
  add_numbers(figure, {"Lap", "MB k=1", "MB k=5", "MB k=10", "blocks", "best constant"}, as_published);
  add_numbers(figure, {"Lap clamped", "MB k=5 clamped", "staircase", "geometric"}, in_range);
  figure.result = fmt::format(
      "MB with k = 5 errs less than Lap at {} epsilons, with k = 10 at {}; k = 1 errs least against k = 5 at "
      "{}, against k = 10 at {}. Up to large epsilon the error is "
      "mostly line 11, which moves all weights by the least noise of all: Lap has {:.0f} at epsilon 1, and "
      "{:.0f} if clamped to the range "
      "instead, where the best constant has {:.1f} and blocks, which keep their promise, {:.1f}. {}",
      of(lap5), of(lap10), of(one5), of(one10), first(figure, "Lap", as_published),
      first(figure, "Lap clamped", in_range), first(figure, "best constant", in_range),
      first(figure, "blocks", in_range), floor_words(figure, "MB k=5 clamped", grid));
  return figure;
}

Figure consistency_figure(DataSet data, const FigureOptions& options) {
  const WeightGrid grid = paper_grid(data);
  Figure figure = swept(data, Measure::ware, lines_by_strategy(grid, options.whole), options);
  figure.title = "Error of the weights, k = 5";
  figure.claim = data == DataSet::ca_grqc ? "Lap-CI effectively reduces the error of Lap; MB-CI adds some "
                                            "error compared with MB in this data set"
                                          : "Lap-CI effectively reduces the error of Lap";
  const Compared lap = below(figure, "Lap-CI", "Lap"), mb = below(figure, "MB-CI", "MB");
  figure.confirmed = lap.always() && (data != DataSet::ca_grqc || !mb.always());
  add_numbers(figure, {"Lap", "Lap-CI", "MB", "MB-CI", "blocks", "best constant"}, as_published);
  add_numbers(figure, {"Lap clamped", "MB-CI clamped", "staircase", "geometric"}, in_range);
  figure.result = fmt::format(
      "Lap-CI errs less than Lap at {} epsilons, MB-CI less than MB at {}. At epsilon 1 MB-CI has {:.0f} as "
      "published and {:.1f} clamped; blocks have {:.1f}. {}",
      of(lap), of(mb), first(figure, "MB-CI", as_published), first(figure, "MB-CI clamped", in_range),
      first(figure, "blocks", in_range), floor_words(figure, "MB-CI clamped", grid));
  return figure;
}

Figure kept_paths_figure(DataSet data, const FigureOptions& options) {
  Figure figure = swept(data, Measure::ksp, lines_by_strategy(paper_grid(data), options.whole), options);
  figure.title = "Shortest paths kept";
  figure.claim =
      "more paths are kept as epsilon grows; MB keeps more than Lap, and about 90 % above epsilon 20; MB-CI "
      "a little more than MB; Lap-CI much more than Lap above epsilon 20";
  const auto at = figure.values("MB", "epsilon", as_published), mb = figure.values("MB", "ksp", as_published),
             lap = figure.values("Lap", "ksp", as_published),
             lap_ci = figure.values("Lap-CI", "ksp", as_published);
  bool about_90 = true, much_more = true, rises = true;
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (at[i] <= 20) continue;
    about_90 = about_90 && mb[i] >= 0.85;
    much_more = much_more && lap_ci[i] >= lap[i] + 0.05;
  }
  for (const char* series : {"Lap", "Lap-CI", "MB", "MB-CI"})
    rises = rises && is_monotone(figure.values(series, "ksp", as_published), true);
  const Compared more = below(figure, "Lap", "MB"), ci = below(figure, "MB", "MB-CI");
  figure.confirmed = about_90 && much_more && rises && more.always() && ci.always();
  add_numbers(figure, {"Lap", "Lap-CI", "MB", "MB-CI", "blocks", "best constant"}, as_published);
  add_numbers(figure, {"Lap clamped", "MB-CI clamped", "staircase", "geometric"}, in_range);
  figure.result = fmt::format(
      "MB keeps more than Lap at {} epsilons, MB-CI more than MB at {}; above epsilon 20 MB keeps {}85 % "
      "everywhere, and Lap-CI {} 5 points more than Lap. With the largest epsilon Lap keeps {:.3f}, "
      "Lap-CI {:.3f}, MB {:.3f}, MB-CI {:.3f} and blocks {:.3f}; at epsilon 10 and below, see the numbers: "
      "blocks keep {:.3f} at epsilon 1",
      of(more), of(ci), about_90 ? "over " : "not ", much_more ? "always" : "not always", lap.back(),
      lap_ci.back(), mb.back(), figure.values("MB-CI", "ksp", as_published).back(),
      figure.values("blocks", "ksp", as_published).back(), first(figure, "blocks", in_range), lap.front());
  return figure;
}

Figure path_error_figure(DataSet data, const FigureOptions& options) {
  Figure figure = swept(data, Measure::lare, lines_by_strategy(paper_grid(data), options.whole), options);
  figure.title = "Error in length of the paths that are kept";
  figure.claim = "the error falls as epsilon grows, and consistency reduces it";
  bool falls = true;
  for (const char* series : {"Lap", "Lap-CI", "MB", "MB-CI"})
    falls = falls && is_monotone(figure.values(series, "lare", as_published), false);
  const Compared lap = below(figure, "Lap-CI", "Lap"), mb = below(figure, "MB-CI", "MB");
  figure.confirmed = falls && lap.always() && mb.always();
  add_numbers(figure, {"Lap", "Lap-CI", "MB", "MB-CI", "blocks", "best constant"}, as_published);
  add_numbers(figure, {"Lap clamped", "MB-CI clamped", "staircase", "geometric"}, in_range);
  figure.result = fmt::format(
      "the error of the four {} as epsilon grows; Lap-CI has less than Lap at {} epsilons, MB-CI less than "
      "MB at {}. At epsilon 1 Lap has {:.0f}, MB-CI {:.0f} and blocks {:.0f}",
      falls ? "falls" : "does not always fall", of(lap), of(mb), first(figure, "Lap", as_published),
      first(figure, "MB-CI", as_published), first(figure, "blocks", in_range));
  return figure;
}

}  // namespace fogline::weights
