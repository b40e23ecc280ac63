// SPDX-License-Identifier: Apache-2.0
#include "weights/paper/figures_real.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "weights/graph/matched_files.hpp"
#include "weights/graph/sample_graph.hpp"
#include "weights/paper/figure_sweep.hpp"

namespace fogline::weights {
namespace {

/// What is public about one of the graphs, and what to show of it.
struct RealGraph {
  std::string name, file;
  std::string unit;               ///< in words
  nlohmann::ordered_json fields;  // of a release
  std::vector<privacy::Epsilon> epsilons;
  bool directed = false;
  std::uint64_t sources = 0;
};

struct Loaded {
  io::GraphTable table;
  FigureGraph graph;
};

/// Weights that are mostly small: the least of four even draws.
std::vector<double> skewed_weights(std::size_t count, random::Stream& choice) {
  std::vector<double> weights(count);
  for (double& weight : weights) {
    std::uint64_t least = 39;
    for (int i = 0; i < 4; ++i) least = std::min(least, choice.below(40));
    weight = static_cast<double>(1 + least);
  }
  return weights;
}

io::GraphTable generated(const RealGraph& wanted, const FigureOptions& options) {
  random::Stream choice = random::SeededKey(1).stream("stand-in");
  const GraphShape shape = scale_free_graph({.vertices = options.quick ? 60U : 500U}, choice);
  io::GraphTable table;
  table.directed = wanted.directed;
  for (std::uint32_t v = 0; v < shape.vertices; ++v) table.vertices.intern(fmt::format("{}", v));
  table.source = shape.source;
  table.target = shape.target;
  table.weight = skewed_weights(shape.edges(), choice);
  return table;
}

Loaded load(const RealGraph& wanted, const FigureOptions& options) {
  Loaded loaded;
  std::string name = "a generated graph in the place of " + wanted.name;
  if (options.data.empty()) {
    loaded.table = generated(wanted, options);
  } else {
    const std::string file = (std::filesystem::path(options.data) / "graphs" / wanted.file).string();
    loaded.table = io::read_graph(file, {.repeats = io::RepeatedEdge::refuse});
    name = wanted.name;
  }
  loaded.graph = {.name = fmt::format("{}: {} vertices, {} edges", name, loaded.table.vertex_count(),
                                      loaded.table.edge_count()),
                  .shape = shape_of(loaded.table),
                  .weights = loaded.table.weight,
                  .directed = loaded.table.directed};
  return loaded;
}

ReleaseForm with(std::string series, nlohmann::ordered_json fields, const nlohmann::ordered_json& more,
                 const MakeWhole& whole) {
  fields.update(more);
  return released_form(std::move(series), fields, whole);
}

/// Noise for a change or a trip, as it is and improved by what all drawn numbers tell.
std::vector<ReleaseForm> noise_forms(const nlohmann::ordered_json& fields, const MakeWhole& whole) {
  const auto by = [&](const char* mechanism, const char* estimate) {
    return nlohmann::ordered_json{{"mechanism", mechanism}, {"estimate", estimate}};
  };
  std::vector<ReleaseForm> forms{
      with("geometric", fields, by("geometric", "plain"), whole),
      with("geometric, posterior median", fields, by("geometric", "median"), whole),
      with("geometric, posterior mean", fields, by("geometric", "mean"), whole), constant_form()};
  if (fields["unit"] == "change" && fields["most"] != 1)
    forms.push_back(with("staircase", fields, by("staircase", "plain"), whole));
  return forms;
}

/// A whole weight: the optimal table under a flat and under a paid prior, beside the paper's sound form.
std::vector<ReleaseForm> whole_weight_forms(const WeightGrid& grid, const MakeWhole& whole) {
  const nlohmann::ordered_json blocks{{"mechanism", "blocks"}, {"range", grid.range_text()}};
  return {clamped_form("Lap clamped", {}, grid),
          with("blocks, flat prior", blocks, {{"estimate", "plain"}}, whole),
          with("blocks, noisy prior", blocks, {{"prior", "noisy"}, {"estimate", "plain"}}, whole),
          with("blocks, noisy prior, posterior median", blocks, {{"prior", "noisy"}, {"estimate", "median"}},
               whole),
          constant_form()};
}

void add_part(Figure& figure, const std::string& part, const FigureGraph& graph,
              const std::vector<ReleaseForm>& forms, const RealGraph& wanted, const FigureOptions& options) {
  const std::uint64_t sources = options.quick ? std::min<std::uint64_t>(20, graph.shape.vertices)
                                              : std::min<std::uint64_t>(wanted.sources, graph.shape.vertices);
  const auto points = sweep(graph, forms,
                            {.epsilons = wanted.epsilons,
                             .runs = options.quick ? 1U : 5U,
                             .sources = sources,
                             .task = "releases",
                             .threads = options.threads,
                             .progress = options.progress});
  for (const SweepPoint& point : points)
    figure.rows.push_back(
        {.part = part, .series = point.series, .values = {point.epsilon, point.ware, point.ksp}});
  const FigureAxis x{"epsilon", "epsilon", true};
  figure.views.push_back(
      {.title = part + ": error", .part = part, .x = x, .y = {"ware", "mean error of a weight", true}});
  figure.views.push_back({.title = part + ": paths",
                          .part = part,
                          .x = x,
                          .y = {"ksp", "share of shortest paths kept", false, true}});
}

Figure begun(const RealGraph& wanted, const FigureGraph& graph, const FigureOptions& options) {
  return {.title = fmt::format("Weights of {}", wanted.name),
          .data = fmt::format("{}; mean of {} releases", graph.name, options.quick ? 1 : 5),
          .claim =
              "the paper has no graph with weights of its own. Ours: what is learned from the drawn numbers "
              "errs less than the numbers themselves, and no more than the best "
              "constant",
          .columns = {"epsilon", "ware", "ksp"}};
}

/// Is the estimate at least as good as the noise and as the constant, everywhere? Within five per cent.
void judge(Figure& figure, const std::string& part, const std::string& estimate, const std::string& plain) {
  const auto at = figure.values(estimate, "epsilon", part), ours = figure.values(estimate, "ware", part),
             noise = figure.values(plain, "ware", part),
             constant = figure.values("best constant", "ware", part);
  std::size_t below_noise = 0, below_constant = 0;
  std::string errors;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    below_noise += ours[i] <= noise[i] * 1.05 ? 1U : 0U;
    below_constant += ours[i] <= constant[i] * 1.05 ? 1U : 0U;
    errors += fmt::format("{}{:.4g}", i == 0 ? "" : " / ", ours[i]);
    figure.numbers.emplace_back(fmt::format("{}: {} at epsilon {}", part, estimate, at[i]), ours[i]);
  }
  figure.confirmed = below_noise == ours.size() && below_constant == ours.size();
  figure.result += fmt::format(
      "{}{}: {} errs by {} at the epsilons shown, within 5 % no more than {} at {} of {} and no more than "
      "the best "
      "constant ({:.4g}) at {}",
      figure.result.empty() ? "" : ". ", part, estimate, errors, plain, below_noise, ours.size(),
      constant.front(), below_constant);
}

Figure noise_figure(const RealGraph& wanted, const FigureOptions& options) {
  const Loaded loaded = load(wanted, options);
  Figure figure = begun(wanted, loaded.graph, options);
  add_part(figure, wanted.unit, loaded.graph, noise_forms(wanted.fields, options.whole), wanted, options);
  judge(figure, wanted.unit, "geometric, posterior median", "geometric");
  return figure;
}

std::vector<privacy::Epsilon> small_epsilons(const FigureOptions& options) {
  if (options.quick) return {{1, 10}, {1, 1}};
  return {{1, 20}, {1, 10}, {1, 5}, {1, 2}, {1, 1}, {2, 1}};
}

/// Of weights from 0 on.
nlohmann::ordered_json protecting(const char* unit, int most, bool round) {
  return {{"range", "0:"}, {"unit", unit}, {"most", most}, {"round", round}};
}

}  // namespace

