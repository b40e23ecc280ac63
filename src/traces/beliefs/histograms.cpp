// SPDX-License-Identifier: Apache-2.0
#include "traces/beliefs/histograms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "traces/beliefs/denoise.hpp"

namespace fogline::traces {
namespace {

using Table = std::vector<double>;

/// Of bumps, in bins: from hardly more than one bin to a seventh of a histogram of lengths, each about 1.6 times as
/// wide as the one before, so that sums of two of them make what lies between.
constexpr std::array<double, 5> bump_widths{1.2, 2, 3, 4.5, 7};

/// A normal density among bins, summing to one.
Table make_bump(std::size_t middle, double width, std::size_t bins) {
  Table result(bins);
  for (std::size_t i = 0; i < bins; ++i) {
    const double d = (static_cast<double>(i) - static_cast<double>(middle)) / width;
    result[i] = std::exp(-d * d / 2);
  }
  scale_to(result, 1);
  return result;
}

/// Bumps about every bin that are so wide or wider.
std::vector<Table> make_bumps(std::size_t bins, double narrowest) {
  std::vector<Table> result;
  for (const double width : bump_widths)
    for (std::size_t middle = 0; middle < bins && width >= narrowest; ++middle)
      result.push_back(make_bump(middle, width, bins));
  return result;
}

/// How much noisy bins tell by themselves, 0 to 1, if they are about so: the part of their squares that is not noise,
/// which is the factor of Wiener's filter.
double weigh_own_bins(const NoisyTable& noisy, std::span<const double> about) {
  const double squares = std::inner_product(about.begin(), about.end(), about.begin(), 0.0);
  return squares / (squares + 2 * noisy.scale * noisy.scale * static_cast<double>(noisy.value.size()));
}

/// The nearest point with nothing below zero that sums to one: all are lowered by the same amount, and cut at zero. The
/// amount is found by trying how many of the largest stay above it.
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

Table mix_atoms(const std::vector<Table>& atoms, const Table& weight) {
  Table mix(atoms.front().size());
  for (std::size_t a = 0; a < atoms.size(); ++a)
    if (weight[a] != 0)
      for (std::size_t i = 0; i < mix.size(); ++i) mix[i] += weight[a] * atoms[a][i];
  return mix;
}

/// Weights, none below zero and one in all, that bring the mixture times `total` nearest to the noisy bins: accelerated
/// gradient steps (Nesterov, FISTA), each projected on the simplex.
Table find_nearest_weights(const std::vector<Table>& atoms, std::span<const double> noisy, double total) {
  // The error falls with the square of the rounds; Mallows' criterion compares misses that noise blurs anyway.
  constexpr int gradient_rounds = 400;
  // The step is one over a bound of the gradient's slope. Atoms sum to one, so the square of their largest singular
  // value is at most the largest sum over a bin (the product of the 1-norm and the infinity norm of their matrix).
  const Table over_bins = mix_atoms(atoms, Table(atoms.size(), 1));
  const double step = 1 / *std::max_element(over_bins.begin(), over_bins.end());
  Table weight(atoms.size(), 1.0 / static_cast<double>(atoms.size())), ahead = weight;
  double momentum = 1;
  for (int round = 0; round < gradient_rounds; ++round) {
    Table off = mix_atoms(atoms, ahead);
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

/// The mean of the bins at this distance on either side. Bins themselves are left out here and in smooth(): a predictor
/// that has a bin's own noise in it would have it believed.
Table average_beside(const Table& table, std::size_t distance) {
  Table result(table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    double sum = 0, count = 0;
    if (i >= distance) {
      sum += table[i - distance];
      ++count;
    }
    if (i + distance < table.size()) {
      sum += table[i + distance];
      ++count;
    }
    result[i] = count > 0 ? std::max(0.0, sum / count) : 0;
  }
  return result;
}

/// How many bins to either side a parabola is fitted to: few where bins tell much, and twice as many where they do not.
/// Which one is believed is left to the weights of predictors.
constexpr int near_reach = 3, far_reach = 6;

/// Each bin as a parabola through the bins around it says, itself left out: local regression of the second degree with
/// Epanechnikov's weights. A mean would flatten peaks, and histograms of lengths and hours have one.
Table smooth(const Table& table, int reach) {
  // At an end of the table with too few bins around the three equations do not tell three numbers.
  constexpr double singular = 1e-12;
  const auto size = static_cast<int>(table.size());
  Table result(table.size());
  for (int i = 0; i < size; ++i) {
    // The normal equations: sums of powers 0 to 4 of the distance, and of powers 0 to 2 times the bins.
    constexpr std::size_t coefficients = 3, powers = 2 * coefficients - 1;
    std::array<double, powers> power{};
    std::array<double, coefficients> right{};
    for (int d = -reach; d <= reach; ++d) {
      if (d == 0 || i + d < 0 || i + d >= size) continue;
      const double u = static_cast<double>(d) / (reach + 1), w = 1 - u * u;
      for (std::size_t k = 0; k < powers; ++k) power[k] += w * std::pow(u, static_cast<double>(k));
      for (std::size_t k = 0; k < coefficients; ++k)
        right[k] += w * std::pow(u, static_cast<double>(k)) * table[static_cast<std::size_t>(i + d)];
    }
    // Cramer's rule for the constant term, which is the parabola at the bin itself.
    const auto det = [](double a, double b, double c, double d, double e, double f, double g, double h,
                        double k) { return a * (e * k - f * h) - b * (d * k - f * g) + c * (d * h - e * g); };
    const double all =
        det(power[0], power[1], power[2], power[1], power[2], power[3], power[2], power[3], power[4]);
    const double top =
        det(right[0], power[1], power[2], right[1], power[2], power[3], right[2], power[3], power[4]);
    result[static_cast<std::size_t>(i)] = std::max(0.0, all > singular ? top / all : 0);
  }
  return result;
}

/// The nearest table that rises to its largest smoothed bin and falls from there (isotonic regression to both sides):
/// neighbours that noise has put out of order are pooled. A bin's own noise is left out only as far as it is pooled.
Table fit_one_peak(const Table& table) {
  const Table even = smooth(table, near_reach);
  const auto peak = static_cast<std::size_t>(std::max_element(even.begin(), even.end()) - even.begin());
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
      for (std::size_t k = 0; k < block.count; ++k) {
        result[at(i)] = std::max(0.0, block.mean());
        ++i;
      }
  };
  fall(peak, table.size(), [](std::size_t i) { return i; });
  fall(table.size() - 1 - peak, table.size(), [&](std::size_t i) { return table.size() - 1 - i; });
  return result;
}

NoisyTable take_row(const NoisyTable& noisy, std::size_t row, std::size_t columns) {
  const auto begin = noisy.value.begin() + static_cast<std::ptrdiff_t>(row * columns);
  return {Table(begin, begin + static_cast<std::ptrdiff_t>(columns)), noisy.scale};
}

}  // namespace

std::vector<double> mixture_of_bumps(const NoisyTable& noisy, double total,
                                     const std::vector<Table>& shapes) {
  // A bump of less than one in a thousand trips follows hardly any noise, and counts as not used.
  constexpr double least_used = 1e-3;
  Table best;
  double least = INFINITY;
  for (const double narrowest : bump_widths) {
    std::vector<Table> atoms = make_bumps(noisy.value.size(), narrowest);
    for (Table shape : shapes) {
      scale_to(shape, 1);
      atoms.push_back(std::move(shape));
    }
    const Table weight = find_nearest_weights(atoms, noisy.value, total);
    Table mix = mix_atoms(atoms, weight);
    double miss = 0;
    for (std::size_t i = 0; i < mix.size(); ++i) {
      mix[i] *= total;
      miss += std::pow(mix[i] - noisy.value[i], 2);
    }
    // Mallows' criterion: the expected miss of the truth, which is the miss of the noisy bins and twice the noise's
    // variance for each degree of freedom. There are no more degrees than bumps of that width fit side by side.
    const auto used = static_cast<double>(
        std::count_if(weight.begin(), weight.end(), [](double w) { return w > least_used; }));
    const double freedom = std::min(used, static_cast<double>(mix.size()) / narrowest);
    const double expected = miss + 2 * freedom * 2 * noisy.scale * noisy.scale;
    if (expected < least) {
      least = expected;
      best = std::move(mix);
    }
  }
  return best;
}

std::vector<double> believed_histogram(const NoisyTable& noisy, double trips) {
  // A histogram strays from its smooth form by 14 % (the root of 0.02) where noise hides by how much: by less than a
  // table of places does from its predictors. Chosen, not derived.
  constexpr double smooth_spread = 0.02;
  // Where noise is larger than what a bin may be expected to hold, only what is smooth can be told.
  const bool hidden = trips < noisy.scale * static_cast<double>(noisy.value.size());
  const std::vector<Table> predictors =
      hidden ? std::vector<Table>{mixture_of_bumps(noisy, trips)}
             : std::vector<Table>{smooth(noisy.value, near_reach), smooth(noisy.value, far_reach),
                                  average_beside(noisy.value, 1), fit_one_peak(noisy.value)};
  Table result = denoise(noisy, predictors, {.usual_spread = smooth_spread}).mean;
  scale_to(result, trips);
  return result;
}

std::vector<double> believed_lengths(const NoisyTable& noisy, double trips, const UsualLengths& usual) {
  Table result = believed_histogram(noisy, trips);
  keep_what_shows(result, noisy, believed_gamma(noisy, trips, usual), trips, TellingRuns::anywhere);
  return result;
}

std::vector<double> believed_rows(const NoisyTable& noisy, std::span<const double> row_sums,
                                  const UsualBump& usual) {
  const std::size_t columns = noisy.value.size() / row_sums.size();
  // A row that should be empty still says what a trip is like that falls there all the same.
  constexpr double least_row = 1e-3;
  // About the hump of all rows: one and a half bins of half a power of two, a factor of 1.7, and a third wider or
  // narrower. Trips of other lengths are not altogether other trips. Noise that would make a law of its own for a few
  // of them would make it wide, and their steps metres and their speeds those of aircraft.
  constexpr double row_strays = 1.5, row_width_strays = 0.35;
  // 22 % (the root of 0.05) about the mixture, where noise hides by how much rows stray. Chosen, not derived.
  constexpr double row_spread = 0.05;
  const double largest = *std::max_element(row_sums.begin(), row_sums.end());
  // Rows count by what they hold: those with few trips would add little but their noise.
  NoisyTable all{Table(columns), 0};
  double trips = 0, squares = 0;
  for (std::size_t r = 0; r < row_sums.size(); ++r) {
    const double weight = row_sums[r] / largest;
    trips += weight * row_sums[r];
    squares += weight * weight;
    for (std::size_t i = 0; i < columns; ++i) all.value[i] += weight * noisy.value[r * columns + i];
  }
  all.scale = noisy.scale * std::sqrt(squares);
  const Bump bump = believed_bump(all, trips, usual);
  const Table law = bump.bins(columns, trips);
  Table together = mixture_of_bumps(all, trips);
  const double all_own = weigh_own_bins(all, law);
  for (std::size_t i = 0; i < columns; ++i) together[i] = all_own * together[i] + (1 - all_own) * law[i];
  keep_what_shows(together, all, law, trips, TellingRuns::in_tails);
  Table prior;
  std::vector<Table> row_law;
  for (std::size_t r = 0; r < row_sums.size(); ++r) {
    const double sum = std::max(row_sums[r], least_row);
    const NoisyTable bins = take_row(noisy, r, columns);
    row_law.push_back(
        believed_bump(
            bins, sum,
            {.bin = bump.bin, .strays = row_strays, .width = bump.width, .width_strays = row_width_strays})
            .bins(columns, sum));
    const Table row = mixture_of_bumps(bins, sum, {together});
    // A row that is small against its noise tells nothing by itself.
    const double own = weigh_own_bins(bins, row_law[r]);
    for (std::size_t i = 0; i < columns; ++i)
      prior.push_back(own * row[i] + (1 - own) * sum * together[i] / trips);
  }
  Table result = denoise(noisy, {prior}, {.usual_spread = row_spread}).mean;
  for (std::size_t r = 0; r < row_sums.size(); ++r) {
    const auto row = std::span(result).subspan(r * columns, columns);
    const NoisyTable bins = take_row(noisy, r, columns);
    keep_what_shows(row, bins, row_law[r], std::max(row_sums[r], least_row), TellingRuns::in_tails);
  }
  return result;
}

}  // namespace fogline::traces
