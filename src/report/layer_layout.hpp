// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace fogline::report {

/// Where the nodes of a layered graph stand on the paper, and where its lines run.
///
///     LayerLayout layout = lay_out({.layer = {0, 1, 2}, .width_px = {24, 24, 24}, .edges = {{0, 2}}});
///     layout.line[0];                          // from node 0, beside node 1, to node 2
///
/// Every layer that is in use is a row, the lowest at the bottom. A line has a place of its own in every row that it passes, beside the nodes there; the lines of one lower node
/// share theirs. Rows are ordered and spread by barycentres, so that lines are short and cross little.
struct LayerLayout {
  struct Spot {
    double x = 0, y = 0;
  };
  std::vector<Spot> node;               ///< the centres
  std::vector<std::vector<Spot>> line;  ///< per edge, from the lower node to the higher: a spot in every row
  double width_px = 0, height_px = 0;
};

struct LayerLayoutInput {
  std::vector<std::int32_t> layer;                             ///< per node
  std::vector<double> width_px;                                ///< per node
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  ///< from a lower layer to a higher one
};

/// Half the height of a row's own band. Within it lines run upright, so that none touches a node beside it.
inline constexpr double half_band_px = 15;

/// Throws InvalidOption for edges that do not rise, and for a picture wider than 20,000 pixels. Cost: sweeps over at most nodes times layers spots.
LayerLayout lay_out(const LayerLayoutInput& input);

}  // namespace fogline::report
