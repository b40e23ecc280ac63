// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.hpp"
#include "weights/distance_errors.hpp"
#include "weights/distances.hpp"

namespace fogline::weights {

/// What a plan tried, and what it expects of it.
struct DistanceCandidate {
  std::string method = {};       ///< "edges", "tree", "separators"
  std::vector<int> depths = {};  ///< of separators
  double expected_error = 0;     ///< mean absolute error of a distance, in the weights' unit
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

/// "auto", "edges", "tree", "separators".
std::vector<std::string_view> distance_methods();

/// Chooses how to release distances, from public things alone: `auto` takes the method of least expected error, and the named methods their best settings.
///
///     DistancePlan plan = plan_distances(graph, settings, "auto");
///     plan.mechanism->release(weights, stream);
///
/// The expected error is that of four releases from invented weights (distance_errors.hpp) with noise from a public seed, over all distances from 16
/// vertices: real weights that are spread otherwise have another error. Separators are tried with one level of regions of every size from 8 vertices on,
/// and with two. A method is taken before a simpler one only if its error is less by a tenth.
///
/// Throws InvalidOption for an unknown method, or `tree` for a graph that is no forest. Cost: for each candidate four releases and 64 searches; about a second
/// for a road network of 1,000 vertices.
DistancePlan plan_distances(const Topology& graph, const DistanceSettings& settings, std::string_view method,
                            const DistancePlanOptions& options = {});

}  // namespace fogline::weights
