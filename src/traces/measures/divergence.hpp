// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "traces/measures/key_counts.hpp"

namespace fogline::traces {

/// Comparisons of two tables of counts.
///
///     double far = jensen_shannon(counts_true, counts_synthetic);    // 0: alike, ln 2: nothing in common
///
/// The Jensen-Shannon divergence with natural logarithms, each table divided by its own sum. 0 if both are empty, ln 2 if one is.
/// Tables have one length. Sums run in the order of the table, so that equal tables give equal bits.
double jensen_shannon(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

/// The same of sparse tables, sorted by key.
double jensen_shannon(const std::vector<KeyCounts::Entry>& a, const std::vector<KeyCounts::Entry>& b);

/// Kendall's tau-b of two rankings of the same things: (concordant - discordant) pairs, over the geometric mean of the pairs not tied in each.
/// If one ranks nothing (all tied): 1 if the other does not either, else 0. Cost: every pair.
double kendall_tau_b(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

/// 2 |A and B| / (|A| + |B|) of the keys of two tables, sorted by key; 1 if both are empty.
double f1_of_keys(const std::vector<KeyCounts::Entry>& a, const std::vector<KeyCounts::Entry>& b);

/// Counts over equal bins of [low, high]; values outside fall into the end bins.
std::vector<std::uint64_t> histogram(std::span<const double> values, double low, double high,
                                     std::size_t bins);

/// The divergence of two lists of numbers over equal bins of the range of the first, which is not empty.
double jensen_shannon_over_range(std::span<const double> truth, std::span<const double> synthetic,
                                 std::size_t bins);

}  // namespace fogline::traces
