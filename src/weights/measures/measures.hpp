// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/progress.hpp"
#include "weights/graph/shape.hpp"

namespace fogline::weights {

/// What a release of a graph's edge weights is still good for, beside the private original. Exact, hence private: for the curator alone.
struct Measures {
  double ware = 0;  ///< mean |released - private| of the edges, in the weights' unit; the paper's formula
  double best_constant = 0;  ///< the same if every edge had the median of the private weights
  double ksp = 0;      ///< share of the pairs whose shortest path is the same in both; 1 if there is no pair
  double ksp_any = 0;  ///< share of the pairs whose path is one of the shortest in the release
  std::optional<double> lare =
      {};  ///< mean difference in weight of the paths that are the same; none if there is none
  std::uint64_t pairs = 0;       ///< ordered pairs with a path from the first to the second
  std::uint64_t kept_pairs = 0;  ///< whose path is the same
  std::uint64_t any_pairs = 0;   ///< whose path is one of the shortest
  std::uint64_t sources = 0;     ///< from how many vertices paths were counted
  std::uint64_t edges = 0;
  double step = 0;  ///< weights were compared as whole multiples of this
};

struct MeasureOptions {
  std::uint64_t sources =
      0;  ///< count paths from this many vertices, chosen evenly without repetition; 0: from all
  std::uint64_t seed = 1;  ///< of that choice
  int threads = 0;         ///< 0 (all cores) to 1,024
  Progress progress = {};  ///< told of the sources done; may cancel
};

/// WARE, KSP and LARE as in Li et al. 2017, formulas 6 to 8.
///
///     Measures kept = measure(shape, weights, released, {.threads = 2});
///     print(kept.ware, kept.ksp, kept.lare);
///
/// Where several paths are shortest, one is taken by the same rule in both graphs (PathSearch), so that KSP does not depend on the order of the
/// edges; ksp_any forgives a release that has further shortest paths. LARE looks at the paths that are the same: other paths' lengths cannot be
/// compared. WARE is called an average relative error in the paper but is, by its formula, an absolute one.
///
/// Throws InvalidOption for weights that are negative, not finite, too large (path_scale) or not one for each edge, for a graph without edges, and for more sources
/// than vertices. Cost: two searches for each source, in parallel: 5,242 vertices and 14,484 edges, all pairs, in 3 seconds on one core.
Measures measure(const GraphShape& shape, std::span<const double> weights, std::span<const double> released,
                 const MeasureOptions& options);

/// The same for several releases of one graph; the original is searched once for all.
std::vector<Measures> measure_all(const GraphShape& shape, std::span<const double> weights,
                                  std::span<const std::vector<double>> releases,
                                  const MeasureOptions& options);

/// Mean |a - b|.
double mean_absolute_difference(std::span<const double> a, std::span<const double> b);

/// Mean |weight - median|: no constant does better.
double best_constant_error(std::span<const double> weights);

}  // namespace fogline::weights
