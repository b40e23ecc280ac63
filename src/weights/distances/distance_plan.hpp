// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.hpp"
#include "weights/distances/distances.hpp"
#include "weights/measures/distance_errors.hpp"

namespace fogline::weights {

/// What a plan tried, and what it expects of it.
struct DistanceCandidate {
  std::string method = {};       ///< "edges", "noise", "tree", "separators"
  std::vector<int> depths = {};  ///< of separators
  double expected_error =
      0;  ///< mean absolute error of a distance, in the weights' unit, with invented weights
};

struct DistancePlan {
  std::unique_ptr<DistanceMechanism> mechanism;  ///< the chosen one
  DistanceCandidate chosen = {};
  std::vector<DistanceCandidate> tried = {};  ///< the best of each method, by name
};

struct DistancePlanOptions {
  int threads = 0;         ///< 0 (all cores) to 1,024
  Progress progress = {};  ///< told of the candidates; may cancel
};

/// "auto", "edges", "noise", "tree", "separators". `noise` is for comparison: auto does not try it.
std::vector<std::string_view> distance_methods();

/// Chooses how to release distances, from public things alone: `auto` takes the method of least expected error, and the named methods their best settings.
///
///     DistancePlan plan = plan_distances(graph, settings, "auto");
///     plan.mechanism->release(weights, stream);
///
/// The expected error is that of releases from invented weights (distance_errors.hpp) with noise from a public seed: real weights that are spread otherwise
/// have another error. To choose takes eight releases (four in large graphs), a single candidate two; compared are all distances from 16 vertices, in large graphs from as
/// few as two. Separators are tried with one level of regions of every size from 8 vertices on, and with two, as long as the regions are twice as
/// long as wide: a graph without such regions is left to `edges`, unless separators are asked for. A method is taken before a simpler one only if its error
/// is less by a tenth.
///
/// Throws InvalidOption for an unknown method, or `tree` for a graph that is no forest. Cost: at most two seconds up to
/// 4,000 vertices, and about four for 20,000.
DistancePlan plan_distances(const Topology& graph, const DistanceSettings& settings, std::string_view method,
                            const DistancePlanOptions& options = {});

}  // namespace fogline::weights
