// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace fogline::weights {

/// Learns the shares of a mixture from what was drawn from it: nonparametric maximum likelihood by EM.
///
///     Mixture mixture(drawn.size(), points.size(), [&](std::size_t d, std::size_t p) { return mechanism.log_weight(drawn[d], points[p]); });
///     std::vector<double> prior = mixture.learn(counts, flat, {});
///
/// Every row is a number that may be drawn, every column a cause. EM fits the broad shape first and the noise last; it stops when a round gains little
/// likelihood, and that, with the start, is what keeps the result smooth.
/// Source: Kiefer and Wolfowitz 1956; Dempster, Laird and Rubin 1977. Cost: rows * columns a round; 8 bytes for each entry.
class Mixture {
 public:
  using LogLikelihood = std::function<double(std::size_t row, std::size_t column)>;
  Mixture(std::size_t rows, std::size_t columns, const LogLikelihood& log_likelihood);

  /// As in weights/estimates/estimate.hpp.
  struct Options {
    int rounds = 1000;         ///< at most so many, 1 to 100,000
    double least_gain = 0.05;  ///< stop when a round raises the log-likelihood by less, 0 or more
    double shrinkage = 0;      ///< drawn numbers' worth of the start that are added to the counts, 0 or more
  };

  /// `counts`: how often each row was drawn. `start`: a share of each column, sums to 1. A column that starts at 0 stays there.
  std::vector<double> learn(std::span<const double> counts, std::span<const double> start,
                            const Options& options) const;

  /// The share of each column given a row and the shares before it was drawn; sums to 1.
  void posterior(std::size_t row, std::span<const double> shares, std::span<double> out) const;

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }

 private:
  std::span<const double> row(std::size_t index) const { return {&likelihood_[index * columns_], columns_}; }

  std::size_t rows_, columns_;
  std::vector<double> likelihood_;  // of each row, over the largest of the row
};

}  // namespace fogline::weights
