// SPDX-License-Identifier: Apache-2.0
#include "weights/mechanisms/blocks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "random/noise.hpp"

namespace fogline::weights {
namespace {

// A row's total stays below 2^63, so that one 64-bit word decides.
constexpr long double largest_row = 0x1p62L;

std::vector<double> prior_or_flat(std::span<const double> prior, const WeightGrid& grid) {
  if (!grid.is_finite()) throw InvalidOption("range", "must have both ends for blocks");
  if (grid.points() > most_partition_points)
    throw InvalidOption("range", "must have 2 to 20,000 weights for blocks: take a larger `step`");
  const auto points = static_cast<std::size_t>(grid.points());
  if (prior.empty()) return std::vector<double>(points, 1.0 / static_cast<double>(points));
  if (prior.size() != points)
    throw InvalidOption("prior", "must have a probability for each weight of the range");
  double total = 0;
  for (const double share : prior) total += share;
  std::vector<double> scaled(prior.begin(), prior.end());
  for (double& share : scaled) share /= total;
  return scaled;
}

}  // namespace

Blocks::Blocks(const Options& options)
    : EdgeMechanism(options.grid, {.unit = ProtectedUnit::edge}, options.positive),
      epsilon_(options.epsilon),
      partition_(best_partition(prior_or_flat(options.prior, options.grid),
                                {.epsilon = epsilon_.value().to_double(),
                                 .least_released = static_cast<std::uint32_t>(least_point())})),
      block_of_(static_cast<std::size_t>(options.grid.points())) {
  for (std::size_t b = 0; b < partition_.first.size(); ++b)
    std::fill(block_of_.begin() + partition_.first[b], block_of_.end(), static_cast<std::uint32_t>(b));

  // The ratio of the two weights is the loss. It stays below e^epsilon by what an exact certificate cannot resolve, and by more than the
  // rounding of exp; the integers are the mechanism.
  const auto epsilon = static_cast<long double>(epsilon_.value().numerator()) /
                       static_cast<long double>(epsilon_.value().denominator());
  constexpr long double resolved = 0x1p-48L;
  const long double ratio = std::exp(epsilon - (1 + epsilon) * resolved);
  const auto blocks = static_cast<long double>(partition_.first.size());
  low_ = static_cast<std::uint64_t>(std::max(1.0L, std::floor(largest_row / (ratio + blocks))));
  high_ =
      static_cast<std::uint64_t>(std::min(largest_row, std::floor(static_cast<long double>(low_) * ratio)));
  high_ = std::max(high_, low_);
  total_ = high_ + low_ * (partition_.first.size() - 1);
}

privacy::Guarantee Blocks::guarantee() const {
  return privacy::Guarantee::pure(epsilon_, protection().text(grid()), privacy::Exactness::exact);
}

nlohmann::ordered_json Blocks::parameters() const {
  return {{"blocks", partition_.first.size()}};
}

void Blocks::draw(std::span<const std::int64_t> points, random::Stream& noise,
                  std::span<std::int64_t> drawn) const {
  for (const std::int64_t point : points) {
    if (point < 0 || point >= static_cast<std::int64_t>(block_of_.size()))
      throw InvalidOption("points", "must lie on the grid");
  }
  const std::uint64_t others = partition_.first.size() - 1;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::uint64_t own = block_of(points[i]);
    const auto one = [&] {
      if (noise.below(total_) < high_) return own;
      const std::uint64_t other = noise.below(others);
      return other + (other >= own ? 1 : 0);
    };
    const auto odds = [&](std::uint64_t block) { return random::Odds{block == own ? high_ : low_, total_}; };
    drawn[i] = static_cast<std::int64_t>(random::choose("block", noise, one, odds));
  }
}

double Blocks::log_weight(std::int64_t drawn, std::int64_t point) const {
  if (drawn < 0 || drawn >= static_cast<std::int64_t>(outputs()))
    return -std::numeric_limits<double>::infinity();
  const std::uint64_t weight = block_of(point) == static_cast<std::uint64_t>(drawn) ? high_ : low_;
  return std::log(static_cast<double>(weight)) - std::log(static_cast<double>(total_));
}

double Blocks::weight(std::int64_t drawn) const {
  return grid().value(partition_.released.at(static_cast<std::size_t>(drawn)));
}

kernel::WeightRow Blocks::row(std::int64_t point) const {
  kernel::WeightRow row{std::vector<Uint128>(outputs(), low_), total_};
  row.weights.at(block_of(point)) = high_;
  return row;
}

Prediction Blocks::predict(std::span<const double> prior) const {
  const std::vector<double> shares = prior_or_flat(prior, grid());
  const double epsilon = epsilon_.value().to_double();
  const BlockPartition best = best_partition(shares, {.epsilon = epsilon});
  return {.expected_error = expected_error(partition_, shares, epsilon) * grid().step(),
          .floor = best.expected_error * grid().step(),
          .best_constant = best_constant_error(grid(), shares)};
}

}  // namespace fogline::weights
