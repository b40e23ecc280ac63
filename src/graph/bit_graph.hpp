// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.hpp"

namespace fogline::graph {

/// An undirected graph without weights as rows of bits: for dense graphs, and for asking about pairs.
///
///     BitGraph g(4);
///     g.join(0, 2);
///     assert(g.joined(2, 0) && g.degree(2) == 1);
///     std::span<const std::uint64_t> row = g.row(0);         // bit v of the row: 0 and v are joined
///
/// No vertex is joined to itself. Limits: 1 to 20,000 vertices, else InvalidOption. Cost: n^2 / 8 bytes. Ends out of range are the
/// caller's mistake.
class BitGraph {
 public:
  static constexpr std::size_t most_vertices = 20'000;

  BitGraph() = default;
  explicit BitGraph(std::size_t vertices);

  std::size_t size() const { return vertices_; }
  std::size_t words() const { return words_; }  ///< per row
  bool joined(VertexId u, VertexId v) const { return (bits_[u * words_ + v / 64] >> (v % 64) & 1) != 0; }
  void join(VertexId u, VertexId v);
  void part(VertexId u, VertexId v);
  std::span<const std::uint64_t> row(VertexId u) const { return {bits_.data() + u * words_, words_}; }

  std::size_t degree(VertexId u) const;
  std::size_t edge_count() const;
  std::vector<VertexId> neighbours(VertexId u) const;  ///< rising
  BitGraph complement() const;
  friend bool operator==(const BitGraph&, const BitGraph&) = default;

 private:
  std::size_t vertices_ = 0;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> bits_;
};

/// How many bits two rows of the same length have in common. Eight words are first added bit by bit, in carries, since counting the bits of a word is a call where the processor may
/// lack an instruction for it.
std::uint32_t bits_in_common(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

/// Calls `visit(v)` for each bit set in a row, in rising order.
template <class Visit>
void for_each_bit(std::span<const std::uint64_t> row, const Visit& visit) {
  for (std::size_t word = 0; word < row.size(); ++word)
    for (std::uint64_t left = row[word]; left != 0; left &= left - 1)
      visit(static_cast<VertexId>(word * 64 + static_cast<std::size_t>(std::countr_zero(left))));
}

}  // namespace fogline::graph
