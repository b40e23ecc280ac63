// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "weights/estimates/groups.hpp"
#include "weights/mechanisms/noise.hpp"

namespace fogline::weights {

/// Learning as in weights/estimates/estimate.hpp. What drawing adds to the error falls with the root of the draws;
/// their number was chosen, not derived.
struct PosteriorDrawOptions {
  std::size_t draws = 8;     ///< 1 to 1,000
  double least_edges = 30;   ///< points share what is learned until so many edges were drawn among them
  double shrinkage = 10;     ///< edges' worth of the prior of all edges added to each group, 0 or more
  double least_gain = 0.05;  ///< learning stops when a round raises the log-likelihood by less; 0 or more
};

/// Graphs that the private one may have been, given what was drawn for its edges: weights of all edges, from the posterior under a prior that is
/// learned from the drawn numbers.
///
///     noise.draw(points, stream, drawn);
///     for (const auto& weights : posterior_draws(noise, drawn, degree_groups(shape))) ...        // one for each edge
///
/// For numbers that many edges make together, such as distances. A shortest way in estimates of the weights (weights/estimates/estimate.hpp) is too long, since
/// estimates lie nearer to each other than weights do; in noisy weights it is too short. The mean over posterior draws is too
/// neither, as far as the prior is right.
///
/// Guarantee   none of its own and none needed: a function of drawn numbers and public things, with chance from a public seed, costs nothing.
/// Cost        learning: rounds * groups * distinct drawn numbers * causes, then a pass over the edges for each draw.
/// Limits      at most 1,024 points are told apart. Longer grids are thinned if the noise is wider than the gaps; if not, drawn numbers among the first 1,024
///             points are drawn anew and the others keep weight(drawn).
///
/// All draws lie in the range. If no edge is drawn anew, there is one draw: the noisy weights. Throws InvalidOption.
std::vector<std::vector<double>> posterior_draws(const Noise& noise, std::span<const std::int64_t> drawn,
                                                 const EdgeGroups& groups,
                                                 const PosteriorDrawOptions& options = {});

}  // namespace fogline::weights
