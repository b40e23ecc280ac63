// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "base/progress.hpp"
#include "graph/dijkstra.hpp"
#include "kernel/capped_exponential.hpp"
#include "random/stream.hpp"

namespace fogline::kernel {

struct BoundOptions {
  int threads = 0;         ///< 0 (all cores) to 1,024
  Progress progress = {};  ///< told of vertices; may cancel
};
/// What CappedExponential::keep_draw_bounds() takes: a search of the near part from each vertex of the kernel's graph.
std::vector<Uint128> find_draw_bounds(const CappedExponential& kernel, const graph::Graph& graph,
                                      const BoundOptions& options);

/// Draws from a CappedExponential, one thread's: keeps the row of its last input, so that drawing from the same input again costs one
/// integer and a binary search. Whoever has many draws to make orders them by input.
///
///     graph::Dijkstra search(graph);
///     CappedDrawer drawer(kernel, search);
///     graph::VertexId said = drawer.draw(truth, noise);
///
/// Exactly the row's probabilities, without searching as far as the cap for most draws. Outputs are listed by distance with their weights
/// summed up, first within the kernel's near part only. What the outputs beyond weigh at most is known from public things, which bounds
/// the total. A uniform integer below the bound decides: mostly it falls among the weights summed up so far. Otherwise the search goes on to
/// the cap, the total is known, and an integer beyond it is drawn again. The bound depends on the input alone, so what was drawn before
/// does not change what comes out.
///
/// Where the kernel keeps its bounds (find_draw_bounds()), the integer is drawn first, and the search goes only as far as it says, in steps: half of the draws
/// end within a sixteenth of the near part. How long a draw takes then tells roughly how far it goes; whoever answers others waits as long for each.
///
/// Cost: a search of the near part per input, of the cap for one input in many. Memory: 20 bytes for each vertex found, of one input.
/// Kernel and search must outlive the drawer; the search must be on the kernel's graph.
class CappedDrawer {
 public:
  CappedDrawer(const CappedExponential& kernel, graph::Dijkstra& search)
      : kernel_(&kernel), search_(&search) {}

  graph::VertexId draw(graph::VertexId input, random::Stream& noise);

 private:
  graph::VertexId drawn(graph::VertexId input, random::Stream& noise);
  graph::VertexId drawn_beyond_cap(random::Stream& noise) const;
  friend std::vector<Uint128> find_draw_bounds(const CappedExponential& kernel, const graph::Graph& graph,
                                               const BoundOptions& options);
  void prepare(graph::VertexId input);
  void find_bound(graph::VertexId input);
  void search_until(graph::VertexId input, const Uint128& position);
  void find_within(graph::VertexId input, graph::DistanceMm radius_mm);
  void complete(graph::VertexId input);
  graph::VertexId at(const Uint128& position) const;
  Uint128 found_sum() const { return up_to_.empty() ? 0 : up_to_.back(); }

  const CappedExponential* kernel_;
  graph::Dijkstra* search_;
  std::optional<graph::VertexId> input_ = {};  // whose row the rest is
  std::vector<graph::VertexId> vertex_;        // found, allowed as output, by distance
  std::vector<Uint128> up_to_;                 // sums of their weights
  Uint128 bound_ = 0;                          // no smaller than the row's total
  Uint128 total_ = 0;                          // of the row, once complete_
  graph::DistanceMm near_mm_ = 0;              // how far the near part goes
  graph::DistanceMm found_mm_ = 0;             // how far was searched
  bool complete_ = false;                      // found as far as the cap
};

}  // namespace fogline::kernel
