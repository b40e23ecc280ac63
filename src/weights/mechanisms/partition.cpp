// SPDX-License-Identifier: Apache-2.0
#include "weights/mechanisms/partition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace fogline::weights {
namespace {

constexpr int most_rounds = 60;  // it takes 3 to 8: against rounding that never settles

/// Sums over the prior, so that the cost of a block is a few additions.
class Costs {
 public:
  Costs(std::span<const double> prior, const PartitionOptions& options)
      : points_(prior.size()),
        other_share_(std::exp(-options.epsilon)),
        least_released_(options.least_released),
        mass_(points_ + 1),
        moment_(points_ + 1),
        error_everywhere_(points_) {
    double total = 0;
    for (const double share : prior) total += share;
    for (std::size_t p = 0; p < points_; ++p) {
      mass_[p + 1] = mass_[p] + prior[p] / total;
      moment_[p + 1] = moment_[p] + prior[p] / total * static_cast<double>(p);
    }
    for (std::size_t p = 0; p < points_; ++p) error_everywhere_[p] = error(0, points_, p);
  }

  std::size_t points() const { return points_; }
  double other_share() const { return other_share_; }
  std::uint32_t least_released() const { return least_released_; }

  /// The mass up to and with `point` of what is released for the block [begin, end): the block's own points at full weight, all others
  /// at e^-epsilon.
  double mass_up_to(std::size_t begin, std::size_t end, std::size_t point) const {
    const std::size_t inside = std::clamp(point + 1, begin, end);
    return (1 - other_share_) * (mass_[inside] - mass_[begin]) + other_share_ * mass_[point + 1];
  }
  double mass(std::size_t begin, std::size_t end) const {
    return (1 - other_share_) * (mass_[end] - mass_[begin]) + other_share_;
  }

  double cost(std::size_t begin, std::size_t end, std::size_t released) const {
    return (1 - other_share_) * error(begin, end, released) + other_share_ * error_everywhere_[released];
  }

 private:
  /// Sum over the points of [begin, end) of their share times their distance from `point`.
  double error(std::size_t begin, std::size_t end, std::size_t point) const {
    const std::size_t cut = std::clamp(point, begin, end);
    const auto at = static_cast<double>(point);
    const double below = at * (mass_[cut] - mass_[begin]) - (moment_[cut] - moment_[begin]);
    const double above = (moment_[end] - moment_[cut]) - at * (mass_[end] - mass_[cut]);
    return below + above;
  }

  std::size_t points_;
  double other_share_;
  std::uint32_t least_released_;
  std::vector<double> mass_, moment_;
  std::vector<double> error_everywhere_;
};

struct Round {
  BlockPartition partition;
  double cost = 0;  // of all blocks together
};

/// The cheapest partition when every block costs `price` besides.
Round cheapest(const Costs& costs, double price) {
  const std::size_t n = costs.points();
  std::vector<double> best(n + 1, std::numeric_limits<double>::infinity());
  std::vector<std::uint32_t> begins(n + 1), releases(n + 1);
  best[0] = 0;
  for (std::size_t begin = 0; begin < n; ++begin) {
    // Follows the end of the block: left until they meet, then right; O(points) steps in all.
    std::size_t median = std::max<std::size_t>(begin, costs.least_released());
    for (std::size_t end = begin + 1; end <= n; ++end) {
      const double half = costs.mass(begin, end) / 2;
      while (median > costs.least_released() && costs.mass_up_to(begin, end, median - 1) >= half) --median;
      while (median + 1 < n && costs.mass_up_to(begin, end, median) < half) ++median;
      const double total = best[begin] + costs.cost(begin, end, median) + price;
      if (total < best[end]) {
        best[end] = total;
        begins[end] = static_cast<std::uint32_t>(begin);
        releases[end] = static_cast<std::uint32_t>(median);
      }
    }
  }
  Round round;
  for (std::size_t end = n; end > 0; end = begins[end]) {
    round.partition.first.push_back(begins[end]);
    round.partition.released.push_back(releases[end]);
    round.cost += costs.cost(begins[end], end, releases[end]);
  }
  std::ranges::reverse(round.partition.first);
  std::ranges::reverse(round.partition.released);
  return round;
}

void require(std::span<const double> prior, const PartitionOptions& options) {
  if (prior.empty() || prior.size() > most_partition_points)
    throw InvalidOption("range", "must have 2 to 20,000 weights for blocks: take a larger `step`");
  if (!(options.epsilon > 0)) throw InvalidOption("epsilon", "must be above 0");
  if (options.least_released >= prior.size())
    throw InvalidOption("least_released", "must be one of the points");
  double total = 0;
  for (const double share : prior) {
    if (!(share >= 0) || !std::isfinite(share))
      throw InvalidOption("prior", "must hold finite numbers of 0 or more");
    total += share;
  }
  if (!(total > 0) || !std::isfinite(total)) throw InvalidOption("prior", "must not be 0 everywhere");
}

}  // namespace

BlockPartition best_partition(std::span<const double> prior, const PartitionOptions& options) {
  require(prior, options);
  const Costs costs(prior, options);
  const double q = costs.other_share();
  const auto ratio = [&](const Round& round) {
    return round.cost / (1 + q * static_cast<double>(round.partition.first.size() - 1));
  };
  Round best = cheapest(costs, 0);
  for (int round = 0; round < most_rounds; ++round) {
    Round next = cheapest(costs, -q * ratio(best));
    if (!(ratio(next) < ratio(best))) break;
    best = std::move(next);
  }
  // Costs are differences of sums, which rounding can bring below 0 where blocks of one point err by nothing.
  best.partition.expected_error = std::max(0.0, ratio(best));
  return best.partition;
}

double expected_error(const BlockPartition& partition, std::span<const double> prior, double epsilon) {
  const Costs costs(prior, {.epsilon = epsilon});
  double cost = 0;
  for (std::size_t b = 0; b < partition.first.size(); ++b) {
    const std::size_t end = b + 1 < partition.first.size() ? partition.first[b + 1] : prior.size();
    cost += costs.cost(partition.first[b], end, partition.released[b]);
  }
  return std::max(0.0, cost / (1 + costs.other_share() * static_cast<double>(partition.first.size() - 1)));
}

}  // namespace fogline::weights
