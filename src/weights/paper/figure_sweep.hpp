// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/figure_kind.hpp"
#include "random/key.hpp"
#include "weights/estimates/estimate.hpp"
#include "weights/estimates/groups.hpp"
#include "weights/graph/shape.hpp"
#include "weights/measures/measures.hpp"
#include "weights/mechanisms/catalogue.hpp"
#include "weights/paper/published.hpp"

namespace fogline::weights {

/// What figures of weights have in common: a graph, ways to release its weights, and a sweep over epsilon.

struct FigureGraph {
  std::string name = {};  ///< in words, with its counts
  GraphShape shape = {};
  std::vector<double> weights = {};
};

/// One way to release weights: a line of a plot.
struct ReleaseForm {
  using Release = std::function<std::vector<double>(const random::Key& key)>;

  std::string series = {};
  /// Everything that does not depend on the key is done once. The graph must outlive the result.
  std::function<Release(const FigureGraph& graph, const privacy::Epsilon& epsilon)> prepare = {};
};

/// One of the paper's, with the range of the grid.
ReleaseForm published_form(std::string series, PublishedWeights::Options options, const WeightGrid& grid);

/// A sound mechanism's own weights, or the posterior's of a prior learned from the draws in public groups.
struct SoundForm {
  std::string series = {};
  MechanismChoice choice;  ///< its epsilon is replaced by the sweep's
  std::optional<Estimate> estimate = {};
  EdgeGroups groups = {};    ///< of the estimate
  bool noisy_prior = false;  ///< a twentieth of epsilon goes to it
};
ReleaseForm sound_form(SoundForm form);

/// The median of the private weights on every edge. Not a release: it shows what a release must be better than.
ReleaseForm constant_form();

struct SweepOptions {
  std::vector<privacy::Epsilon> epsilons = {};
  std::uint64_t runs = 1;  ///< releases of each form at each epsilon, whose measures are averaged
  std::optional<std::uint64_t> sources = {};  ///< of shortest paths, 0 for all; empty: no paths are measured
  std::string task = {};                      ///< what the progress is called
  int threads = 0;
  Progress progress = {};
};

/// Means over runs, in the order of forms, then epsilons.
struct SweepPoint {
  std::string series = {};
  double epsilon = 0;
  double ware = 0;
  double ksp = 0, lare = 0;  ///< 0 without sources
};

/// Releases the weights with fixed seeds, run by run, and measures. Run r of every form has key SeededKey(r + 1).
std::vector<SweepPoint> sweep(const FigureGraph& graph, const std::vector<ReleaseForm>& forms,
                              const SweepOptions& options);

/// The points' grid numbers; every weight must be one, up to `rounding`.
std::vector<std::int64_t> points_of(const std::vector<double>& weights, const WeightGrid& grid,
                                    Rounding rounding);

}  // namespace fogline::weights
