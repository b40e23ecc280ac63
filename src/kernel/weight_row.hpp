// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/int128.hpp"

namespace fogline::kernel {

/// A finite kernel as integers: one row of weights per input, P(o|v) = weight / total of the row.
struct WeightRow {
  std::vector<Uint128> weights;
  Uint128 total = 0;
};

/// Throws InvalidOption, naming the input, if no weight is above 0 or the total is not the sum of the weights: a wrong total
/// is a mistake of the mechanism, and whatever is computed from it would be one too.
void require_distribution(const WeightRow& row, std::uint32_t input);

}  // namespace fogline::kernel
