// SPDX-License-Identifier: Apache-2.0
#include "traces/histograms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "traces/denoise.hpp"

namespace fogline::traces {
namespace {

using Table = std::vector<double>;

constexpr std::array<double, 5> widths{1.2, 2, 3, 4.5, 7};  // of bumps, in bins

/// Sums to one.
Table bump(std::size_t middle, double width, std::size_t bins) {
  Table result(bins);
  for (std::size_t i = 0; i < bins; ++i) {
    const double d = (static_cast<double>(i) - static_cast<double>(middle)) / width;
    result[i] = std::exp(-d * d / 2);
  }
  scale_to(result, 1);
  return result;
}

/// Bumps about every bin that are so wide or wider.
std::vector<Table> bumps(std::size_t bins, double narrowest) {
  std::vector<Table> result;
  for (const double width : widths)
    for (std::size_t middle = 0; middle < bins && width >= narrowest; ++middle)
      result.push_back(bump(middle, width, bins));
  return result;
}

/// How much bins that sum to this tell against their noise, 0 to 1.
double told_by(const NoisyTable& noisy, double sum) {
  const double told = sum * sum / (2 * noisy.scale * noisy.scale * static_cast<double>(noisy.value.size()));
  return told / (1 + told);
}

/// The nearest point with nothing below zero that sums to one.
void project_to_simplex(Table& x) {
  Table sorted = x;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0, shift = 0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    sum += sorted[k];
    const double candidate = (sum - 1) / static_cast<double>(k + 1);
    if (sorted[k] > candidate) shift = candidate;
  }
  for (double& v : x) v = std::max(0.0, v - shift);
}

Table mixed(const std::vector<Table>& atoms, const Table& weight) {
  Table mix(atoms.front().size());
  for (std::size_t a = 0; a < atoms.size(); ++a)
    if (weight[a] != 0)
      for (std::size_t i = 0; i < mix.size(); ++i) mix[i] += weight[a] * atoms[a][i];
  return mix;
}

/// Weights, none below zero and one in all, that bring the mixture times `total` nearest to the noisy bins: accelerated gradient steps on the simplex.
Table nearest_weights(const std::vector<Table>& atoms, std::span<const double> noisy, double total) {
  // Atoms sum to one, so the square of their largest singular value is at most the largest sum over a bin.
  const Table over_bins = mixed(atoms, Table(atoms.size(), 1));
  const double step = 1 / *std::max_element(over_bins.begin(), over_bins.end());
  Table weight(atoms.size(), 1.0 / static_cast<double>(atoms.size())), ahead = weight;
  double momentum = 1;
  constexpr int rounds = 400;
  for (int round = 0; round < rounds; ++round) {
    Table off = mixed(atoms, ahead);
    for (std::size_t i = 0; i < off.size(); ++i) off[i] -= noisy[i] / total;
    Table next = ahead;
    for (std::size_t a = 0; a < atoms.size(); ++a)
      next[a] -= step * std::inner_product(off.begin(), off.end(), atoms[a].begin(), 0.0);
    project_to_simplex(next);
    const double grown = (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
    for (std::size_t a = 0; a < atoms.size(); ++a)
      ahead[a] = next[a] + (momentum - 1) / grown * (next[a] - weight[a]);
    momentum = grown;
    weight = std::move(next);
  }
  return weight;
}

/// The mean of the bins at this distance on either side.
Table beside(const Table& table, std::size_t distance) {
  Table result(table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    double sum = 0, count = 0;
    if (i >= distance) sum += table[i - distance], ++count;
    if (i + distance < table.size()) sum += table[i + distance], ++count;
    result[i] = count > 0 ? std::max(0.0, sum / count) : 0;
  }
  return result;
}

/// Each bin as a parabola through the bins around it says, itself left out: histograms of lengths and hours are smooth.
Table smoothed(const Table& table, int reach) {
  const auto size = static_cast<int>(table.size());
  Table result(table.size());
  for (int i = 0; i < size; ++i) {
    std::array<double, 5> power{};
    std::array<double, 3> right{};
    for (int d = -reach; d <= reach; ++d) {
      if (d == 0 || i + d < 0 || i + d >= size) continue;
      const double u = static_cast<double>(d) / (reach + 1), w = 1 - u * u;
      for (std::size_t k = 0; k < 5; ++k) power[k] += w * std::pow(u, static_cast<double>(k));
      for (std::size_t k = 0; k < 3; ++k)
        right[k] += w * std::pow(u, static_cast<double>(k)) * table[static_cast<std::size_t>(i + d)];
    }
    // Cramer's rule for the constant term.
    const auto det = [](double a, double b, double c, double d, double e, double f, double g, double h,
                        double k) { return a * (e * k - f * h) - b * (d * k - f * g) + c * (d * h - e * g); };
    const double all =
        det(power[0], power[1], power[2], power[1], power[2], power[3], power[2], power[3], power[4]);
    const double top =
        det(right[0], power[1], power[2], right[1], power[2], power[3], right[2], power[3], power[4]);
    result[static_cast<std::size_t>(i)] = std::max(0.0, all > 1e-12 ? top / all : 0);
  }
  return result;
}

/// The nearest table that rises to its largest smoothed bin and falls from there: pools bins that noise has put out of order.
Table one_peak(const Table& table) {
  const Table smooth = smoothed(table, 3);
  const auto peak = static_cast<std::size_t>(std::max_element(smooth.begin(), smooth.end()) - smooth.begin());
  struct Block {
    double sum;
    std::size_t count;
    double mean() const { return sum / static_cast<double>(count); }
  };
  Table result(table.size());
  const auto fall = [&](std::size_t begin, std::size_t end,
                        const std::function<std::size_t(std::size_t)>& at) {
    std::vector<Block> blocks;
    for (std::size_t i = begin; i < end; ++i) {
      blocks.push_back({table[at(i)], 1});
      while (blocks.size() > 1 && blocks.back().mean() >= blocks[blocks.size() - 2].mean()) {
        const Block last = blocks.back();
        blocks.pop_back();
        blocks.back().sum += last.sum;
        blocks.back().count += last.count;
      }
    }
    std::size_t i = begin;
    for (const Block& block : blocks)
      for (std::size_t k = 0; k < block.count; ++k) result[at(i++)] = std::max(0.0, block.mean());
  };
  fall(peak, table.size(), [](std::size_t i) { return i; });
  fall(table.size() - 1 - peak, table.size(), [&](std::size_t i) { return table.size() - 1 - i; });
  return result;
}

/// Leaves a row what lies about its largest bin, up to two bins in a row that hold next to nothing. Rare bins far off that noise made up would be drawn again and
/// again: steps of ten metres for trips of a hundred kilometres.
void keep_one_hump(std::span<double> row, double least) {
  const auto size = static_cast<std::ptrdiff_t>(row.size());
  const std::ptrdiff_t peak = std::max_element(row.begin(), row.end()) - row.begin();
  for (const std::ptrdiff_t way : {-1, 1}) {
    int doubtful = 0;
    for (std::ptrdiff_t i = peak + way; i >= 0 && i < size; i += way) {
      double& bin = row[static_cast<std::size_t>(i)];
      doubtful = bin < least ? doubtful + 1 : doubtful < 2 ? 0 : doubtful;
      if (bin < least || doubtful >= 2) bin = 0;
    }
  }
}

}  // namespace

std::vector<double> mixture_of_bumps(const NoisyTable& noisy, double total,
                                     const std::vector<Table>& shapes) {
  Table best;
  double least = INFINITY;
  for (const double narrowest : widths) {
    std::vector<Table> atoms = bumps(noisy.value.size(), narrowest);
    for (Table shape : shapes) {
      scale_to(shape, 1);
      atoms.push_back(std::move(shape));
    }
    const Table weight = nearest_weights(atoms, noisy.value, total);
    Table mix = mixed(atoms, weight);
    double miss = 0;
    for (std::size_t i = 0; i < mix.size(); ++i) miss += std::pow((mix[i] *= total) - noisy.value[i], 2);
    // Mallows: each weight that is used may have taken up noise, twice.
    const auto used =
        static_cast<double>(std::count_if(weight.begin(), weight.end(), [](double w) { return w > 1e-3; }));
    const double freedom = std::min(used, static_cast<double>(mix.size()) / narrowest);
    const double expected = miss + 2 * freedom * 2 * noisy.scale * noisy.scale;
    if (expected < least) least = expected, best = std::move(mix);
  }
  return best;
}

std::vector<double> believed_histogram(const NoisyTable& noisy, double trips) {
  // Where noise is larger than what a bin may be expected to hold, only what is smooth can be told.
  const bool hidden = trips < noisy.scale * static_cast<double>(noisy.value.size());
  const std::vector<Table> predictors =
      hidden ? std::vector<Table>{mixture_of_bumps(noisy, trips)}
             : std::vector<Table>{smoothed(noisy.value, 3), smoothed(noisy.value, 6), beside(noisy.value, 1),
                                  one_peak(noisy.value)};
  Table result = denoise(noisy, predictors, {.usual_spread = 0.02}).mean;
  scale_to(result, trips);
  return result;
}

std::vector<double> bump_about(std::size_t bin, std::size_t bins) {
  return bump(bin, 2, bins);
}

std::vector<double> believed_rows(const NoisyTable& noisy, std::span<const double> row_sums,
                                  const std::vector<double>& usual) {
  const std::size_t columns = noisy.value.size() / row_sums.size();
  NoisyTable all{Table(columns), noisy.scale * std::sqrt(static_cast<double>(row_sums.size()))};
  for (std::size_t i = 0; i < noisy.value.size(); ++i) all.value[i % columns] += noisy.value[i];
  const double trips = std::accumulate(row_sums.begin(), row_sums.end(), 0.0);
  Table together = mixture_of_bumps(all, trips);
  const double all_own = told_by(all, trips);
  for (std::size_t i = 0; i < columns; ++i)
    together[i] = all_own * together[i] + (1 - all_own) * trips * usual[i];
  Table prior;
  for (std::size_t r = 0; r < row_sums.size(); ++r) {
    const double sum = std::max(row_sums[r], 1e-3);
    const auto begin = noisy.value.begin() + static_cast<std::ptrdiff_t>(r * columns);
    const NoisyTable bins{Table(begin, begin + static_cast<std::ptrdiff_t>(columns)), noisy.scale};
    const Table row = mixture_of_bumps(bins, sum, {together});
    // A row that is small against its noise tells nothing by itself.
    const double own = told_by(bins, sum);
    for (std::size_t i = 0; i < columns; ++i)
      prior.push_back(own * row[i] + (1 - own) * sum * together[i] / trips);
  }
  Table result = denoise(noisy, {prior}, {.usual_spread = 0.05}).mean;
  for (std::size_t r = 0; r < row_sums.size(); ++r) {
    const auto row = std::span(result).subspan(r * columns, columns);
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    keep_one_hump(row, std::max(0.003 * sum, noisy.scale));
    scale_to(row, row_sums[r]);
  }
  return result;
}

}  // namespace fogline::traces
