// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "graph/dijkstra.hpp"
#include "graph/graph.hpp"
#include "kernel/exponential_rule.hpp"
#include "kernel/weight_row.hpp"
#include "random/noise.hpp"
#include "random/stream.hpp"

namespace fogline::kernel {

/// The exponential kernel on a graph: input v gives output o with probability proportional to
/// exp(-rate * min(d(v, o) + handicap(o), cap)), in integer weights, for outputs in a given range. Without handicaps this is the
/// exponential of the distance; with them some outputs are farther from everybody.
///
///     CappedExponential kernel(graph, {.rate_per_mm = Rational(1, 200'000)});
///     graph::Dijkstra search(graph);                            // one per thread
///     graph::VertexId said = kernel.draw(truth, search, noise);
///
/// Guarantee  for any two inputs, |ln P(o|u) - ln P(o|v)| <= 2 rate d(u, v), exactly: the rule gives the
/// weight one rate and
///            the total, a sum of such weights, at most another. A handicap shifts the distances of one output from all inputs alike,
///            so it changes nothing in this.
/// Cost       of a draw: kernel/capped_drawer.hpp; a search of radius cap at most, whatever the size of the graph, since outputs
///            beyond the cap share one weight. Memory: 9 bytes a vertex besides the graph, 13 with handicaps.
///            Building: kernel/ball_bound.hpp.
/// Limits     at most 2^27 vertices. A vertex the input cannot reach lies beyond the cap.
class CappedExponential {
 public:
  struct Options {
    Rational rate_per_mm = {};                    ///< 2^-30 to 1 per millimetre
    std::vector<graph::VertexId> range = {};      ///< allowed outputs, each once; empty means every vertex
    std::vector<std::uint32_t> handicap_mm = {};  ///< one for each entry of the range; empty means none
    /// near_outputs() of the same kernel, from a file: it takes searches over the whole map to find. Empty: find it.
    std::vector<std::uint32_t> near_outputs = {};
    std::vector<Uint128> draw_bounds = {};  ///< draw_bounds() of the same kernel, or empty: do without
  };
  CappedExponential(const graph::Graph& graph, const Options& options);  ///< throws InvalidOption

  /// One draw. Whoever makes many keeps a CappedDrawer, which gives the same.
  graph::VertexId draw(graph::VertexId input, graph::Dijkstra& search, random::Stream& noise) const;

  /// Weights of the whole range, in the order of range(), and their total.
  WeightRow row(graph::VertexId input, graph::Dijkstra& search) const;
  Uint128 total(graph::VertexId input, graph::Dijkstra& search) const;

  /// Weight of one output, 0 outside the range, and the total, by a search of radius cap.
  random::Odds odds(graph::VertexId output, graph::VertexId input, graph::Dijkstra& search) const;

  std::span<const graph::VertexId> range() const { return range_; }
  std::span<const std::uint32_t> near_outputs() const { return near_outputs_; }
  std::span<const std::uint32_t> handicaps() const { return handicap_mm_; }  ///< by vertex, or empty
  /// As the graph, the range and the rule have it: draws are as the weights say only with these.
  std::vector<std::uint32_t> find_near_outputs(const graph::Graph& graph) const;
  /// Of each vertex, what a draw's uniform integer lies below (kernel/capped_drawer.hpp); or empty: then each draw finds it by a search. With them a draw
  /// need not search farther than what it draws. The same is drawn with and without.
  std::span<const Uint128> draw_bounds() const { return draw_bounds_; }
  void keep_draw_bounds(std::vector<Uint128> bounds);  ///< throws InvalidOption
  const ExponentialRule& rule() const { return rule_; }
  bool in_range(graph::VertexId vertex) const { return in_range_[vertex] != 0; }

  /// The weight of an output at a distance from the input: at most rule().weight(distance_mm).
  Uint128 weight(graph::VertexId output, graph::DistanceMm distance_mm) const {
    if (handicap_mm_.empty() || distance_mm == graph::unreachable) return rule_.weight(distance_mm);
    return rule_.weight(distance_mm + handicap_mm_[output]);
  }

  /// How far a draw searches at first, and what all outputs farther away weigh at most.
  struct NearPart {
    graph::DistanceMm radius_mm = 0;
    Uint128 most_of_one = 0;       ///< weight of an output beyond the radius, at most
    std::uint64_t most_count = 0;  ///< of outputs, found or not, that may weigh as much
    Uint128 most_of_rest = 0;      ///< weight of all the others together, at most
  };
  /// Chosen so that what lies beyond weighs at most a quarter of an output at distance 0. Depends on graph, range and input alone, and
  /// on the size of the graph hardly at all.
  NearPart near_part(graph::VertexId input) const;

 private:
  void set_handicaps(std::span<const std::uint32_t> handicap_mm, std::size_t vertex_count);

  ExponentialRule rule_;
  std::vector<graph::VertexId> range_;
  std::vector<std::uint8_t> in_range_;
  graph::DistanceMm far_radius_mm_ = 0;  // all outputs beyond together weigh at most an eighth of one at 0
  std::vector<std::uint32_t> near_outputs_;  // per vertex: at most so many outputs lie within it
  std::vector<std::uint32_t> handicap_mm_;   // by vertex, or empty
  std::vector<Uint128> draw_bounds_;         // by vertex, or empty
};

}  // namespace fogline::kernel
