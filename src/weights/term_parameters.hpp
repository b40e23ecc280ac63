// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "privacy/guarantee.hpp"
#include "weights/grid.hpp"
#include "weights/protection.hpp"

namespace fogline::weights {

/// What statements of weights and of distances have in common: the parameters that settle the promise.
struct PromiseParameters {
  privacy::Epsilon epsilon;
  WeightGrid grid;
  Protection protection = {};
  Rounding rounding = Rounding::refuse;
  bool directed = false;

  nlohmann::ordered_json json() const;  ///< in reading order
};

/// Reads them back. Throws InvalidOption naming the first that is missing, of the wrong type or out of range.
PromiseParameters promise_parameters_from(const nlohmann::ordered_json& parameters);

}  // namespace fogline::weights
