// SPDX-License-Identifier: Apache-2.0
#include "weights/paper/published.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "random/noise.hpp"
#include "random/published_noise.hpp"

namespace fogline::weights {
namespace {

using random::published::laplace;
using random::published::on_grid;

constexpr std::array strategies{WeightsStrategy::lap, WeightsStrategy::mb, WeightsStrategy::lap_ci,
                                WeightsStrategy::mb_ci};

constexpr double share_for_merging = 0.2;  // the paper's 2 : 8

bool merges(WeightsStrategy strategy) {
  return strategy == WeightsStrategy::mb || strategy == WeightsStrategy::mb_ci;
}

bool sorts(WeightsStrategy strategy) {
  return strategy == WeightsStrategy::lap_ci || strategy == WeightsStrategy::mb_ci;
}

std::vector<double> on_grid_within(const std::optional<WeightRange>& range, std::span<const double> weights) {
  std::vector<double> kept;
  kept.reserve(weights.size());
  for (const double weight : weights) {
    if (!std::isfinite(weight)) throw InvalidOption("weights", "must be finite numbers");
    kept.push_back(on_grid(range ? std::clamp(weight, range->lowest, range->highest) : weight));
  }
  return kept;
}

double width_of(std::span<const double> weights) {
  const auto [lowest, highest] = std::minmax_element(weights.begin(), weights.end());
  return *highest - *lowest;
}

/// Line 11: all weights move up together until the least is 1, if one has fallen below 0.
void lift_above_zero(std::vector<double>& weights) {
  const double least = *std::min_element(weights.begin(), weights.end());
  if (least >= 0) return;
  for (double& weight : weights) weight += 1 - least;
}

struct Block {
  double sum = 0;
  std::size_t count = 0;
  double mean() const { return sum / static_cast<double>(count); }
};

/// Each value is a block; a block that is not above the one before is pooled with it.
std::vector<Block> pooled(std::span<const std::size_t> order, std::span<const double> values) {
  std::vector<Block> blocks;
  for (const std::size_t i : order) {
    Block block{values[i], 1};
    while (!blocks.empty() && blocks.back().mean() >= block.mean()) {
      block.sum += blocks.back().sum;
      block.count += blocks.back().count;
      blocks.pop_back();
    }
    blocks.push_back(block);
  }
  return blocks;
}

}  // namespace

std::string_view to_string(WeightsStrategy strategy) {
  switch (strategy) {
    case WeightsStrategy::lap:
      return "lap";
    case WeightsStrategy::mb:
      return "mb";
    case WeightsStrategy::lap_ci:
      return "lap-ci";
    case WeightsStrategy::mb_ci:
      return "mb-ci";
  }
  throw InvalidOption("strategy", "must be lap, mb, lap-ci or mb-ci");
}

WeightsStrategy strategy_from(std::string_view name) {
  for (const WeightsStrategy strategy : strategies)
    if (to_string(strategy) == name) return strategy;
  throw InvalidOption("strategy", "must be lap, mb, lap-ci or mb-ci");
}

std::span<const WeightsStrategy> weights_strategies() {
  return strategies;
}

std::string_view reason(WeightsStrategy strategy) {
  switch (strategy) {
    case WeightsStrategy::lap:
      return "the noise is made in floating point, whose gaps and tails are not those of the paper's proof; "
             "geometric noise is the exact form";
    case WeightsStrategy::mb:
      return "each of C edges of equal weight gets noise for a C-th of the range, but one edge can still "
             "move by all of it: the loss reaches C times "
             "epsilon";
    case WeightsStrategy::lap_ci:
    case WeightsStrategy::mb_ci:
      return "the output is sorted by the true order of the private weights, so it tells with certainty "
             "which of two edges is the heavier: no "
             "finite epsilon holds";
  }
  throw InvalidOption("strategy", "must be lap, mb, lap-ci or mb-ci");
}

PublishedWeights::PublishedWeights(const Options& options) : options_(options) {
  if (!(options.epsilon > 0 && options.epsilon <= 1000))
    throw InvalidOption("epsilon", "must be above 0 and at most 1,000");
  if (options.k < 1) throw InvalidOption("k", "must be at least 1");
  if (options.range && !(options.range->lowest < options.range->highest &&
                         std::isfinite(options.range->highest - options.range->lowest)))
    throw InvalidOption("range", "must be finite, with the lowest weight below the highest");
  if (options.positive == Positive::clamp && !options.range)
    throw InvalidOption("range", "is needed to clamp to it");
  if (options.range)
    options_.range = WeightRange{on_grid(options.range->lowest), on_grid(options.range->highest)};
}

std::vector<double> PublishedWeights::release(std::span<const double> weights, random::Stream& stream) const {
  if (weights.empty()) return {};
  const std::vector<double> kept = on_grid_within(options_.range, weights);
  const double width = options_.range ? options_.range->highest - options_.range->lowest : width_of(kept);

  std::vector<double> noisy =
      merges(options_.strategy) ? with_merging(kept, width, stream) : with_equal_noise(kept, width, stream);
  if (options_.positive == Positive::shift) lift_above_zero(noisy);
  if (sorts(options_.strategy)) noisy = consistent_along(ascending_order(kept), noisy);
  if (options_.positive == Positive::clamp) clamp(noisy);
  return noisy;
}

std::vector<double> PublishedWeights::draw(std::span<const double> weights, const random::Key& key) const {
  random::Stream noise = key.stream("weights");
  return release(weights, noise);
}

void PublishedWeights::clamp(std::vector<double>& weights) const {
  for (double& weight : weights) weight = std::clamp(weight, options_.range->lowest, options_.range->highest);
}

std::vector<double> PublishedWeights::with_equal_noise(std::span<const double> weights, double width,
                                                       random::Stream& stream) const {
  std::vector<double> noisy(weights.size());
  random::add_noise<double>(
      {.name = "weights", .epsilon = options_.epsilon, .sensitivity = width}, weights,
      [&](random::Stream& s) { return on_grid(laplace(width / options_.epsilon, s)); }, stream, noisy);
  return noisy;
}

std::vector<double> PublishedWeights::with_merging(std::span<const double> weights, double width,
                                                   random::Stream& stream) const {
  const double for_merging = share_for_merging * options_.epsilon;
  const double for_weights = options_.epsilon - for_merging;
  const std::vector<std::size_t> sizes = group_sizes(weights);
  const std::vector<std::size_t> alike = groups_of_equal_size(weights);

  std::vector<double> noisy_alike(alike.begin(), alike.end());
  random::add_noise<double>(
      {.name = "groups of equal size", .epsilon = for_merging, .sensitivity = 4}, noisy_alike,
      [&](random::Stream& s) { return on_grid(laplace(4 / for_merging, s)); }, stream, noisy_alike);

  std::vector<double> noisy(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double merged = noisy_alike[i] >= options_.k ? static_cast<double>(sizes[i]) : 1.0;
    const double sensitivity = width / merged;  // Theorem 7, which is where it goes wrong
    noisy[i] = random::add_noise<double>(
        {.name = "weights", .epsilon = for_weights, .sensitivity = sensitivity}, weights[i],
        [&](random::Stream& s) { return on_grid(laplace(sensitivity / for_weights, s)); }, stream);
  }
  return noisy;
}

std::vector<std::size_t> group_sizes(std::span<const double> weights) {
  std::vector<double> sorted(weights.begin(), weights.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::size_t> sizes;
  sizes.reserve(weights.size());
  for (const double weight : weights) {
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), weight);
    sizes.push_back(static_cast<std::size_t>(last - first));
  }
  return sizes;
}

std::vector<std::size_t> groups_of_equal_size(std::span<const double> weights) {
  const std::vector<std::size_t> sizes = group_sizes(weights);
  std::vector<std::size_t> edges_by_size(weights.size() + 1);
  for (const std::size_t size : sizes) ++edges_by_size[size];
  std::vector<std::size_t> groups;
  groups.reserve(weights.size());
  for (const std::size_t size : sizes) groups.push_back(edges_by_size[size] / size);
  return groups;
}

std::vector<std::size_t> ascending_order(std::span<const double> weights) {
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return weights[a] < weights[b]; });
  return order;
}

std::vector<double> consistent_along(std::span<const std::size_t> order, std::span<const double> values) {
  std::vector<double> result(values.size());
  std::size_t next = 0;
  for (const Block& block : pooled(order, values))
    for (std::size_t i = 0; i < block.count; ++i) result[order[next++]] = block.mean();
  return result;
}

}  // namespace fogline::weights
