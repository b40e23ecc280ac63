// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "random/key.hpp"
#include "random/stream.hpp"

namespace fogline::weights {

/// The four ways of Li et al. to publish the weights of a graph's edges, as printed: for comparison, and for the falsifier.
///
///     PublishedWeights mb_ci({.strategy = WeightsStrategy::mb_ci, .epsilon = 1, .range = WeightRange{100, 600}, .k = 5});
///     std::vector<double> noisy = mb_ci.release(weights, stream);
///
/// Guarantee   none; reason() says why. The paper claims epsilon-DP for one edge's whole weight. It holds for Lap with a public range, up to
///             floating-point noise. It does not hold for Lap with the range read from the weights (the noise then tells the range), for MB (each of C
///             merged edges gets noise for a C-th of the range, but one edge can still move by all of it), nor for the CI forms (they
///             sort by the true order, and so publish it).
/// Source      Li, Yang, Sun, Zhang: Differential Privacy for Edge Weights in Social Networks (2017). Lap: Theorem 6. MB: Algorithm 1, lines 1 to 11.
///             CI: lines 12 to 28, which the paper calls isotonic regression. Budget 2 : 8 as in its experiments.
/// Utility     see the paper and docs/results/weights.md; on a uniform range MB and MB-CI, clamped, do better than any private release can.
/// Cost        O(n log n) for n edges, in sorting; a million edges in about a second.
/// Parameters  epsilon above 0; k from 1 on; weights finite, rounded to multiples of 2^-20 and clamped to a public range.
///
/// K, in Algorithm 1, is read as the number of groups of the same size (Definition 8 and its example), not of edges in them; it is noised once
/// for every edge, as line 3 says. Lines 15 to 25 are read as the isotonic regression they are meant to compute. Safe to call from several threads.
enum class WeightsStrategy { lap, mb, lap_ci, mb_ci };

std::string_view to_string(WeightsStrategy strategy);   ///< "lap", "mb", "lap-ci", "mb-ci"
WeightsStrategy strategy_from(std::string_view name);   ///< throws InvalidOption
std::span<const WeightsStrategy> weights_strategies();  ///< all four, as the paper names them
std::string_view reason(WeightsStrategy strategy);  ///< why a release of it promises nothing: half a sentence

/// How noisy weights become weights that a graph can have.
enum class Positive {
  shift,  ///< line 11: if one is below 0, all move up together until the least is 1. The paper's shortest paths need it for Lap too
  clamp,  ///< ours, for comparison: to the public range
  no      ///< they do not: Theorem 6 alone
};

struct WeightRange {
  double lowest = 0, highest = 0;
};

class PublishedWeights {
 public:
  struct Options {
    WeightsStrategy strategy = WeightsStrategy::lap;
    double epsilon = 0;  ///< above 0, at most 1,000; no default
    std::optional<WeightRange> range =
        {};     ///< public, lowest < highest, rounded to 2^-20; without it the weights' own, as in Theorem 6
    int k = 1;  ///< MB: merge where at least k groups (by a noisy count) have the same size; 1 or more
    Positive positive = Positive::shift;  ///< clamp needs a public range
  };
  explicit PublishedWeights(const Options& options);  ///< throws InvalidOption

  /// Throws InvalidOption for a weight that is not finite.
  std::vector<double> release(std::span<const double> weights, random::Stream& stream) const;
  /// The same with the noise of a release that has this key.
  std::vector<double> draw(std::span<const double> weights, const random::Key& key) const;

 private:
  std::vector<double> with_equal_noise(std::span<const double> weights, double width,
                                       random::Stream& stream) const;
  std::vector<double> with_merging(std::span<const double> weights, double width,
                                   random::Stream& stream) const;
  void clamp(std::vector<double>& weights) const;

  Options options_;
};

/// For each weight, how many equal it, itself included: the vector C of Algorithm 1.
std::vector<std::size_t> group_sizes(std::span<const double> weights);

/// For each weight, how many groups have as many members as its own: the vector K.
std::vector<std::size_t> groups_of_equal_size(std::span<const double> weights);

/// Indices from the least weight to the greatest, equal ones as they stand.
std::vector<std::size_t> ascending_order(std::span<const double> weights);

/// The nearest values, by least squares, that do not fall along `order`, a permutation: isotonic regression by pooling adjacent violators, in
/// linear time. Harmless if the order is public; if it comes from private data, the result tells it.
std::vector<double> consistent_along(std::span<const std::size_t> order, std::span<const double> values);

}  // namespace fogline::weights
