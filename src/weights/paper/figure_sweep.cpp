// SPDX-License-Identifier: Apache-2.0
#include "weights/paper/figure_sweep.hpp"

#include <algorithm>
#include <memory>

#include "base/error.hpp"
#include "weights/release.hpp"

namespace fogline::weights {
namespace {

using Release = ReleaseForm::Release;

/// What a release under these choices would say of itself.
WeightTerms terms_of(const SoundForm& form, const privacy::Epsilon& epsilon) {
  WeightTerms terms{.mechanism = form.choice.name,
                    .epsilon = epsilon,
                    .grid = form.choice.grid,
                    .protection = form.choice.protection,
                    .rounding = form.choice.rounding,
                    .positive = form.choice.positive};
  if (form.noisy_prior) terms.prior = PriorSource::noisy;
  if (form.estimate) terms.finish = *form.estimate == Estimate::mean ? Finish::mean : Finish::median;
  return terms;
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

ReleaseForm published_form(std::string series, PublishedWeights::Options options, const WeightGrid& grid) {
  options.range = WeightRange{grid.value(0), grid.value(static_cast<std::int64_t>(grid.points()) - 1)};
  return {std::move(series), [options](const FigureGraph& graph, const privacy::Epsilon& epsilon) -> Release {
            PublishedWeights::Options at = options;
            at.epsilon = epsilon.value().to_double();
            return [&graph, mechanism = PublishedWeights(at)](const random::Key& key) {
              return mechanism.draw(graph.weights, key);
            };
          }};
}

ReleaseForm sound_form(SoundForm form) {
  std::string series = form.series;
  return {std::move(series),
          [kept = std::make_shared<const SoundForm>(std::move(form))](
              const FigureGraph& graph, const privacy::Epsilon& epsilon) -> Release {
            const auto release = std::make_shared<const GraphRelease>(
                points_of(graph.weights, kept->choice.grid, kept->choice.rounding), kept->groups,
                terms_of(*kept, epsilon), GraphRelease::Options{.prior = kept->choice.prior});
            return [release](const random::Key& key) { return release->draw(key); };
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

std::vector<std::int64_t> points_of(const std::vector<double>& weights, const WeightGrid& grid,
                                    Rounding rounding) {
  std::vector<std::int64_t> points;
  points.reserve(weights.size());
  for (const double weight : weights) {
    const WeightGrid::Found found = grid.point_of(weight, rounding);
    if (found.fault != WeightGrid::Fault::none) throw InvalidOption("weights", describe(found.fault, grid));
    points.push_back(found.point);
  }
  return points;
}

}  // namespace fogline::weights
