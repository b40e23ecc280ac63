// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "graph/bit_graph.hpp"

namespace fogline::graph {

/// A partial order on the vertices of a graph in which exactly the joined pairs are comparable.
class PartialOrder {
 public:
  explicit PartialOrder(std::size_t vertices) : words_((vertices + 63) / 64), above_(vertices * words_, 0) {}

  std::size_t size() const { return words_ == 0 ? 0 : above_.size() / words_; }
  bool below(VertexId u, VertexId v) const { return (above_[u * words_ + v / 64] >> (v % 64) & 1) != 0; }
  void put_below(VertexId u, VertexId v) { above_[u * words_ + v / 64] |= std::uint64_t{1} << (v % 64); }
  std::span<const std::uint64_t> above(VertexId u) const { return {above_.data() + u * words_, words_}; }

  /// Per vertex, how many vertices the longest chain below it has: 0 for those with nothing below. Cost: O(n^2) bits.
  std::vector<std::uint32_t> layers() const;

 private:
  std::size_t words_;
  std::vector<std::uint64_t> above_;
};

/// Orients a graph transitively, if it can be: then it is a comparability graph, and its cliques are the chains of the order.
///
///     std::optional<PartialOrder> order = transitive_orientation(g);
///     if (order) assert(order->below(u, v) != order->below(v, u));        // for every joined u, v
///
/// Source: Golumbic's theorem: orient a free edge, everything it forces, take that class away and go on; the graph has no transitive
/// orientation exactly if a class forces an edge both ways. The answer is a function of the graph alone: the free edge is always the one
/// with the lowest ends, from the lower to the higher.
/// Cost: O(m n / 64), far less where it fails early, as random graphs do; memory n^2 / 2 bytes.
std::optional<PartialOrder> transitive_orientation(const BitGraph& graph);

}  // namespace fogline::graph
