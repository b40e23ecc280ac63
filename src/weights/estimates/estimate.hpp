// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/progress.hpp"
#include "weights/estimates/groups.hpp"
#include "weights/mechanisms/mechanism.hpp"

namespace fogline::weights {

/// What is taken from the posterior of an edge's weight.
enum class Estimate {
  median,  ///< least expected absolute error
  mean     ///< least expected squared error; tells more weights apart
};
std::string_view to_string(Estimate estimate);  ///< "median", "mean"
Estimate estimate_from(std::string_view text);  ///< throws InvalidOption

/// How the defaults were chosen, and how little hangs on them, tells docs/mechanisms/estimate.md.
struct EstimateOptions {
  Estimate estimate = Estimate::median;
  std::vector<double> prior =
      {};  ///< of each point of a finite grid, public or paid for: where learning starts; empty: all alike
  int iterations = 1000;     ///< rounds of learning at most, 1 to 100,000
  double least_gain = 0.05;  ///< learning stops when a round raises the log-likelihood by less; 0 to 10^9
  double shrinkage = 10;     ///< edges' worth of the prior of all edges added to each group, 0 to 10^9
  /// Under noise, points share what is learned until this many edges were drawn among them, 0 to 10^9: where edges
  /// are few, a prior would follow their noise.
  double least_edges = 30;
  int threads = 0;         ///< 0 (all cores) to 1,024
  Progress progress = {};  ///< called now and then; may cancel
};

/// A better weight for each edge, from what was drawn for all of them: a prior of the weights is learned from the
/// drawn numbers, by the likelihoods of the mechanism, and each edge gets the median or mean of its posterior.
///
///     draw_all(*mechanism, points, key, {}, drawn);
///     std::vector<double> safe = estimate_weights(*mechanism, drawn, degree_groups(graph), {});
///
/// Guarantee   none of its own and none needed: a function of drawn numbers and public things is post-processing and
///             costs nothing.
/// Source      maximum likelihood of a mixture (weights/estimates/mixture.hpp): first of all edges together, then of each group,
///             which starts at the prior of all edges and is shrunk towards it, so that small groups do not follow
///             their noise.
/// Utility     docs/mechanisms/estimate.md: on skewed weights a third to three quarters of the clamped noise is left.
/// Cost        iterations * groups * distinct drawn numbers * points, in parallel over groups; of the edges one pass.
/// Limits      at most 2,048 points and 2,048 drawn numbers are told apart. Of longer grids both are thinned evenly if
///             the noise is wider than the gaps; if not, drawn numbers among the first 2,048 points are improved and
///             the others keep weight(drawn). A table of more than 2,048 outputs keeps weight(drawn).
///
/// Weights are within the range of the grid as weight() is. Throws InvalidOption.
std::vector<double> estimate_weights(const EdgeMechanism& mechanism, std::span<const std::int64_t> drawn,
                                     const EdgeGroups& groups, const EstimateOptions& options);

}  // namespace fogline::weights
