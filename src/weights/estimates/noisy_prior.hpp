// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "privacy/guarantee.hpp"
#include "random/stream.hpp"
#include "weights/grid.hpp"
#include "weights/mechanisms/partition.hpp"

namespace fogline::weights {

/// Of a prior, whether paid for or from a file: as many as blocks can be cut for.
inline constexpr std::uint64_t most_prior_points = most_partition_points;

/// A part of epsilon for the prior, the rest for the weights themselves. They add up exactly.
struct PriorBudget {
  privacy::Epsilon prior;
  privacy::Epsilon weights;
};

/// `share` of epsilon for the prior: above 0, below 1; by default that of WeightTerms. Throws InvalidOption.
PriorBudget split_budget(const privacy::Epsilon& epsilon, const Rational& share = Rational(1, 20));

/// A prior of the points of all edges, paid for: their histogram with noise, then smoothed.
///
///     const PriorBudget budget = split_budget(privacy::Epsilon{1, 1});
///     random::Stream noise = key.stream("weights-prior");
///     std::vector<double> prior = noisy_prior(points, grid, budget.prior, noise);
///     Blocks blocks({.grid = grid, .epsilon = budget.weights, .prior = prior});
///
/// Guarantee   pure DP; unit: one edge's whole weight (its change moves one edge from one count to another: sensitivity 2); exact.
/// Source      histogram with discrete Laplace noise. As post-processing, stretches whose counts differ by no more than noise does are made level (a
///             tree of halves, pruned at 2 ln(points) variances; Donoho 1997), and the result is moved to the nearest counts of 0 or more that sum
///             to the number of edges, which is public.
/// Utility     pays when weights are far from uniform over the range; on uniform weights the flat prior is better.
/// Cost        linear in edges; points * log(points).
/// Limits      a finite grid of 2 to 20,000 points; the number of edges is public.
///
/// Probabilities are above 0 and sum to 1. Call it after the ledger is charged. Throws InvalidOption, before the first draw.
std::vector<double> noisy_prior(std::span<const std::int64_t> points, const WeightGrid& grid,
                                const privacy::Epsilon& epsilon, random::Stream& noise);

/// The same from how many edges each point of the grid has.
std::vector<double> noisy_prior_of_counts(std::span<const std::int64_t> counts,
                                          const privacy::Epsilon& epsilon, random::Stream& noise);

}  // namespace fogline::weights
