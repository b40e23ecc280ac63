// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

#include "kernel/relation.hpp"

namespace fogline::kernel {

/// The inner workings of kernel/optimal.hpp: one block per output, with the sparsity of the graph of what must look
/// alike.
///
/// A block's variables are x(v), the probability of its output from input v, for the inputs of its pattern. Every two
/// of them that must look alike give two arcs, each with a slack s = p x_i - x_j that must stay positive.
class BlockPattern {
 public:
  struct Arc {
    std::uint32_t i = 0;
    std::uint32_t j = 0;
    double p = 1;
    double bound_p = 1;  ///< the same for the epsilon that lower bounds are proved for; 0: they leave it out
    std::int32_t off_diagonal = 0;  ///< where the pair (i, j) lies among the values of the normal matrix
  };

  /// `places` are positions in the order of elimination, increasing; arcs are between indices of `places`.
  BlockPattern(std::vector<std::uint32_t> places, std::vector<Arc> arcs);

  std::span<const std::uint32_t> places() const { return places_; }
  std::span<const Arc> arcs() const { return arcs_; }
  std::size_t variables() const { return places_.size(); }

  /// The normal matrix sum of weight * (p e_i - e_j)(p e_i - e_j)^T over the arcs, as its upper triangle.
  Eigen::SparseMatrix<double> normal_matrix() const { return shape_; }
  void assemble(std::span<const double> arc_weight, Eigen::SparseMatrix<double>& normal) const;

  /// The shape of its factor, unit lower triangular by columns; row numbers below the diagonal.
  std::span<const std::uint32_t> factor_begin() const { return factor_begin_; }
  std::span<const std::uint32_t> factor_row() const { return factor_row_; }

 private:
  std::vector<std::uint32_t> places_;
  std::vector<Arc> arcs_;
  Eigen::SparseMatrix<double> shape_;
  std::vector<std::int32_t> diagonal_;
  std::vector<std::uint32_t> factor_begin_;
  std::vector<std::uint32_t> factor_row_;
};

/// The factor L D L^T of one block's normal matrix.
struct BlockFactor {
  std::vector<double> lower;
  std::vector<double> inverse_pivot;

  void solve(const BlockPattern& pattern, std::span<double> x) const;  ///< in place
};

/// Factors normal matrices of one pattern after another; one per thread.
class BlockFactoriser {
 public:
  /// False if the matrix is not positive definite in floating point.
  bool factor(const BlockPattern& pattern, std::span<const double> arc_weight, BlockFactor& factor);

 private:
  using Ldlt = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Upper, Eigen::NaturalOrdering<int>>;
  const BlockPattern* pattern_ = nullptr;
  Eigen::SparseMatrix<double> normal_;
  Ldlt ldlt_;
};

/// Adds the inverses of many blocks: a few columns of their sum, given by increasing places, from the row of the
/// first of them down, into `panel`, which has a row of `panel_width` numbers for every place from there on. This is
/// where nearly all time of a solve goes.
constexpr std::size_t panel_width = 32;
class PanelAdder {
 public:
  void add(const BlockPattern& pattern, const BlockFactor& factor, std::span<const std::uint32_t> columns,
           std::span<double> panel);

 private:
  std::vector<double> rows_;
  std::vector<std::uint8_t> active_;
};

/// An order of elimination with little fill for the graph of a relation: place of each input.
std::vector<std::uint32_t> elimination_order(const Relation& relation);

}  // namespace fogline::kernel
