// SPDX-License-Identifier: Apache-2.0
#include "weights/paper/figure_sweep.hpp"

#include <algorithm>
#include <memory>

#include "base/error.hpp"
#include "weights/estimates/noisy_prior.hpp"

namespace fogline::weights {
namespace {

std::vector<double> drawn_weights(const EdgeMechanism& mechanism, std::span<const std::int64_t> drawn) {
  std::vector<double> weights;
  weights.reserve(drawn.size());
  for (const std::int64_t number : drawn) weights.push_back(mechanism.weight(number));
  return weights;
}

using Release = ReleaseForm::Release;
using Points = std::vector<std::int64_t>;

/// Draws for the points, and improves what was drawn if the form says so.
std::vector<double> drawn_and_finished(const SoundForm& form, const EdgeMechanism& mechanism,
                                       const Points& points, const std::vector<double>& prior,
                                       const random::Key& key) {
  Points drawn(points.size());
  draw_all(mechanism, points, key, {}, drawn);
  if (!form.estimate) return drawn_weights(mechanism, drawn);
  return estimate_weights(mechanism, drawn, form.groups, {.estimate = *form.estimate, .prior = prior});
}

/// With a prior paid for in every release, so that the mechanism is another each time.
Release with_noisy_prior(const SoundForm& form, Points points, const privacy::Epsilon& epsilon) {
  return [&form, points = std::move(points), budget = split_budget(epsilon)](const random::Key& key) {
    MechanismChoice choice = form.choice;
    random::Stream noise = key.stream("weights-prior");
    choice.prior = noisy_prior(points, choice.grid, budget.prior, noise);
    choice.epsilon = budget.weights;
    return drawn_and_finished(form, *make_mechanism(choice), points, choice.prior, key);
  };
}

Release with_public_prior(const SoundForm& form, Points points, const privacy::Epsilon& epsilon) {
  MechanismChoice choice = form.choice;
  choice.epsilon = epsilon;
  return [&form, points = std::move(points),
          mechanism = std::shared_ptr(make_mechanism(choice))](const random::Key& key) {
    return drawn_and_finished(form, *mechanism, points, form.choice.prior, key);
  };
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
              random::Stream noise = key.stream("weights");
              return mechanism.release(graph.weights, noise);
            };
          }};
}

ReleaseForm sound_form(SoundForm form) {
  std::string series = form.series;
  return {std::move(series),
          [kept = std::make_shared<const SoundForm>(std::move(form))](
              const FigureGraph& graph, const privacy::Epsilon& epsilon) -> Release {
            Points points = points_of(graph.weights, kept->choice.grid, kept->choice.rounding);
            return kept->noisy_prior ? with_noisy_prior(*kept, std::move(points), epsilon)
                                     : with_public_prior(*kept, std::move(points), epsilon);
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
