// SPDX-License-Identifier: Apache-2.0
#include "weights/mechanisms/remap_floor.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

#include "base/error.hpp"

namespace fogline::weights {
namespace {

/// The least expected |estimate - point| under weights that need not sum to 1.
double error_of_median(std::span<const double> weights) {
  double total = 0;
  for (const double weight : weights) total += weight;
  std::size_t median = 0;
  for (double below = weights[0]; below < total / 2 && median + 1 < weights.size();)
    below += weights[++median];
  double error = 0;
  for (std::size_t p = 0; p < weights.size(); ++p)
    error += weights[p] * std::abs(static_cast<double>(p) - static_cast<double>(median));
  return error;
}

}  // namespace

double remap_floor(std::span<const double> prior, std::uint64_t points, double epsilon) {
  if (points < 2 || points > most_remap_points) throw InvalidOption("points", "must be 2 to 8,192");
  if (!prior.empty() && prior.size() != points)
    throw InvalidOption("prior", "must have a probability for each weight of the range");
  const double fall = std::exp(-epsilon);
  const double flat = 1 / static_cast<double>(points);
  std::vector<double> joint(points);
  double error = 0;
  for (std::size_t drawn = 0; drawn < points; ++drawn) {
    // All draws beyond an end have the posterior of the end, and with it add up to a share of 1 / (1 + fall).
    const bool end = drawn == 0 || drawn + 1 == points;
    const double centre = (end ? 1.0 : -std::expm1(-epsilon)) / (1 + fall);
    for (std::size_t p = 0; p < points; ++p) joint[p] = prior.empty() ? flat : prior[p];
    double weight = centre;
    for (std::size_t p = drawn + 1; p-- > 0; weight *= fall) joint[p] *= weight;
    weight = centre * fall;
    for (std::size_t p = drawn + 1; p < points; ++p, weight *= fall) joint[p] *= weight;
    error += error_of_median(joint);
  }
  return error;
}

}  // namespace fogline::weights
