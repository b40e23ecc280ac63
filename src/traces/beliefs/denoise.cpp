// SPDX-License-Identifier: Apache-2.0
#include "traces/beliefs/denoise.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"

namespace fogline::traces {
namespace {

/// How far a count strays from its prediction before that is learned, as a share of the prediction, squared: by half.
/// It only decides how much cells weigh against each other, so it need not be right, only the same order of size.
constexpr double assumed_spread = 0.25;

/// Of Laplace noise.
double variance_of_noise(const NoisyTable& noisy) {
  return 2 * noisy.scale * noisy.scale;
}

/// Weights of the predictors, none below zero: weighted least squares with a normal prior about the usual weights
/// (ridge regression). Predictors resemble each other, and noise would else set one of them off against another.
std::vector<double> mix(const NoisyTable& noisy, const std::vector<std::vector<double>>& predictors,
                        const std::vector<double>& precision, const std::vector<double>& usual) {
  // The prior's variance: a weight is mostly within one half of what is usual. Chosen, not derived: it matters only
  // where noise hides the table.
  constexpr double prior_variance = 0.25;
  // Coordinate descent on a positive definite system always converges. A fixed number of rounds, since a round costs
  // next to nothing beside the sums above it: a few predictors against hundreds of cells.
  constexpr int descent_rounds = 200;
  const std::size_t count = predictors.size();
  std::vector<double> product(count * count), right(count), weight = usual;
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t i = 0; i < noisy.value.size(); ++i)
      right[a] += precision[i] * predictors[a][i] * noisy.value[i];
    for (std::size_t b = 0; b < count; ++b)
      for (std::size_t i = 0; i < noisy.value.size(); ++i)
        product[a * count + b] += precision[i] * predictors[a][i] * predictors[b][i];
  }
  for (std::size_t a = 0; a < count; ++a) {
    right[a] += usual[a] / prior_variance;
    product[a * count + a] += 1 / prior_variance;
  }
  for (int round = 0; round < descent_rounds; ++round)
    for (std::size_t a = 0; a < count; ++a) {
      double rest = right[a];
      for (std::size_t b = 0; b < count; ++b)
        if (b != a) rest -= product[a * count + b] * weight[b];
      // A predictor with a negative weight would make a prior with negative means.
      weight[a] = std::max(0.0, rest / product[a * count + a]);
    }
  return weight;
}

/// How far counts stray from the prior's mean, as a share of it, squared: for few, some and many expected. One number
/// for all would be that of the largest cells, which tell it best, and small counts may stray by another share.
struct Spread {
  static constexpr std::size_t groups = 3;  // chosen, not derived
  std::array<double, groups> upper{}, share{};

  std::size_t group_of(double mean) const {
    std::size_t group = 0;
    while (group + 1 < groups && mean > upper[group]) ++group;
    return group;
  }
  double at(double mean) const { return share[group_of(mean)]; }
};

/// Groups of equal expected mass, so that each has something to learn from.
void split_by_mass(Spread& spread, const std::vector<double>& prior) {
  std::vector<double> sorted = prior;
  std::sort(sorted.begin(), sorted.end());
  const double total = std::accumulate(sorted.begin(), sorted.end(), 0.0);
  double mass = 0;
  std::size_t group = 0;
  for (const double m : sorted) {
    mass += m;
    while (group + 1 < Spread::groups &&
           mass > total * static_cast<double>(group + 1) / static_cast<double>(Spread::groups)) {
      spread.upper[group] = m;
      ++group;
    }
  }
  for (; group + 1 < Spread::groups; ++group) spread.upper[group] = sorted.empty() ? 0 : sorted.back();
}

/// By the method of moments: (count - mean)^2 is expected to be the noise's variance and share * mean^2, so the share
/// is the slope of a regression of what is more than noise on mean^2.
Spread learn_spread(const NoisyTable& noisy, const std::vector<double>& prior, double usual) {
  // The square of Laplace noise of variance v has the variance 5 v^2: its fourth moment is 6 v^2.
  constexpr double variance_of_square = 5;
  // Keeps cells without noise and without mean from dividing by zero; far below any count in trips, squared.
  constexpr double least_variance = 1e-9;
  // Deviations of 5 % and of 200 % of the mean. The estimate may come out below zero, where no prior is; at 200 % a
  // Gamma prior has most of its mass near nothing.
  constexpr double least_share = 0.003, most_share = 4.0;
  Spread spread;
  split_by_mass(spread, prior);
  const double noise = variance_of_noise(noisy);
  std::array<double, Spread::groups> excess{}, square{}, doubt{};
  for (std::size_t i = 0; i < prior.size(); ++i) {
    const std::size_t g = spread.group_of(prior[i]);
    const double off = noisy.value[i] - prior[i];
    // The regression weighs a cell by how well it tells: the inverse square of its variance if it strayed as
    // assumed.
    const double sure = 1 / std::pow(noise + assumed_spread * prior[i] * prior[i] + least_variance, 2);
    excess[g] += sure * prior[i] * prior[i] * (off * off - noise);
    square[g] += sure * std::pow(prior[i], 4);
    doubt[g] += sure * sure * std::pow(prior[i], 4) * variance_of_square * noise * noise;
  }
  // The mean of what is learned and what is usual, each weighed by its precision: where noise hides how far counts
  // stray, what is usual is believed. The usual share is taken to be as uncertain as it is large.
  for (std::size_t g = 0; g < Spread::groups; ++g) {
    const double learned = doubt[g] > 0 ? square[g] * square[g] / doubt[g] : 0, assumed = 1 / (usual * usual);
    const double share = square[g] > 0 ? excess[g] / square[g] : usual;
    spread.share[g] =
        std::clamp((learned * share + assumed * usual) / (learned + assumed), least_share, most_share);
  }
  return spread;
}

