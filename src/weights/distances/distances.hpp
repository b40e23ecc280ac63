// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "privacy/guarantee.hpp"
#include "random/stream.hpp"
#include "weights/graph/topology.hpp"
#include "weights/grid.hpp"
#include "weights/protection.hpp"

namespace fogline::weights {

/// A grid's weights as whole numbers of one unit, so that sums of weights are whole numbers too: "0.5:3" in steps of 1 becomes 1, 3, 5 halves.
struct WholeWeights {
  double unit = 1;          ///< in the weights' unit
  std::int64_t lowest = 0;  ///< in units, as everything below
  std::int64_t step = 1;
  std::optional<std::int64_t> highest = {};  ///< empty: no end

  /// Of a weight: a path of four million edges then still stays below 2^62.
  static constexpr std::int64_t most_units = std::int64_t{1} << 40;

  explicit WholeWeights(const WeightGrid& grid);  ///< throws InvalidOption beyond 2^40 units

  std::int64_t of_point(std::int64_t point) const { return lowest + point * step; }
};

/// What every method to release distances is built from. All of it is public.
struct DistanceSettings {
  privacy::Epsilon epsilon;
  WholeWeights weights;
  std::uint64_t sensitivity =
      1;  ///< in units: how far two neighbours' weights are apart, added up over all edges
};

/// Noisy distances, computed from noisy numbers and public things: asking costs nothing.
class Distances {
 public:
  virtual ~Distances() = default;
  /// To every vertex, in the weights' unit; infinite where no way leads. May be called from several threads.
  virtual std::vector<double> from(Topology::Vertex source) const = 0;
};

/// Releases the distances between all vertices of a graph whose weights are private and whose shape is public.
///
///     auto mechanism = make_tree_distances(graph, settings);
///     std::unique_ptr<Distances> safe = mechanism->release(weights, stream);     // whole weights, one for each edge
///     safe->from(3)[8];
///
/// Guarantee   pure DP; unit: weights that differ by at most `sensitivity` units, added up over all edges (protection.hpp: one edge's
///             whole weight, a change of one edge, a trip); exact (integer sampler).
/// Source      the model and the first methods: Sealfon, Shortest paths and distances with differential privacy, 2016.
/// Utility     docs/mechanisms/distances.md; what to expect on a graph: distance_plan.hpp.
/// Cost        by method; a source takes about as long as a shortest-path search.
/// Parameters  epsilon, the grid, the sensitivity; each method's own come from the shape.
///
/// All methods release noisy values, each the sum of some edges' weights or the least of such sums, and keep one rule: for every edge, the rates
/// of the noise of all values that it may change add up to at most epsilon / sensitivity. docs/mechanisms/distances.md shows that this is enough.
/// Everything after the noise is post-processing; at its end every distance is moved into the public bounds, hops * lowest to hops * highest.
class DistanceMechanism {
 public:
  /// The graph must outlive the mechanism and what it releases. Throws InvalidOption if a path could be longer than 2^62 units.
  DistanceMechanism(const Topology& graph, const DistanceSettings& settings);
  virtual ~DistanceMechanism() = default;
  DistanceMechanism(const DistanceMechanism&) = delete;
  DistanceMechanism& operator=(const DistanceMechanism&) = delete;

  virtual std::string_view name() const = 0;
  virtual nlohmann::ordered_json parameters() const = 0;  ///< besides epsilon, grid and unit; public

  /// `weights` in units, one for each edge. Throws InvalidOption, before the first draw, for a wrong number of weights or one that is not in the
  /// range and on the grid.
  std::unique_ptr<Distances> release(std::span<const std::int64_t> weights, random::Stream& noise) const;

  const Topology& graph() const { return graph_; }
  const DistanceSettings& settings() const { return settings_; }

 protected:
  /// In units, before the public bounds.
  virtual std::unique_ptr<Distances> noisy(std::span<const std::int64_t> weights,
                                           random::Stream& noise) const = 0;

 private:
  const Topology& graph_;
  DistanceSettings settings_;
};

/// `edges`: noise on every edge; then shortest paths in graphs that the private one may have been (weights/estimates/posterior_draws.hpp), and their mean. The
/// error of a path grows with the root of its edges. `noise`: shortest paths in the noisy weights, cut off at the range. The baseline: where several
/// ways lead to a place the least noisy sum is too small, by an amount that grows with the edges.
struct EdgeDistanceOptions {
  /// Graphs that are searched, 0 (`noise`) to 1,000: each costs a search from every source. Chosen, not derived.
  std::size_t posterior_draws = 8;
};
std::unique_ptr<DistanceMechanism> make_edge_distances(const Topology& graph,
                                                       const DistanceSettings& settings,
                                                       const EdgeDistanceOptions& options = {});

/// `tree`, for forests: noisy sums over blocks of edges along heavy paths, in a hierarchy whose branching follows from each path's length, made consistent by
/// least squares. The error grows with a power of the logarithm of the path lengths. Throws InvalidOption unless the graph is a forest.
std::unique_ptr<DistanceMechanism> make_tree_distances(const Topology& graph,
                                                       const DistanceSettings& settings);

/// `separators`, for graphs that few vertices cut apart: noisy distances across regions, between the vertices on their rims, at one or more levels.
struct SeparatorOptions {
  std::vector<int> depths =
      {};  ///< of the bisections that make the regions, increasing, 1 to 20; one level each
};
std::unique_ptr<DistanceMechanism> make_separator_distances(const Topology& graph,
                                                            const DistanceSettings& settings,
                                                            const SeparatorOptions& options);

/// True distances, for comparison: the same search on the weights themselves. Private.
std::unique_ptr<Distances> true_distances(const Topology& graph, const DistanceSettings& settings,
                                          std::span<const std::int64_t> weights);

}  // namespace fogline::weights
