// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "path/public_path.hpp"
#include "path/published_layers.hpp"

namespace fogline::path {

struct PublishedLayersOptions {
  /// How a stop that fits nowhere is found.
  enum class Decision {
    backtracking,  ///< all ways are tried, as in the paper
    orientation  ///< by transitive orientation: the same answer, and layers are only searched for where there are some
  };
  Decision decision = Decision::orientation;
  std::uint64_t most_steps = 20'000;  ///< of one search, 1 or more
};

struct BuiltLayers {
  PublishedLayers layers;
  std::uint64_t splits = 0;    ///< stops that fitted nowhere
  std::uint64_t steps = 0;     ///< layers tried by backtracking
  std::uint64_t gave_ups = 0;  ///< searches that most_steps ended
};

/// The paper's layered graph (Algorithms 4 to 6): stops come in in the order given, and one that fits nowhere is split.
///
///     BuiltLayers built = build_layers(ruled_out, order_of_insertion);
///
/// Two stops have pieces on one branch exactly if they are ruled out, and whatever lies on one branch is joined.
///
/// Splitting (Algorithm 6). Each layer suits some of the stops that the newcomer must be joined to; a greedy set cover chooses layers, and a piece of the newcomer goes into each.
/// Stops that no layer suits are those in conflict with it: each gets one more piece, joined to one more piece of the newcomer and to nothing else. The paper's listing takes
/// stops in conflict out and puts them in again, and does not say which those are, nor which piece of a split stop later ones are joined to: here it is the first.
///
/// A search that most_steps ends counts as "fits nowhere" with Decision::backtracking; with Decision::orientation the layers are then those of the orientation.
///
/// Cost: exponential at worst by backtracking, within most_steps for each stop. `order` holds every stop once, else InvalidOption.
BuiltLayers build_layers(const graph::BitGraph& ruled_out, const std::vector<StopId>& order,
                         const PublishedLayersOptions& options = {});

}  // namespace fogline::path
