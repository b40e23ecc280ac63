// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "traces/beliefs/humps.hpp"
#include "traces/counts/statistics.hpp"

namespace fogline::traces {

/// A histogram that sums to `total`, made of smooth bumps: the mixture nearest to the noisy counts, with bumps as
/// narrow as noise allows. None of its bins is below zero, and since the sum is given, bins that noise has raised are
/// not all believed. `shapes` may add histograms of the same size that are known from elsewhere.
std::vector<double> mixture_of_bumps(const NoisyTable& noisy, double total,
                                     const std::vector<std::vector<double>>& shapes = {});

/// What a histogram of trips probably is: near a mixture of bumps, and as far from it as its noisy counts show.
std::vector<double> believed_histogram(const NoisyTable& noisy, double trips);

/// The same for lengths or diameters, up to the longest in the usual range: beyond what the noisy bins show, their
/// tail is that of a Gamma law.
std::vector<double> believed_lengths(const NoisyTable& noisy, double trips, const UsualLengths& usual);

/// The same for rows of bins, whose sums are known. Rows with few trips look like all rows together, and all rows
/// like `usual` as far as noise hides even their sum. Beyond what a row's noisy bins show there is one bump.
std::vector<double> believed_rows(const NoisyTable& noisy, std::span<const double> row_sums,
                                  const UsualBump& usual);

}  // namespace fogline::traces
