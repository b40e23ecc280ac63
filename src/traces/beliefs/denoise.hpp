// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "traces/counts/statistics.hpp"

namespace fogline::traces {

/// What counts probably are, and how sure that is.
struct Estimate {
  std::vector<double> mean;
  std::vector<double> variance;
};

/// What is believed where noise hides everything.
struct DenoiseOptions {
  double usual_spread = 0.3;         ///< of a count about what is predicted, as a share of it, squared
  std::vector<double> weights = {};  ///< of the predictors; empty: all alike, one in all
};

/// Posterior means of noisy counts. The prior of each count is a Gamma distribution about a mixture of predictors;
/// how they are mixed and how far counts stray from it is learned from the noisy counts themselves.
///
///     Estimate guess = denoise(known.of(Statistic::visits), {neighbours, from_moves});
///
/// A predictor is a table of the same size, none below zero, that was computed without this table's own noise in the
/// same cell (else that noise is taken for truth). Without predictors the mean of all cells is the only one. Works on
/// noisy things alone.
/// Cost: about 10 microseconds a cell.
Estimate denoise(const NoisyTable& noisy, const std::vector<std::vector<double>>& predictors,
                 const DenoiseOptions& options = {});

/// Row sums times column sums: a table whose rows and columns have nothing to do with each other.
std::vector<double> product_of_sums(const std::vector<double>& table, std::size_t columns);

/// Makes a table sum to a total, none below zero.
void scale_to(std::span<double> table, double total);

}  // namespace fogline::traces
