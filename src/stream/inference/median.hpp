// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace fogline::stream {

/// The point of least expected distance from weighted points: what to answer when the error is measured in metres.
///
///     std::vector<double> answer = geometric_median(points, 2, posterior);
///
/// `points` holds `dimension` coordinates each; weights are 0 or more, one of them above 0. In one dimension a weighted median. Found by
/// Newton steps on a convex function, with Weiszfeld's step where Newton's does not descend, to 10^-7 of the points' spread. Points that
/// together hold less than 10^-9 of the weight are left out. Cost: about ten passes over the points.
std::vector<double> geometric_median(std::span<const double> points, std::size_t dimension,
                                     std::span<const double> weights);

/// The expected distance from `to`; weights need not sum to 1.
double mean_distance(std::span<const double> points, std::size_t dimension, std::span<const double> weights,
                     std::span<const double> to);

}  // namespace fogline::stream
