// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "random/key.hpp"
#include "weights/distances/distances.hpp"

namespace fogline::weights {

/// Mean absolute error of distances, by how many edges apart their ends are (fewest hops).
struct DistanceErrors {
  struct Class {
    std::uint32_t most_hops = 1;  ///< 1, 2, 4, 8, ...: above half of it, up to it
    double error = 0;             ///< in the weights' unit
    double bias = 0;              ///< mean of noisy less true
    std::uint64_t pairs = 0;      ///< measured, over all runs
  };
  double error = 0;  ///< over all pairs measured
  std::vector<Class> classes = {};
};

/// Defaults were chosen, not derived.
struct DistanceErrorOptions {
  std::uint64_t runs = 3;  ///< releases, at least 1
  std::size_t sources =
      16;  ///< vertices whose distances to all others are compared, at least 1; spread evenly over the numbers
  int threads = 0;  ///< 0 (all cores) to 1,024; the result does not depend on it
};

/// Releases from weights and compares with them. With weights that are invented, it says what to expect; with private ones, it says what they
/// are, and is for the curator. Throws InvalidOption.
DistanceErrors distance_errors(const DistanceMechanism& mechanism, std::span<const std::int64_t> weights,
                               const random::Key& key, const DistanceErrorOptions& options = {});

/// Weights as a plan invents them, in units: drawn evenly from the range, or, if it has no end, from the lowest to 100 sensitivities above it.
/// From a public seed.
std::vector<std::int64_t> invented_weights(const DistanceSettings& settings, std::size_t edges);

/// Which weights those are, in words: "weights drawn evenly from 100 to 600".
std::string invented_weights_words(const DistanceSettings& settings);

}  // namespace fogline::weights
