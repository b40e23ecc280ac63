// SPDX-License-Identifier: Apache-2.0
#include "traces/denoise.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"

namespace fogline::traces {
namespace {

/// Weights of the predictors, none below zero, by weighted least squares: coordinate by coordinate, since there are only a few.
std::vector<double> mix(const NoisyTable& noisy, const std::vector<std::vector<double>>& predictors,
                        const std::vector<double>& precision, const std::vector<double>& usual) {
  const std::size_t count = predictors.size();
  std::vector<double> product(count * count), right(count), weight = usual;
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t i = 0; i < noisy.value.size(); ++i)
      right[a] += precision[i] * predictors[a][i] * noisy.value[i];
    for (std::size_t b = 0; b < count; ++b)
      for (std::size_t i = 0; i < noisy.value.size(); ++i)
        product[a * count + b] += precision[i] * predictors[a][i] * predictors[b][i];
  }
  // Usual weights count as much as data that would tell them to one half.
  constexpr double doubt = 0.25;
  for (std::size_t a = 0; a < count; ++a) {
    right[a] += usual[a] / doubt;
    product[a * count + a] += 1 / doubt;
  }
  for (int round = 0; round < 200; ++round)
    for (std::size_t a = 0; a < count; ++a) {
      double rest = right[a];
      for (std::size_t b = 0; b < count; ++b)
        if (b != a) rest -= product[a * count + b] * weight[b];
      weight[a] = std::max(0.0, rest / product[a * count + a]);
    }
  return weight;
}

/// How far counts stray from the prior's mean, as a share of it, squared: for few, some and many expected.
struct Spread {
  std::array<double, 3> upper{}, share{};
  double at(double mean) const {
    std::size_t group = 0;
    while (group < 2 && mean > upper[group]) ++group;
    return share[group];
  }
};

Spread spread_of(const NoisyTable& noisy, const std::vector<double>& prior, double usual) {
  std::vector<double> sorted = prior;
  std::sort(sorted.begin(), sorted.end());
  // Groups of equal expected mass, so that each has something to learn from.
  const double total = std::accumulate(sorted.begin(), sorted.end(), 0.0);
  Spread spread;
  double mass = 0;
  std::size_t group = 0;
  for (const double m : sorted) {
    mass += m;
    while (group < 2 && mass > total * static_cast<double>(group + 1) / 3) spread.upper[group++] = m;
  }
  while (group < 2) spread.upper[group++] = sorted.empty() ? 0 : sorted.back();
  const double noise = 2 * noisy.scale * noisy.scale;
  std::array<double, 3> excess{}, square{}, doubt{};
  for (std::size_t i = 0; i < prior.size(); ++i) {
    std::size_t g = 0;
    while (g < 2 && prior[i] > spread.upper[g]) ++g;
    const double off = noisy.value[i] - prior[i];
    // Weighted by how well a cell tells: its own variance if it strayed by half.
    const double sure = 1 / std::pow(noise + 0.25 * prior[i] * prior[i] + 1e-9, 2);
    excess[g] += sure * prior[i] * prior[i] * (off * off - noise);
    square[g] += sure * std::pow(prior[i], 4);
    doubt[g] += sure * sure * std::pow(prior[i], 4) * 5 * noise * noise;
  }
  // Where noise hides how far counts stray, what is usual is believed. The square of Laplace noise has five times its own square as variance.
  for (std::size_t g = 0; g < 3; ++g) {
    const double learned = doubt[g] > 0 ? square[g] * square[g] / doubt[g] : 0, assumed = 1 / (usual * usual);
    const double share = square[g] > 0 ? excess[g] / square[g] : usual;
    spread.share[g] = std::clamp((learned * share + assumed * usual) / (learned + assumed), 0.003, 4.0);
  }
  return spread;
}

/// Mean and variance of x >= 0 under a Gamma prior of this mean and variance, seen as y with Laplace noise.
std::pair<double, double> posterior(double y, double scale, double mean, double variance) {
  if (!(mean > 1e-9)) return {0, 0};
  const double shape = mean * mean / variance, rate = mean / variance;
  // Beyond these bounds neither prior nor noise has weight; x = e^u makes both ends smooth.
  const double deviation = std::sqrt(variance);
  const double high = std::max({mean + 12 * deviation, y + 3 * scale, 1e-6});
  const double low = std::max(high * 1e-7, std::min(mean * std::exp(-30 / std::max(shape, 0.3)), high / 2));
  constexpr int steps = 160;
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
    const double w = std::exp(weight[k] - most);
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
  for (std::size_t i = 0; i < table.size(); ++i)
    row[i / columns] += table[i], column[i % columns] += table[i];
  double total = 0;
  for (double& r : row) total += r = std::max(0.0, r);
  for (double& c : column) c = std::max(0.0, c);
  for (std::size_t i = 0; i < table.size(); ++i)
    result[i] = total > 0 ? row[i / columns] * column[i % columns] / total : 0;
  return result;
}

void scale_to(std::span<double> table, double total) {
  double sum = 0;
  for (double& x : table) sum += x = std::max(0.0, x);
  if (sum > 0)
    for (double& x : table) x *= total / sum;
  else
    std::fill(table.begin(), table.end(), total / static_cast<double>(table.size()));
}

Estimate denoise(const NoisyTable& noisy, const std::vector<std::vector<double>>& predictors,
                 const DenoiseOptions& options) {
  const std::size_t size = noisy.value.size();
  std::vector<std::vector<double>> used = predictors;
  if (used.empty()) {
    const double sum = std::accumulate(noisy.value.begin(), noisy.value.end(), 0.0);
    used.emplace_back(size, std::max(sum, noisy.scale) / static_cast<double>(size));
  }
  const double noise = 2 * noisy.scale * noisy.scale;
  const std::vector<double> usual =
      options.weights.empty() ? std::vector<double>(used.size(), 1 / static_cast<double>(used.size()))
                              : options.weights;
  std::vector<double> precision(size), prior(size);
  for (std::size_t i = 0; i < size; ++i) {
    double expected = 0;
    for (std::size_t a = 0; a < used.size(); ++a) expected += usual[a] * used[a][i];
    precision[i] = 1 / (noise + 0.25 * expected * expected + expected);
  }
  for (int round = 0; round < 3; ++round) {
    const std::vector<double> weight = mix(noisy, used, precision, usual);
    for (std::size_t i = 0; i < size; ++i) {
      prior[i] = 0;
      for (std::size_t a = 0; a < used.size(); ++a) prior[i] += weight[a] * used[a][i];
      precision[i] = 1 / (noise + 0.25 * prior[i] * prior[i] + prior[i]);
    }
  }
  const Spread spread = spread_of(noisy, prior, options.usual_spread);
  Estimate estimate;
  estimate.mean.resize(size);
  estimate.variance.resize(size);
  parallel_for(size, {.threads = 0, .grain = 64}, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const double m = prior[i], variance = spread.at(m) * m * m;
      std::tie(estimate.mean[i], estimate.variance[i]) = posterior(noisy.value[i], noisy.scale, m, variance);
    }
  });
  return estimate;
}

}  // namespace fogline::traces
