// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace fogline::random {

/// Pearson's goodness-of-fit test: do the counts follow the probabilities?
struct ChiSquare {
  double statistic = 0;
  double degrees = 0;
  /// Number of standard deviations by which the statistic lies above its mean, by the Wilson-Hilferty
  /// approximation; 5 is passed by chance less than once in three million.
  double deviations = 0;
};

/// Cells expected fewer than 10 times are pooled into one. `probability` may sum to less than 1; the rest is
/// its own cell, whose count is `samples` minus the sum of the counts.
ChiSquare chi_square(std::span<const std::uint64_t> counts, std::span<const double> probability,
                     std::uint64_t samples);

}  // namespace fogline::random
