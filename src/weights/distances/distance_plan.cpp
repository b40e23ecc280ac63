// SPDX-License-Identifier: Apache-2.0
#include "weights/distances/distance_plan.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "weights/distances/regions.hpp"

namespace fogline::weights {
namespace {

// Chosen, not derived: they decide which settings are tried and how well; a plan is as private whatever they are.
constexpr std::size_t least_region = 8;          // vertices: smaller ones are mostly rim
constexpr double most_crossings = 2;             // for each vertex: regions twice as long as wide
constexpr std::uint64_t most_work = 16'000'000;  // vertices and arcs that searches pass
constexpr double clearly_better = 0.9;           // than a simpler method: a simulation is not that sure

/// Pairs of vertices on the rim of one region, for each vertex of the graph: of regions that are l long and w wide, 4 w / l.
double crossings_per_vertex(const Topology& graph, int depth) {
  const NestedRegions regions(graph, std::vector<int>{depth});
  double pairs = 0;
  for (NestedRegions::Region r = 0; r < regions.count(0); ++r) {
    const auto rim = static_cast<double>(regions.rim(0, r).size());
    pairs += rim * rim;
  }
  return pairs / static_cast<double>(graph.vertex_count());
}

/// Regions that are longer than wide, at one level or two. `some`: at least one candidate, however wide.
std::vector<DistanceCandidate> separators(const Topology& graph, bool some) {
  // Of two levels the second has regions of an eighth.
  constexpr int levels_apart = 3;
  int deepest = 1;
  while (deepest < NestedRegions::deepest && graph.vertex_count() >> (deepest + 1) >= least_region) ++deepest;
  // Two halves have one gate each, and nothing to measure.
  const int coarsest = std::min(2, deepest);
  int last = some ? coarsest : coarsest - 1;
  while (last < deepest && crossings_per_vertex(graph, last + 1) <= most_crossings) ++last;
  std::vector<DistanceCandidate> all;
  for (int depth = coarsest; depth <= last; ++depth)
    all.push_back({.method = "separators", .depths = {depth}});
  for (int depth = coarsest; depth + levels_apart <= last; ++depth)
    all.push_back({.method = "separators", .depths = {depth, depth + levels_apart}});
  return all;
}

/// In the order of their simplicity.
std::vector<DistanceCandidate> candidates(const Topology& graph, std::string_view method) {
  if (method == "separators") return separators(graph, true);
  if (method != "auto") return {{.method = std::string(method)}};
  std::vector<DistanceCandidate> all{{.method = "edges"}};
  // On a forest the hierarchy of its paths does better than regions.
  if (graph.is_forest()) {
    all.push_back({.method = "tree"});
  } else {
    for (DistanceCandidate& candidate : separators(graph, false)) all.push_back(std::move(candidate));
  }
  return all;
}

/// To choose takes more releases than to give a figure. Distances of one release err together, so that in large graphs, and among many candidates, those
/// from few vertices have to do.
DistanceErrorOptions effort(const Topology& graph, std::size_t candidates) {
  const std::uint64_t one_search = graph.vertex_count() + 2 * graph.edge_count();
  const std::uint64_t searches = most_work / (candidates * one_search);
  // Releases, and what counts as few searches; sources to compare distances from.
  constexpr std::uint64_t to_tell = 2, to_choose_in_large = 4, to_choose = 8, few_searches = 32;
  constexpr unsigned fewest_sources = 2, most_sources = 16;
  const std::uint64_t runs = candidates == 1           ? to_tell
                             : searches < few_searches ? to_choose_in_large
                                                       : to_choose;
  return {.runs = runs,
          .sources = static_cast<std::size_t>(
              std::clamp<std::uint64_t>(searches / runs, fewest_sources, most_sources))};
}

std::unique_ptr<DistanceMechanism> make(const Topology& graph, const DistanceSettings& settings,
                                        const DistanceCandidate& candidate) {
  if (candidate.method == "edges") return make_edge_distances(graph, settings);
  if (candidate.method == "noise") return make_edge_distances(graph, settings, {.posterior_draws = 0});
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
  return {"auto", "edges", "noise", "tree", "separators"};
}

DistancePlan plan_distances(const Topology& graph, const DistanceSettings& settings, std::string_view method,
                            const DistancePlanOptions& options) {
  const auto methods = distance_methods();
  if (std::find(methods.begin(), methods.end(), method) == methods.end())
    throw InvalidOption("method", "is auto, edges, noise, tree or separators");
  if (method == "tree" && !graph.is_forest())
    throw InvalidOption("method", "tree is for undirected graphs without circles");
  const std::vector<std::int64_t> invented = invented_weights(settings, graph.edge_count());
  const std::vector<DistanceCandidate> all = candidates(graph, method);
  DistanceErrorOptions trial = effort(graph, all.size());
  trial.threads = options.threads;
  ProgressMeter meter(options.progress, "planning", all.size());
  DistancePlan plan;
  for (DistanceCandidate candidate : all) {
    const auto mechanism = make(graph, settings, candidate);
    candidate.expected_error = distance_errors(*mechanism, invented, random::SeededKey(2), trial).error;
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
