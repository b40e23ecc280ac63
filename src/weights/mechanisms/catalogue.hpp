// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weights/mechanisms/mechanism.hpp"

namespace fogline::weights {

/// Which sound mechanism, and everything public it is built from.
struct MechanismChoice {
  std::string name = {};     ///< one of mechanism_names(); empty: the best for the unit, default_mechanism()
  privacy::Epsilon epsilon;  ///< no default
  WeightGrid grid;           ///< finite if the unit is the edge
  Protection protection = {};
  Rounding rounding =
      Rounding::refuse;            ///< of weights between points; counted in the sensitivity of a change
  bool positive = false;           ///< never release a weight of 0, though the grid has it
  std::vector<double> prior = {};  ///< of each point, public; empty: all alike. Only blocks is built from it
};

/// "blocks", "geometric", "staircase".
std::vector<std::string_view> mechanism_names();

/// The one of least error: blocks for a whole edge, geometric or staircase for a change, geometric for a trip.
std::string default_mechanism(const MechanismChoice& choice);

/// Throws InvalidOption for an unknown name, or a mechanism that does not protect the unit.
std::unique_ptr<EdgeMechanism> make_mechanism(const MechanismChoice& choice);

}  // namespace fogline::weights
