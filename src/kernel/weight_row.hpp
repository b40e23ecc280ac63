// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/int128.hpp"

namespace fogline::kernel {

/// A finite kernel as integers: one row of weights per input, P(o|v) = weight / total of the row.
struct WeightRow {
  std::vector<Uint128> weights;
  Uint128 total = 0;
};

}  // namespace fogline::kernel
