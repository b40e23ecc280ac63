// SPDX-License-Identifier: Apache-2.0
#include "weights/distance_plan.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace fogline::weights {
namespace {

constexpr std::size_t least_region = 8;
constexpr double clearly_better = 0.9;  // than a simpler method: a simulation is not that sure

/// In the order of their simplicity.
std::vector<DistanceCandidate> candidates(const Topology& graph, std::string_view method) {
  const bool any = method == "auto";
  std::vector<DistanceCandidate> all;
  if (any || method == "edges") all.push_back({.method = "edges"});
  if (method == "tree" || (any && graph.is_forest())) all.push_back({.method = "tree"});
  // On a forest the hierarchy of its paths does better than regions.
  if (method != "separators" && !(any && !graph.is_forest())) return all;
  int deepest = 1;
  while (deepest < 20 && graph.vertex_count() >> (deepest + 1) >= least_region) ++deepest;
  // Two halves have one gate each, and nothing to measure.
  const int coarsest = std::min(2, deepest);
  for (int depth = coarsest; depth <= deepest; ++depth)
    all.push_back({.method = "separators", .depths = {depth}});
  for (int depth = coarsest; depth + 3 <= deepest; ++depth)
    all.push_back({.method = "separators", .depths = {depth, depth + 3}});
  return all;
}

std::unique_ptr<DistanceMechanism> make(const Topology& graph, const DistanceSettings& settings,
                                        const DistanceCandidate& candidate) {
  if (candidate.method == "edges") return make_edge_distances(graph, settings);
  if (candidate.method == "tree") return make_tree_distances(graph, settings);
  return make_separator_distances(graph, settings, {.depths = candidate.depths});
}

void keep_best(const DistanceCandidate& candidate, std::vector<DistanceCandidate>& best) {
  const auto same = std::find_if(best.begin(), best.end(), [&](const DistanceCandidate& other) {
    return other.method == candidate.method;
  });
  if (same == best.end()) return best.push_back(candidate);
  if (candidate.expected_error < same->expected_error) *same = candidate;
}

}  // namespace

std::vector<std::string_view> distance_methods() {
  return {"auto", "edges", "tree", "separators"};
}

DistancePlan plan_distances(const Topology& graph, const DistanceSettings& settings, std::string_view method,
                            const DistancePlanOptions& options) {
  const auto methods = distance_methods();
  if (std::find(methods.begin(), methods.end(), method) == methods.end())
    throw InvalidOption("--method", "is auto, edges, tree or separators");
  if (method == "tree" && !graph.is_forest())
    throw InvalidOption("--method", "tree is for undirected graphs without circles");
  const std::vector<std::int64_t> invented = invented_weights(settings, graph.edge_count());
  const std::vector<DistanceCandidate> all = candidates(graph, method);
  ProgressMeter meter(options.progress, "planning", all.size());
  DistancePlan plan;
  for (DistanceCandidate candidate : all) {
    const auto mechanism = make(graph, settings, candidate);
    candidate.expected_error =
        distance_errors(*mechanism, invented, random::SeededKey(2), {.runs = 4, .threads = options.threads})
            .error;
    keep_best(candidate, plan.tried);
    meter.advance();
  }
  meter.finish();
  plan.chosen = plan.tried.front();
  for (const DistanceCandidate& candidate : plan.tried)
    if (candidate.expected_error < clearly_better * plan.chosen.expected_error) plan.chosen = candidate;
  plan.mechanism = make(graph, settings, plan.chosen);
  return plan;
}

}  // namespace fogline::weights
