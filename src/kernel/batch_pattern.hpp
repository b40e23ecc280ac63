// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernel/lanes.hpp"
#include "kernel/relation.hpp"

namespace fogline::kernel {

/// Sparse symmetric systems that have one pattern, eight side by side: each number is eight, one a lane.
///
///     BatchPattern pattern(roads, inputs, pairs);
///     Lanes values(pattern.values() * lane_count);   // the lower triangles, with room for what elimination fills
///     bool fine = pattern.factor(values);            // L D L^T, in their place
///     pattern.solve(values, x);                      // eight right sides become eight solutions
///
/// Values begin with the diagonal, in the order of elimination; then come the columns below it. Cost: for the parts of road networks about four
/// values an input, and twice as many multiplications for a solution.
class BatchPattern {
 public:
  /// Two inputs that must look alike, as indices of inputs().
  struct Edge {
    std::uint32_t i = 0;     ///< of the pair's `from`
    std::uint32_t j = 0;     ///< of its `to`
    std::uint32_t pair = 0;  ///< its number in the relation; edges are sorted by it
    std::uint32_t at = 0;    ///< where the entry of the two lies among the values
  };

  /// `inputs`, each once, with `pairs` between them, by number and increasing. The order of elimination is one with little fill, in which the inputs of
  /// `last` come last.
  BatchPattern(const Relation& relation, std::span<const InputId> inputs,
               std::span<const std::uint32_t> pairs, std::span<const InputId> last = {});

  std::size_t size() const { return inputs_.size(); }
  std::span<const InputId> inputs() const { return inputs_; }  ///< in the order of elimination
  std::span<const Edge> edges() const { return edges_; }
  std::size_t values() const { return inputs_.size() + row_.size(); }

  /// False if a lane is not positive definite in floating point; then `values` mean nothing. Pivots are kept as their inverses.
  bool factor(Lanes& values) const;
  void solve(const Lanes& values, Lanes& x) const;
  /// Adds the part of the inverses from index `first` on, m by m: sum[(i * m + j) * lane_count + lane] for j >= i, counted from `first`. `inverse` has
  /// room for as many, and its content means nothing.
  void add_inverse(const Lanes& values, std::size_t first, Lanes& inverse, Lanes& sum) const;

 private:
  void order(const Relation& relation, std::span<const InputId> inputs, std::span<const std::uint32_t> pairs,
             std::span<const InputId> last);
  void fill();
  std::uint32_t position(std::uint32_t row, std::uint32_t column) const;

  std::vector<InputId> inputs_;
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> begin_, row_;  // the factor's columns below the diagonal
  std::vector<std::uint32_t> update_;  // where each product of two entries of a column goes, column by column
  std::size_t longest_column_ = 0;
};

}  // namespace fogline::kernel