Figure openflights_figure(const FigureOptions& options) {
  RealGraph wanted{.name = "OpenFlights",
                   .file = "openflights_weighted_undirected.txt",
                   .unit = "one route more or less",
                   .fields = {{"range", "1:"}, {"unit", "change"}, {"most", 1}},
                   .epsilons = small_epsilons(options),
                   .sources = 200};
  const Loaded loaded = load(wanted, options);
  Figure figure = begun(wanted, loaded.graph, options);
  add_part(figure, wanted.unit, loaded.graph, noise_forms(wanted.fields, options.whole), wanted, options);
  judge(figure, wanted.unit, "geometric, posterior median", "geometric");
  const bool confirmed = figure.confirmed;
  wanted.epsilons = options.quick ? std::vector<privacy::Epsilon>{{1, 1}, {10, 1}}
                                  : std::vector<privacy::Epsilon>{{1, 1}, {2, 1}, {5, 1}, {10, 1}};
  const std::string whole = "whole weight in 1..40";
  add_part(figure, whole, loaded.graph, whole_weight_forms(WeightGrid::parse("1:40", "1"), options.whole),
           wanted, options);
  judge(figure, whole, "blocks, noisy prior", "Lap clamped");
  figure.confirmed = figure.confirmed && confirmed;
  return figure;
}

Figure airports_figure(const FigureOptions& options) {
  return noise_figure({.name = "US airports",
                       .file = "US_airports500.net",
                       .unit = "one flight of at most 400 seats",
                       .fields = protecting("change", 400, false),
                       .epsilons = small_epsilons(options)},
                      options);
}

Figure milano_figure(const FigureOptions& options) {
  return noise_figure({.name = "Milano calls",
                       .file = "milano_telecom_G278.csv",
                       .unit = "one call more or less",
                       .fields = protecting("change", 1, false),
                       .epsilons = small_epsilons(options)},
                      options);
}

Figure sioux_falls_figure(const FigureOptions& options) {
  return noise_figure({.name = "Sioux Falls",
                       .file = "SiouxFalls_flow.tntp",
                       .unit = "one trip over at most 24 links",
                       .fields = protecting("trip", 24, true),
                       .epsilons = small_epsilons(options),
                       .directed = true},
                      options);
}

Figure chicago_figure(const FigureOptions& options) {
  return noise_figure({.name = "Chicago",
                       .file = "ChicagoSketch_flow.tntp",
                       .unit = "one trip over at most 100 links",
                       .fields = protecting("trip", 100, true),
                       .epsilons = small_epsilons(options),
                       .directed = true},
                      options);
}

}  // namespace fogline::weights