/// Mean and variance of x >= 0 under a Gamma prior of this mean and variance, seen as y with Laplace noise: by
/// summing over a grid. In closed form it takes incomplete Gamma functions, one of them with a rate that may be
/// negative.
std::pair<double, double> integrate_posterior(double y, double scale, double mean, double variance) {
  // Where nothing is predicted there is nothing: a Gamma law needs a mean above zero.
  constexpr double least_mean = 1e-9, least_high = 1e-6;
  // The grid ends where next to nothing is left: of the prior, of the noise above y, and, downwards, where the prior
  // has fallen by e^-30. With a shape below 0.3 that would be too far to be worth summing over.
  constexpr double prior_deviations = 12, noise_scales = 3, e_foldings = 30, least_shape = 0.3;
  constexpr double widest_range = 1e-7;
  // Over the widest range, 16 e-foldings, two neighbours of the grid differ by a tenth. A count that is known better
  // than that comes out near one of them.
  constexpr int steps = 160;
  if (!(mean > least_mean)) return {0, 0};
  const double shape = mean * mean / variance, rate = mean / variance;
  const double deviation = std::sqrt(variance);
  const double high = std::max({mean + prior_deviations * deviation, y + noise_scales * scale, least_high});
  const double low = std::max(
      high * widest_range, std::min(mean * std::exp(-e_foldings / std::max(shape, least_shape)), high / 2));
  // In u = log x, whose density has a factor x more, a Gamma prior is smooth at zero whatever its shape, where in x
  // it may be infinite.
  const double from = std::log(low), step = (std::log(high) - from) / steps;
  std::array<double, steps + 1> weight{}, at{};
  double most = -INFINITY;
  for (int i = 0; i <= steps; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double u = from + step * i;
    at[k] = std::exp(u);
    weight[k] = shape * u - rate * at[k] - std::abs(y - at[k]) / scale;
    most = std::max(most, weight[k]);
  }
  double total = 0, first = 0, second = 0;
  for (std::size_t k = 0; k <= steps; ++k) {
    const double w = std::exp(weight[k] - most);  // the largest is 1, so that not all of them underflow
    total += w;
    first += w * at[k];
    second += w * at[k] * at[k];
  }
  first /= total;
  return {first, std::max(0.0, second / total - first * first)};
}

}  // namespace

std::vector<double> product_of_sums(const std::vector<double>& table, std::size_t columns) {
  const std::size_t rows = table.size() / columns;
  std::vector<double> row(rows), column(columns), result(table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    row[i / columns] += table[i];
    column[i % columns] += table[i];
  }
  double total = 0;
  for (double& r : row) {
    r = std::max(0.0, r);
    total += r;
  }
  for (double& c : column) c = std::max(0.0, c);
  for (std::size_t i = 0; i < table.size(); ++i)
    result[i] = total > 0 ? row[i / columns] * column[i % columns] / total : 0;
  return result;
}

void scale_to(std::span<double> table, double total) {
  double sum = 0;
  for (double& x : table) {
    x = std::max(0.0, x);
    sum += x;
  }
  if (sum > 0)
    for (double& x : table) x *= total / sum;
  else
    std::fill(table.begin(), table.end(), total / static_cast<double>(table.size()));
}

Estimate denoise(const NoisyTable& noisy, const std::vector<std::vector<double>>& predictors,
                 const DenoiseOptions& options) {
  // A cell's precision depends on its mean, and the mean on the weights that precisions decide: least squares,
  // reweighted. The prior is a guess anyway, so that three rounds are enough.
  constexpr int reweighting_rounds = 3;
  // About half a millisecond of integrals each: enough to be worth a thread's while.
  constexpr std::size_t cells_a_task = 64;
  const std::size_t size = noisy.value.size();
  std::vector<std::vector<double>> used = predictors;
  if (used.empty()) {
    const double sum = std::accumulate(noisy.value.begin(), noisy.value.end(), 0.0);
    // Noise may have taken the sum below zero; a prior must have a mean.
    used.emplace_back(size, std::max(sum, noisy.scale) / static_cast<double>(size));
  }
  const double noise = variance_of_noise(noisy);
  const std::vector<double> usual =
      options.weights.empty() ? std::vector<double>(used.size(), 1 / static_cast<double>(used.size()))
                              : options.weights;
  // Of a noisy count about what is predicted: the noise, the predictor's own error, and that of counting (Poisson).
  const auto precision_about = [noise](double expected) {
    return 1 / (noise + assumed_spread * expected * expected + expected);
  };
  std::vector<double> precision(size), prior(size);
  for (std::size_t i = 0; i < size; ++i) {
    double expected = 0;
    for (std::size_t a = 0; a < used.size(); ++a) expected += usual[a] * used[a][i];
    precision[i] = precision_about(expected);
  }
  for (int round = 0; round < reweighting_rounds; ++round) {
    const std::vector<double> weight = mix(noisy, used, precision, usual);
    for (std::size_t i = 0; i < size; ++i) {
      prior[i] = 0;
      for (std::size_t a = 0; a < used.size(); ++a) prior[i] += weight[a] * used[a][i];
      precision[i] = precision_about(prior[i]);
    }
  }
  const Spread spread = learn_spread(noisy, prior, options.usual_spread);
  Estimate estimate;
  estimate.mean.resize(size);
  estimate.variance.resize(size);
  parallel_for(size, {.threads = 0, .grain = cells_a_task}, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const double m = prior[i], variance = spread.at(m) * m * m;
      std::tie(estimate.mean[i], estimate.variance[i]) =
          integrate_posterior(noisy.value[i], noisy.scale, m, variance);
    }
  });
  return estimate;
}

}  // namespace fogline::traces
