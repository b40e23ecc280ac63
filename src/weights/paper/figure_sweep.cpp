// SPDX-License-Identifier: Apache-2.0
#include "weights/paper/figure_sweep.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "fogline/column_set.hpp"
#include "io/graph_file.hpp"

namespace fogline::weights {
namespace {

using Release = ReleaseForm::Release;

ColumnSet edges_of(const FigureGraph& graph) {
  std::vector<std::string> source, target;
  for (std::size_t e = 0; e < graph.shape.edges(); ++e) {
    source.push_back(fmt::format("{}", graph.shape.source[e]));
    target.push_back(fmt::format("{}", graph.shape.target[e]));
  }
  return ColumnSet()
      .hold("source", std::move(source))
      .hold("target", std::move(target))
      .hold("weight", graph.weights);
}

/// In the order of the edges, which a release keeps.
std::vector<double> released_weights(std::string text) {
  io::TextSource source = io::TextSource::from_memory("the release", std::move(text));
  return io::read_graph(source, {.format = io::GraphFormat::csv, .repeats = io::RepeatedEdge::keep}).weight;
}

/// Releases of every form, run by run, at one epsilon.
std::vector<std::vector<double>> releases_at(const privacy::Epsilon& epsilon, const FigureGraph& graph,
                                             const std::vector<ReleaseForm>& forms, std::uint64_t runs) {
  std::vector<std::vector<double>> releases;
  for (const ReleaseForm& form : forms) {
    const Release release = form.prepare(graph, epsilon);
    for (std::uint64_t run = 0; run < runs; ++run) releases.push_back(release(random::SeededKey(run + 1)));
  }
  return releases;
}

std::vector<Measures> measured(const FigureGraph& graph, const std::vector<std::vector<double>>& releases,
                               const SweepOptions& options) {
  if (options.sources) {
    const Progress only_cancels = [&](const ProgressUpdate&) {
      return !options.progress || options.progress({.task = options.task});
    };
    return measure_all(graph.shape, graph.weights, releases,
                       {.sources = *options.sources, .threads = options.threads, .progress = only_cancels});
  }
  std::vector<Measures> errors;
  for (const auto& released : releases)
    errors.push_back({.ware = mean_absolute_difference(released, graph.weights)});
  return errors;
}

SweepPoint mean_of(std::span<const Measures> runs) {
  SweepPoint mean;
  const auto count = static_cast<double>(runs.size());
  for (const Measures& run : runs) {
    mean.ware += run.ware / count;
    mean.ksp += run.ksp / count;
    mean.lare += run.lare.value_or(0) / count;
  }
  return mean;
}

}  // namespace

ReleaseForm released_form(std::string series, const nlohmann::ordered_json& fields, const MakeWhole& whole) {
  return {
      std::move(series),
      [fields, whole](const FigureGraph& graph, const privacy::Epsilon& epsilon) -> Release {
        nlohmann::ordered_json at = fields;
        at.update({{"epsilon", epsilon.value().to_string()}, {"directed", graph.directed}, {"anyway", true}});
        const ColumnSet edges = edges_of(graph);
        return [draw = whole({.kind = "weights", .fields = at, .records = edges})](const random::Key& key) {
          return released_weights(draw(key));
        };
      }};
}

ReleaseForm clamped_form(std::string series, PublishedWeights::Options options, const WeightGrid& grid) {
  options.positive = Positive::clamp;
  options.range = WeightRange{grid.value(0), grid.value(static_cast<std::int64_t>(grid.points()) - 1)};
  return {std::move(series), [options](const FigureGraph& graph, const privacy::Epsilon& epsilon) -> Release {
            PublishedWeights::Options at = options;
            at.epsilon = epsilon.value().to_double();
            return [&graph, mechanism = PublishedWeights(at)](const random::Key& key) {
              return mechanism.draw(graph.weights, key);
            };
          }};
}

ReleaseForm constant_form() {
  return {"best constant", [](const FigureGraph& graph, const privacy::Epsilon&) -> Release {
            std::vector<double> sorted = graph.weights;
            const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
            std::nth_element(sorted.begin(), middle, sorted.end());
            return [constant = std::vector<double>(graph.weights.size(), *middle)](const random::Key&) {
              return constant;
            };
          }};
}

std::vector<SweepPoint> sweep(const FigureGraph& graph, const std::vector<ReleaseForm>& forms,
                              const SweepOptions& options) {
  const std::size_t count = options.epsilons.size();
  std::vector<SweepPoint> points(forms.size() * count);
  ProgressMeter meter(options.progress, options.task, count);
  for (std::size_t e = 0; e < count; ++e) {
    const auto measures =
        measured(graph, releases_at(options.epsilons[e], graph, forms, options.runs), options);
    for (std::size_t f = 0; f < forms.size(); ++f) {
      SweepPoint& point = points[f * count + e];
      point = mean_of(std::span(measures).subspan(f * options.runs, options.runs));
      point.series = forms[f].series;
      point.epsilon = options.epsilons[e].value().to_double();
    }
    meter.advance();
  }
  meter.finish();
  return points;
}

}  // namespace fogline::weights
