// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernel/batch_pattern.hpp"
#include "kernel/interior_point.hpp"
#include "kernel/metric_tail.hpp"

namespace fogline::kernel {

/// How long steps may be before a slack or a dual is 0, by lane; at most 1.
struct LaneSteps {
  Lanes primal, dual;
};

/// Eight outputs of kernel/metric_optimal.hpp that are near each other, on the inputs near them: their unknowns, duals, and the numbers of a Newton step.
///
/// An edge of the pattern stands for two constraints on an output's probabilities x: ratio * x(i) - x(j) >= 0 and the same with i and j exchanged. Both have
/// a slack and a dual; the numbers of an edge lie side by side, first those of the first. Where there are fewer outputs than lanes, the
/// others repeat the last, and `counted` is 0 for them.
struct MetricBatch {
  std::unique_ptr<const BatchPattern> pattern = {};
  std::vector<std::uint32_t> outputs = {};
  Lanes counted = {};              ///< 1 or 0, once
  std::vector<double> ratio = {};  ///< of each edge: exp(epsilon * distance)
  std::vector<double> bound_ratio =
      {};                 ///< for the epsilon that bounds are proved for; 0: bounds leave the edge out
  MetricTail tail = {};   ///< what columns have outside the block
  Lanes cost = {};        ///< of each input, with what hangs on it
  Lanes x = {}, z = {};   ///< the unknowns; the duals, two an edge
  Lanes dx = {};          ///< the step of the unknowns
  Lanes target = {};      ///< the products of slack and dual that the step is aimed at
  Lanes old_target = {};  ///< and before they were corrected
  Lanes factor = {};      ///< of the normal matrix
  LaneSteps steps = {};   ///< that dx allows, once they were sought
};

/// The normal matrix sum of dual / slack * (ratio e_i - e_j)(...)^T over the constraints, factored. False if floating point can do no more.
bool factor_batch(MetricBatch& batch);

/// dx from the targets and the multipliers of the rows, by the factor: the duals' steps follow from it, and are worked out where they are needed.
void write_direction(MetricBatch& batch, std::span<const double> multiplier);

LaneSteps longest_steps(const MetricBatch& batch);  ///< along dx
StepLengths shortest(const LaneSteps& steps);

double loss_of(const MetricBatch& batch);
double product_after(const MetricBatch& batch, const StepLengths& steps);  ///< sum of slack times dual
void hold_products(MetricBatch& batch);  ///< targets that are the products as they stand
/// Targets for the corrector: `centring`, less what the step at hand leaves by being linear.
void aim_at_centre(MetricBatch& batch, double centring);
/// Targets that pull products which would lie far from `centring` after so long a step back towards it.
void pull_outliers(MetricBatch& batch, double centring, const StepLengths& wished);
void move(MetricBatch& batch, const StepLengths& steps);

/// sum[input] += what the outputs of the batch have there together, in a column of eight lanes and its tail.
void add_column(const MetricBatch& batch, const Lanes& column, std::span<double> sum);
/// column[input] := vector[input], and what hangs on it, in all lanes: the transpose of add_column().
void spread(const MetricBatch& batch, std::span<const double> vector, Lanes& column);

/// What entries of the block cost beyond the multipliers: least[input] becomes the least over all lanes, if it was larger. In the tail multipliers are `outside`.
void lower_to_reduced_costs(const MetricBatch& batch, std::span<const double> multiplier,
                            std::span<const double> outside, std::vector<double> MetricBatch::*ratio,
                            Lanes& scratch, std::span<double> least);

/// values := the part of the batch's normal matrix on the edges that a tile has too; stiff on the diagonal where it has none, so that the inverse is 0 there.
void write_part(const MetricBatch& batch, const BatchPattern& tile, Lanes& values);

}  // namespace fogline::kernel
