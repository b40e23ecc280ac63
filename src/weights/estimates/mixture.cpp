// SPDX-License-Identifier: Apache-2.0
#include "weights/estimates/mixture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace fogline::weights {
namespace {

// A row that no column with a share explains would divide by 0; it then has no say.
constexpr double least_likelihood = 1e-300;

double dot(std::span<const double> a, std::span<const double> b) {
  // Four sums, so that the additions need not wait for each other; in a fixed order, so that every machine gets the same.
  constexpr std::size_t sums = 4;
  double sum[sums] = {};
  std::size_t i = 0;
  for (; i + sums <= a.size(); i += sums)
    for (std::size_t k = 0; k < sums; ++k) sum[k] += a[i + k] * b[i + k];
  for (; i < a.size(); ++i) sum[0] += a[i] * b[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace

Mixture::Mixture(std::size_t rows, std::size_t columns, const LogLikelihood& log_likelihood)
    : rows_(rows), columns_(columns), likelihood_(rows * columns) {
  for (std::size_t r = 0; r < rows; ++r) {
    double* const out = &likelihood_[r * columns];
    for (std::size_t c = 0; c < columns; ++c) out[c] = log_likelihood(r, c);
    const double largest = *std::max_element(out, out + columns);
    for (std::size_t c = 0; c < columns; ++c)
      out[c] = largest > -std::numeric_limits<double>::infinity() ? std::exp(out[c] - largest) : 0;
  }
}

std::vector<double> Mixture::learn(std::span<const double> counts, std::span<const double> start,
                                   const Options& options) const {
  const double total = std::accumulate(counts.begin(), counts.end(), options.shrinkage);
  std::vector<double> shares(start.begin(), start.end()), expected(columns_);
  if (!(total > 0)) return shares;
  double before = -std::numeric_limits<double>::infinity();
  for (int round = 0; round < options.rounds; ++round) {
    double log_likelihood = 0;
    std::fill(expected.begin(), expected.end(), 0.0);
    for (std::size_t r = 0; r < rows_; ++r) {
      if (counts[r] == 0) continue;
      const std::span<const double> likelihood = row(r);
      const double of_row = std::max(dot(shares, likelihood), least_likelihood);
      log_likelihood += counts[r] * std::log(of_row);
      const double factor = counts[r] / of_row;
      for (std::size_t c = 0; c < columns_; ++c) expected[c] += factor * likelihood[c];
    }
    if (options.shrinkage > 0) {
      for (std::size_t c = 0; c < columns_; ++c)
        if (start[c] > 0) log_likelihood += options.shrinkage * start[c] * std::log(shares[c]);
    }
    for (std::size_t c = 0; c < columns_; ++c)
      shares[c] = (shares[c] * expected[c] + options.shrinkage * start[c]) / total;
    if (log_likelihood - before < options.least_gain) break;
    before = log_likelihood;
  }
  return shares;
}

void Mixture::posterior(std::size_t index, std::span<const double> shares, std::span<double> out) const {
  const std::span<const double> likelihood = row(index);
  const double total = std::max(dot(shares, likelihood), least_likelihood);
  for (std::size_t c = 0; c < columns_; ++c) out[c] = shares[c] * likelihood[c] / total;
}

}  // namespace fogline::weights
