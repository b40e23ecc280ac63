// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.hpp"
#include "place/mechanism.hpp"
#include "privacy/guarantee.hpp"
#include "roads/network.hpp"

namespace fogline::place {

/// Which mechanism, and everything public it is built from.
struct MechanismChoice {
  std::string name = "gem";                 ///< one of mechanism_names()
  privacy::EpsilonPerMetre epsilon;         ///< no default
  std::string unit = "one report";          ///< named in the guarantee
  std::vector<graph::VertexId> range = {};  ///< allowed outputs; empty: every vertex
  std::vector<double> prior = {};           ///< probability of each vertex, public; empty: all alike
  bool remap = false;                       ///< move each output to the best guess under the prior
  int threads = 0;                          ///< for building; 0 (all cores) to 1,024
  Progress progress = {};                   ///< of building; may cancel
};

/// The mechanisms whose outputs are vertices, in the order of the help text.
std::vector<std::string_view> mechanism_names();

/// Builds a mechanism by its name.
///
///     auto mechanism = make_mechanism(map, {.name = "tight", .epsilon = {1, 100}});
///
/// Throws InvalidOption for an unknown name, an epsilon out of range, a prior of another size or sum, a range the mechanism cannot use,
/// a network too large for it or in several pieces where it needs one. Cost: that of the mechanism's constructor.
std::unique_ptr<VertexMechanism> make_mechanism(const roads::RoadNetwork& map, const MechanismChoice& choice);

}  // namespace fogline::place
