// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "base/progress.hpp"
#include "kernel/optimal.hpp"
#include "kernel/relation.hpp"

namespace fogline::kernel {

/// Which table moves inputs by the least expected distance, among all that keep a metric promise?
struct MetricProblem {
  const Relation& relation;           ///< a metric whose pairs join all inputs
  double epsilon_per_unit = 0;        ///< of its distance; above 0
  double bound_epsilon_per_unit = 0;  ///< the bound is proved for this one, at least as large; 0: the same
  std::span<const double> prior;      ///< of each input, 0 or more, in all 1
  std::span<const InputId> outputs;   ///< each output is an input; each once, at least 1
};

/// Defaults were chosen, not derived.
struct MetricOptions {
  double gap = 1e-3;             ///< stop when loss and bound differ by this share of the loss; 1e-9 to 1
  std::size_t iterations = 100;  ///< at most; 1 to 1,000
  /// How far an output's probabilities are free, in units of 1 / epsilon: 1 to 1,000, or 0: as far as the gap needs, and where single rows are worth more, farther. Beyond, they fall off by the promised factor.
  double reach = 0;
  int threads = 0;         ///< 0 (all cores) to 1,024
  Progress progress = {};  ///< told of iterations; may cancel
};

/// Solves the linear program of kernel/optimal.hpp with the distance to the output as its loss, in time and memory that grow with the map and not with its
/// square: a city of 57,850 junctions at 0.01 per metre, or 583 of them, differ in nothing but their number.
///
///     OptimalTable table = metric_table({.relation = roads, .epsilon_per_unit = 1e-5, .prior = uniform, .outputs = vertices});
///
/// Outputs are free on the inputs near them, eight outputs on the same inputs, in the lanes of a register. Their normal matrices are as sparse as the map. The matrix of the row sums, the
/// sum of the inverses of all these, is never formed: conjugate gradients need its products, one sparse solution for each
/// output, and a dozen or a few of them, with the inverses of its overlapping parts as a preconditioner (kernel/metric_rows.hpp). The bound is one for the whole program
/// (docs/mechanisms/optimal.md).
///
/// `loss` and `lower_bound` are in units of the relation's distance; the loss is that of blocks and tails as the solver knows them, and below that of the whole table by a part of the gap. A column lists the inputs on which it is free. What comes back promises nothing yet: kernel/sparse_table.hpp
/// makes integers of it, and a certificate decides.
///
/// Throws InvalidOption for an option or a problem outside its range, Cancelled. Cost: 30 to 60 iterations; docs/results/place.md has what was measured.
OptimalTable metric_table(const MetricProblem& problem, const MetricOptions& options = {});

}  // namespace fogline::kernel
