// SPDX-License-Identifier: Apache-2.0
#include "random/noise.hpp"

namespace fogline::random {
namespace {

Rational rate_of(const NoisyCounts::Options& options) {
  if (options.sensitivity == 0) throw InvalidOption("sensitivity", "must be at least 1");
  return options.epsilon / options.sensitivity;
}

}  // namespace

NoisyCounts::NoisyCounts(const Options& options)
    : label_{.name = options.name,
             .epsilon = options.epsilon.to_double(),
             .sensitivity = static_cast<double>(options.sensitivity)},
      laplace_(rate_of(options)) {}

}  // namespace fogline::random
