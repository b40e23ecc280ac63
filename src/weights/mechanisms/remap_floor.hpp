// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace fogline::weights {

inline constexpr std::uint64_t most_remap_points = 8192;  // their square in time

/// The expected |estimate - point|, in points, of geometric noise with P(k) proportional to exp(-epsilon |k|), followed by the best estimate under the
/// prior: the median of the posterior.
///
/// No epsilon-DP release of a number that neighbours change by one has less, whatever the prior (Ghosh, Roughgarden, Sundararajan 2012): a floor.
/// `prior`: of each point, sums to 1; empty: all alike. `points`: 2 to most_remap_points. Throws InvalidOption. Cost: points^2.
double remap_floor(std::span<const double> prior, std::uint64_t points, double epsilon);

}  // namespace fogline::weights
