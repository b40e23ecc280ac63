// SPDX-License-Identifier: Apache-2.0
#include "random/chi_square.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace fogline::random {

ChiSquare chi_square(std::span<const std::uint64_t> counts, std::span<const double> probability,
                     std::uint64_t samples) {
  if (counts.size() != probability.size()) throw InvalidOption("counts", "must be as many as probabilities");
  const auto n = static_cast<double>(samples);
  ChiSquare result;
  double pooled_count = n, pooled_expected = n;  // what is not in a cell of its own
  int cells = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double expected = n * probability[i];
    if (expected < 10) continue;
    const auto count = static_cast<double>(counts[i]);
    result.statistic += (count - expected) * (count - expected) / expected;
    pooled_count -= count;
    pooled_expected -= expected;
    ++cells;
  }
  if (pooled_expected > 1) {
    result.statistic += (pooled_count - pooled_expected) * (pooled_count - pooled_expected) / pooled_expected;
    ++cells;
  } else if (pooled_count > 40) {
    result.statistic =
        std::numeric_limits<double>::infinity();  // what should hardly ever happen happened often
  }
  result.degrees = std::max(1, cells - 1);
  const double spread = 2.0 / (9.0 * result.degrees);
  result.deviations = (std::cbrt(result.statistic / result.degrees) - (1 - spread)) / std::sqrt(spread);
  return result;
}

}  // namespace fogline::random
