// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace fogline::weights {

/// The nearest values, by least squares, with fit[lower] <= fit[upper] for each pair (lower, upper): isotonic regression on a partial order.
///
///     isotonic_fit({{0, 1}, {0, 2}}, {3, 1, 5});             // 2, 2, 5
///
/// Source  Picard 1976 (largest closures by minimum cuts); Spouge, Wan and Wilbur 2003 (splitting at the mean). A set is split into what belongs above its
///         mean and the rest, by one minimum cut, until nothing does; then its mean is the value.
/// Limits  exact up to rounding: cuts are made in integers of 2^-40 of the values' range, and a set that gains less is left whole. Pairs are of numbers below
///         values.size(), which is at most 2^20, without circles: within a circle all values become equal.
/// Cost    a maximum flow (Dinic 1970) for each of the sets, on fewer and fewer values.
std::vector<double> isotonic_fit(std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs,
                                 std::span<const double> values);

}  // namespace fogline::weights
