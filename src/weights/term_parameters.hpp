// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "privacy/parameter_table.hpp"
#include "weights/grid.hpp"
#include "weights/protection.hpp"

namespace fogline::weights {

/// What statements of weights and of distances have in common: the parameters that settle the promise, as they stand in the terms.
struct PromiseParameters {
  privacy::Epsilon& epsilon;
  WeightGrid& grid;
  Protection& protection;
  Rounding& rounding;
  bool& directed;

  void declare(privacy::ParameterTable& table) const;
};

/// A grid for terms whose own is read next.
WeightGrid grid_to_be_read();

}  // namespace fogline::weights
