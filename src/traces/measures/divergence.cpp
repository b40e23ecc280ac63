// SPDX-License-Identifier: Apache-2.0
#include "traces/measures/divergence.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace fogline::traces {
namespace {

/// What one outcome of probability p here and q there adds.
double term(double p, double q) {
  const double middle = (p + q) / 2;
  return (p > 0 ? p * std::log(p / middle) : 0) / 2 + (q > 0 ? q * std::log(q / middle) : 0) / 2;
}

double without_totals(std::uint64_t a, std::uint64_t b) {
  return a == b ? 0 : std::numbers::ln2;
}

// Rounding may leave a sum of cancelling terms just below zero.
double in_range(double divergence) {
  return std::clamp(divergence, 0.0, std::numbers::ln2);
}

std::uint64_t sum_of(const std::vector<KeyCounts::Entry>& entries) {
  std::uint64_t sum = 0;
  for (const auto& entry : entries) sum += entry.count;
  return sum;
}

/// Calls take(count in a, count in b) for each key of either, in order.
template <class Take>
void side_by_side(const std::vector<KeyCounts::Entry>& a, const std::vector<KeyCounts::Entry>& b, Take take) {
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    const bool from_a = j == b.size() || (i < a.size() && a[i].key <= b[j].key);
    const bool from_b = i == a.size() || (j < b.size() && b[j].key <= a[i].key);
    take(from_a ? a[i].count : 0, from_b ? b[j].count : 0);
    i += from_a ? 1 : 0;
    j += from_b ? 1 : 0;
  }
}

}  // namespace

double jensen_shannon(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  const std::uint64_t total_a = std::accumulate(a.begin(), a.end(), std::uint64_t{0});
  const std::uint64_t total_b = std::accumulate(b.begin(), b.end(), std::uint64_t{0});
  if (total_a == 0 || total_b == 0) return without_totals(total_a, total_b);
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += term(static_cast<double>(a[i]) / static_cast<double>(total_a),
                static_cast<double>(b[i]) / static_cast<double>(total_b));
  return in_range(sum);
}

double jensen_shannon(const std::vector<KeyCounts::Entry>& a, const std::vector<KeyCounts::Entry>& b) {
  const std::uint64_t total_a = sum_of(a), total_b = sum_of(b);
  if (total_a == 0 || total_b == 0) return without_totals(total_a, total_b);
  double sum = 0;
  side_by_side(a, b, [&](std::uint64_t in_a, std::uint64_t in_b) {
    sum += term(static_cast<double>(in_a) / static_cast<double>(total_a),
                static_cast<double>(in_b) / static_cast<double>(total_b));
  });
  return in_range(sum);
}

double kendall_tau_b(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  std::int64_t agreement = 0, ranked_a = 0, ranked_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const int in_a = (a[i] > a[j] ? 1 : 0) - (a[i] < a[j] ? 1 : 0);
      const int in_b = (b[i] > b[j] ? 1 : 0) - (b[i] < b[j] ? 1 : 0);
      agreement += in_a * in_b;
      ranked_a += in_a * in_a;
      ranked_b += in_b * in_b;
    }
  if (ranked_a == 0 || ranked_b == 0) return ranked_a == ranked_b ? 1 : 0;
  return static_cast<double>(agreement) /
         std::sqrt(static_cast<double>(ranked_a) * static_cast<double>(ranked_b));
}

double f1_of_keys(const std::vector<KeyCounts::Entry>& a, const std::vector<KeyCounts::Entry>& b) {
  if (a.empty() && b.empty()) return 1;
  std::size_t common = 0;
  side_by_side(a, b, [&](std::uint64_t in_a, std::uint64_t in_b) { common += in_a > 0 && in_b > 0 ? 1 : 0; });
  return 2 * static_cast<double>(common) / static_cast<double>(a.size() + b.size());
}

std::vector<std::uint64_t> histogram(std::span<const double> values, double low, double high,
                                     std::size_t bins) {
  std::vector<std::uint64_t> counts(bins);
  const auto last = static_cast<double>(bins - 1);
  for (const double value : values) {
    double at = 0;
    if (high > low) at = std::clamp((value - low) / (high - low) * static_cast<double>(bins), 0.0, last);
    if (high <= low && value > high) at = last;
    ++counts[static_cast<std::size_t>(at)];
  }
  return counts;
}

double jensen_shannon_over_range(std::span<const double> truth, std::span<const double> synthetic,
                                 std::size_t bins) {
  const auto [low, high] = std::minmax_element(truth.begin(), truth.end());
  return jensen_shannon(histogram(truth, *low, *high, bins), histogram(synthetic, *low, *high, bins));
}

}  // namespace fogline::traces
