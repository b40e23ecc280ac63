// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "base/parallel.hpp"

namespace fogline::traces {

/// A vector per row: a trip as one point of a space of many dimensions.
using Vectors = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// For each row the sum of its Euclidean distances to all others.
///
///     std::vector<double> sums = distance_sums(rows, {});           // equation (4) of the paper
///
/// Squared distances come from one product of matrices, |a|^2 + |b|^2 - 2 a.b, of half of all pairs, in panels of rows: memory stays about 40 MB
/// however many pairs there are, unless most are close. That formula loses what two close vectors share, so pairs whose squared distance is under a thousandth of |a|^2 + |b|^2 are measured again,
/// number by number, and are kept out of the product below. Vectors should have mean 0, or all pairs may be such. Relative error about 10^-4 of a distance at worst, 10^-6 of a sum.
/// Cost: half a product of m x D by D x m (kernel/dense.hpp), on all threads, and one root a pair.
std::vector<double> distance_sums(const Vectors& rows, const ParallelOptions& parallel);

/// What is descended: how far the distances are from what they should be.
struct Misfit {
  double loss = 0;   ///< the number itself
  Vectors gradient;  ///< by each number of each row
};

/// Loss 1/(2m)^2 sum_i (S_i - goal_i)^2, where S_i = sum_j |a_i - a_j|. Its gradient is 1/(2 m^2) sum_j (r_i + r_j) (a_i - a_j) / |a_i - a_j| with r = S - goal; pairs of
/// equal vectors have no direction and count nothing. With weights w_ij = (r_i + r_j) / |a_i - a_j| that is 1/(2 m^2) (diag(W 1) - W) A: a second product.
///
/// The scale: if the vectors move by d_i, S_i changes by at most m |d_i| + sum_j |d_j|, so all sums together by at most 2 m |d|. So near a fit the loss bends by at most 2, and steps of less
/// than the whole gradient converge, whatever the vectors.
///
/// The weights need all sums, and the sums all distances, so distances are computed twice rather than kept: in all half + half + one product. Writes into `misfit`, which
/// keeps its memory. Throws InvalidOption if the goals are not one per row.
void misfit_of_sums(const Vectors& rows, std::span<const double> goal, const ParallelOptions& parallel,
                    Misfit& misfit);

/// Loss 1/m sum_ij (|a_i - a_j| - |b_i - b_j|)^2 against the distances of other vectors, which may have another dimension. Half + half + one product. A step of 1/4 of
/// its gradient is the best known one without looking further (the loss then never rises: de Leeuw 1977).
void misfit_of_pairs(const Vectors& rows, const Vectors& goal, const ParallelOptions& parallel,
                     Misfit& misfit);

}  // namespace fogline::traces
