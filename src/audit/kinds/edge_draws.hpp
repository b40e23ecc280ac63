// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "audit/engine/fit.hpp"
#include "base/progress.hpp"
#include "weights/mechanisms/mechanism.hpp"

namespace fogline::audit {

struct EdgeDrawsOptions {
  std::uint64_t samples = 100'000;  ///< of each part of the grid, about; 1,000 to 10^8
  double false_alarm = 1e-7;        ///< of fit and pairs together; 1e-12 to 1e-6
  int threads = 0;                  ///< 0 (all cores) to 1,024; the result does not depend on it
  Progress progress = {};           ///< told of the draws; may cancel

  static constexpr std::uint64_t public_seed = 1;
};

/// Draws from weights all over the grid, and looks for two faults: draws that leave the mechanism's table or law, and edges that know of each other.
///
///     EdgeDraws draws = audit_edge_draws(*mechanism);
///     if (!draws.fit.fits) std::cerr << draws.fit.sentence;
///     if (!draws.pairs.fits) std::cerr << draws.pairs.sentence;
///
/// Points   random, over the whole grid; of one without end, over its orders of magnitude up to 2^31. One in 16 is an end, one in four repeats
///          the point before it. A table of more than 1,024 points is drawn at 1,024 of them. All in one list through draw_all, as a file's
///          edges are, and besides in short lists of 1 to 32.
/// Fit      what was drawn, seen from the true point (noise) or from the likeliest output (a table), for each quarter of the grid and for the short lists;
///          of a table also the outputs themselves. Judged by audit/engine/fit.hpp.
/// Pairs    each draw falls into one of four classes. The classes of edges 1, 2, 3, 512 and 1,024 apart (the last lie in different streams) are counted in
///          two-way tables and compared with the products of their probabilities; so is the class of an edge with the weight of the one before and after it.
///          Every table takes an edge once only, so that its pairs are independent under the promise.
/// Law      a right mechanism fails with probability at most `false_alarm`, by the bounds of Clopper and Pearson for all counts together. Points
///          with different rows are counted together: such counts leave the bounds even less often (Hoeffding 1956, Theorem 5).
/// Limits   what only happens at a few weights of many, to a few edges of many, or at other distances, is not seen. Noise whose scale is at most 100,000 steps.
/// Cost     5 * samples draws; memory does not grow with them. O(1,024 * outputs) for a table.
struct EdgeDraws {
  std::uint64_t draws = 0;           ///< made in all
  std::uint64_t pairs_of_edges = 0;  ///< whose classes were counted
  FitVerdict fit = {};
  std::vector<std::string> weights = {};  ///< that the draws of each input of `fit` are from: "100:224"
  FitVerdict pairs = {};
  std::vector<std::string> apart = {};  ///< what the pairs of each input of `pairs` have in common
};

/// Throws InvalidOption for an option out of range, Cancelled.
EdgeDraws audit_edge_draws(const weights::EdgeMechanism& mechanism, const EdgeDrawsOptions& options = {});

}  // namespace fogline::audit
