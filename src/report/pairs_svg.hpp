// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "graph/bit_graph.hpp"

namespace fogline::report {

/// Draws all pairs of stops as a grid: candidates dark, ruled out light. For publications too large to be drawn in layers.
///
///     std::string svg = pairs_svg(shown.candidates, stop_names(shown), "A route");
///
/// Up to 160 stops have a row each, and up to 60 are named; beyond that, a cell stands for a block of pairs, and its shade for the share of candidates among them.
/// Throws InvalidOption unless every stop has a name. Cost: O(n^2).
std::string pairs_svg(const graph::BitGraph& candidates, std::span<const std::string> names,
                      const std::string& title);

}  // namespace fogline::report
