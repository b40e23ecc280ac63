// SPDX-License-Identifier: Apache-2.0
#include "weights/estimates/noisy_prior.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "base/error.hpp"
#include "random/noise.hpp"

namespace fogline::weights {
namespace {

constexpr std::uint64_t sensitivity = 2;  // one edge leaves a count and joins another

std::vector<std::int64_t> histogram(std::span<const std::int64_t> points, std::uint64_t size) {
  std::vector<std::int64_t> counts(size);
  for (const std::int64_t point : points) {
    if (point < 0 || static_cast<std::uint64_t>(point) >= size)
      throw InvalidOption("points", "must be points of the grid");
    ++counts[static_cast<std::size_t>(point)];
  }
  return counts;
}

/// Replaces counts by the means of stretches, where their differences are no larger than noise makes them: a stretch is halved as long as that explains
/// more of the squares than its price.
class Stretches {
 public:
  Stretches(std::span<const std::int64_t> counts, double price) : price_(price) {
    for (const std::int64_t count : counts) {
      const auto value = static_cast<double>(count);
      sums_.push_back(sums_.back() + value);
      squares_.push_back(squares_.back() + value * value);
    }
  }

  std::vector<double> means() {
    std::vector<double> means;
    fit(0, sums_.size() - 1, means);
    return means;
  }

 private:
  /// Appends the best fit of begin..end-1 and returns its squares left over plus its price.
  double fit(std::size_t begin, std::size_t end, std::vector<double>& means) const {
    const std::size_t size = end - begin, before = means.size();
    const double sum = sums_[end] - sums_[begin], mean = sum / static_cast<double>(size);
    const double whole = squares_[end] - squares_[begin] - sum * mean + price_;
    if (size > 1) {
      const std::size_t middle = begin + size / 2;
      const double halves = fit(begin, middle, means) + fit(middle, end, means);
      if (halves < whole) return halves;
    }
    means.resize(before);
    means.resize(before + size, mean);
    return whole;
  }

  double price_;
  std::vector<double> sums_ = {0}, squares_ = {0};
};

/// The nearest counts that are 0 or more and sum to `total`: all are lowered or raised alike, and cut off at 0.
void project(std::vector<double>& counts, double total) {
  std::vector<double> sorted = counts;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0, shift = 0;
  for (std::size_t kept = 0; kept < sorted.size(); ++kept) {
    const double next = (sum + sorted[kept] - total) / static_cast<double>(kept + 1);
    if (sorted[kept] <= next) break;
    sum += sorted[kept];
    shift = next;
  }
  for (double& count : counts) count = std::max(count - shift, 0.0);
}

}  // namespace

PriorBudget split_budget(const privacy::Epsilon& epsilon, const Rational& share) {
  if (share.is_zero() || share >= Rational(1))
    throw InvalidOption("prior-share", "must lie between 0 and 1, both excluded");
  const Rational part = epsilon.value() * share.numerator() / share.denominator();
  return {.prior = privacy::Epsilon(part), .weights = privacy::Epsilon(epsilon.value() - part)};
}

std::vector<double> noisy_prior(std::span<const std::int64_t> points, const WeightGrid& grid,
                                const privacy::Epsilon& epsilon, random::Stream& noise) {
  if (!grid.is_finite() || grid.points() > most_prior_points)
    throw InvalidOption("range", "must have 2 to 20,000 weights for a noisy prior");
  return noisy_prior_of_counts(histogram(points, grid.points()), epsilon, noise);
}

std::vector<double> noisy_prior_of_counts(std::span<const std::int64_t> counts,
                                          const privacy::Epsilon& epsilon, random::Stream& noise) {
  if (counts.size() < 2 || counts.size() > most_prior_points)
    throw InvalidOption("range", "must have 2 to 20,000 weights for a noisy prior");
  const auto edges = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
  if (edges < 1) throw InvalidOption("points", "must be at least one");
  std::vector<std::int64_t> noisy(counts.size());
  random::NoisyCounts(
      {.name = "histogram of weights", .epsilon = epsilon.value(), .sensitivity = sensitivity})
      .answer(counts, noise, noisy);
  // Everything below is post-processing: it sees noisy counts and the number of edges, which is public.
  const double rate = epsilon.value().to_double() / static_cast<double>(sensitivity);
  const double variance = 0.5 / std::pow(std::sinh(rate / 2), 2);
  const auto size = static_cast<double>(counts.size());
  // The largest of `size` differences that are all noise explains about 2 ln(size) variances: the price that noise does not pay.
  std::vector<double> prior = Stretches(noisy, 2 * std::log(size) * variance).means();
  project(prior, edges);
  // One edge's worth is spread over all points, so that none is ruled out.
  for (double& share : prior) share = (share + 1 / size) / (edges + 1);
  return prior;
}

}  // namespace fogline::weights
