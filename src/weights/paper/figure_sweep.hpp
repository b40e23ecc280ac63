// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/figure_kind.hpp"
#include "privacy/guarantee.hpp"
#include "random/key.hpp"
#include "weights/graph/shape.hpp"
#include "weights/grid.hpp"
#include "weights/measures/measures.hpp"
#include "weights/paper/published.hpp"

namespace fogline::weights {

/// What figures of weights have in common: a graph, ways to release its weights, and a sweep over epsilon.

struct FigureGraph {
  std::string name = {};  ///< in words, with its counts
  GraphShape shape = {};
  std::vector<double> weights = {};
  bool directed = false;
};

/// One way to release weights: a line of a plot.
struct ReleaseForm {
  using Release = std::function<std::vector<double>(const random::Key& key)>;

  std::string series = {};
  /// Everything that does not depend on the key is done once. The graph must outlive the result.
  std::function<Release(const FigureGraph& graph, const privacy::Epsilon& epsilon)> prepare = {};
};

/// Whole releases with these fields, to which the sweep adds epsilon: sound mechanisms, and the paper's forms as published.
ReleaseForm released_form(std::string series, const nlohmann::ordered_json& fields, const MakeWhole& whole);

/// One of the paper's, kept in the range of the grid instead of shifted; a form that nobody can release.
ReleaseForm clamped_form(std::string series, PublishedWeights::Options options, const WeightGrid& grid);

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

}  // namespace fogline::weights
